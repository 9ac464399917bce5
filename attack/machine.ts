/** A machine of one person: a home, a project, and the built `headway` as real processes in them. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const builtHeadway = fileURLToPath(new URL("../dist/bin/headway.js", import.meta.url))

export type Ended = {
  words: readonly string[]
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
  /** It had to be ended because it would not end by itself. */
  isLate: boolean
}

export type CallOptions = {
  input?: string | Buffer
  cwd?: string
  env?: Readonly<Record<string, string>>
  /** Words for Node itself, before the program. */
  node?: readonly string[]
  /** Another user to run as. */
  uid?: number
  /** Shell commands to give before it, such as a limit. */
  shell?: string
  /** Seconds until it is ended. @default 30 */
  timeLimit?: number
}

export type Machine = {
  /** The person's home folder. */
  home: string
  /** Headway's home in it. */
  headwayHome: string
  project: string
  env: Readonly<Record<string, string>>
  /** Starts the built command and leaves it running. */
  start(words: readonly string[], options?: CallOptions): ChildProcess
  /** Runs the built command until it ends. */
  headway(words: readonly string[], options?: CallOptions): Promise<Ended>
}

export const createMachine = (folder: string, more: Readonly<Record<string, string>> = {}): Machine => {
  const home = join(folder, "home")
  const project = join(folder, "project")
  for (const path of [home, project]) mkdirSync(path, { recursive: true })
  const env = { PATH: process.env.PATH ?? "", HOME: home, USER: "ada", LANG: "C.UTF-8", TERM: "dumb", ...more }

  const start: Machine["start"] = (words, { cwd = project, env: own = {}, node = [], uid, shell } = {}) => {
    const command = [process.execPath, ...node, builtHeadway, ...words]
    const [file = "", ...rest] =
      shell === undefined ? command : ["bash", "-c", `${shell}; exec "$@"`, "bash", ...command]
    const child = spawn(file, rest, { cwd, env: { ...env, ...own }, ...(uid === undefined ? {} : { uid, gid: uid }) })
    // It may end before it has read what it is given.
    child.stdin.on("error", () => {})
    started.add(child)
    child.on("close", () => started.delete(child))
    return child
  }

  const headway: Machine["headway"] = (words, options = {}) => {
    const child = start(words, options)
    child.stdin?.end(options.input ?? "")
    return ended(child, words, options.timeLimit)
  }

  return { home, headwayHome: join(home, ".headway"), project, env, start, headway }
}

const started = new Set<ChildProcess>()
process.on("exit", () => {
  for (const child of started) child.kill("SIGKILL")
})

/** How a process ended and what it said; one that does not end in time is ended. */
export const ended = (child: ChildProcess, words: readonly string[], timeLimit = 30): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const result: Ended = { words, code: null, signal: null, out: "", err: "", isLate: false }
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      result.out += text
    })
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      result.err += text
    })
    const timer = setTimeout(() => {
      result.isLate = true
      child.kill("SIGKILL")
    }, timeLimit * 1000)
    child.on("error", reject)
    child.on("close", (code, signal) => {
      clearTimeout(timer)
      resolve({ ...result, code, signal })
    })
  })

const trace = /^\s+at .*(?:\(|:\d+:\d+)|node:internal|UnhandledPromise|^\s*throw /m

/** What no command may ever do, whatever it meets: hang, die of a signal, or show its own insides. */
export const misconductOf = ({ words, code, signal, out, err, isLate }: Ended): string[] => {
  const command = `headway ${words.join(" ")}`
  if (isLate) return [`${command} does not end`]
  if (signal !== null) return [`${command} is ended by ${signal}`]
  const output = `${out}\n${err}`
  if (trace.test(output)) return [`${command} shows a stack trace: ${excerpt(output, trace)}`]
  if (![0, 1, 2].includes(code ?? -1)) return [`${command} ends with ${code}: ${err.slice(0, 300)}`]
  if (code !== 0 && err.trim() === "" && !words.includes("--json") && words[0] !== "doctor") {
    return [`${command} fails with ${code} and says nothing`]
  }
  return []
}

const excerpt = (text: string, what: RegExp): string => {
  const at = what.exec(text)?.index ?? 0
  return JSON.stringify(text.slice(Math.max(0, at - 160), at + 200))
}
