/** Runs the command line in this process: temporary home, fixed clock, streams that remember. */
import { main } from "../../src/cli/main.ts"
import { temporaryFolder } from "../stores/temporary.ts"

export type CliOptions = {
  input?: string
  /** The person's home folder, with `.headway` in it. */
  home?: string
  cwd?: string
  env?: Record<string, string>
  now?: string
  columns?: number
  /** Standard output is a terminal. @default false */
  isTerminal?: boolean
  /** Called before each text for standard error. It may throw, and then the command ends there. */
  onErr?: () => void
}

export type CliResult = { code: number; out: string; err: string }

export const runCli = async (argv: readonly string[], options: CliOptions = {}): Promise<CliResult> => {
  const {
    input = "",
    home = temporaryFolder(),
    cwd = home,
    env = {},
    now = "2030-01-01T00:00:00Z",
    columns,
    isTerminal = false,
    onErr,
  } = options
  const result: CliResult = { code: -1, out: "", err: "" }
  result.code = await main(argv, {
    out: (text) => {
      result.out += text
    },
    err: (text) => {
      onErr?.()
      result.err += text
    },
    pour: async (text) => {
      result.out += text
      return true
    },
    input: async () => input,
    hint: async () => input,
    chunks: async function* () {
      yield Buffer.from(input)
    },
    env: { USER: "ada", ...env },
    cwd,
    home,
    now: () => new Date(now),
    stopped: () => new AbortController().signal,
    onSignal: () => () => {},
    terminal: () => ({ output: process.stdout, input: process.stdin }),
    isTerminal: { in: false, out: isTerminal, err: false },
    columns,
  })
  return result
}

/** A person at one machine: every command in the same home and project. */
export const atHome = (options: CliOptions = {}) => {
  const home = options.home ?? temporaryFolder()
  const run = (argv: readonly string[], more: CliOptions = {}): Promise<CliResult> =>
    runCli(argv, { ...options, home, ...more })
  return { home, run }
}
