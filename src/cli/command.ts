/** What a command is: a value with its options, examples and `run`. The help is printed from the same value. */
import { join } from "node:path"
import { hasAside } from "../home/aside.ts"
import { hasLeftServers } from "../home/clients.ts"
import { unsettledProjects } from "../home/trust.ts"
import { drawsUnicode } from "../views/text/unicode.ts"
import type { Io } from "./io.ts"
import { type Opened, withOpened } from "./opened.ts"
import type { Options, ValuesOf } from "./words/option.ts"
import { parse } from "./words/parse.ts"

/** A parsed command line, with the command's own options and those of every command. */
export type Context<Own extends Options = Record<never, never>> = {
  io: Io
  /** Options by name; one that was not given is undefined. */
  values: ValuesOf<Own> & ValuesOf<typeof commonOptions>
  /** Words that are not options, in order. */
  words: readonly string[]
  /** The words after the first `--`, for a command that runs another one. */
  behind: readonly string[]
  /** The stores and plans it has opened; all are closed when the command ends. */
  opened: Opened
}

type About = {
  /** How it is called, after `headway`. */
  usage: string
  about: string
  examples: readonly string[]
  /** The possible first words, for completion. */
  firstWords?: readonly string[]
  /** How many words it takes that are not options. @default 0 */
  maxWords?: number
  /** Whether the words after `--` are another command. @default false */
  takesCommand?: boolean
  /** The exit code for wrong usage, if 2 means something else to the caller. @default 2 */
  usageExitCode?: number
  /** It processes the events put aside for its own plan itself, under its lock. @default false */
  isHook?: boolean
}

export type Definition<Own extends Options> = About & {
  options: Own
  /** Returns the exit code: 0 done, 1 refused or nothing found, 2 wrong usage. */
  run(context: Context<Own>): Promise<number>
}

/** A command whose own options are known to itself only. */
export interface Command extends About {
  options: Options
  /** Parses the words after the command's name and runs it. Returns the exit code. */
  call(argv: readonly string[], io: Io): Promise<number>
}

/** A command that gets its options typed as it declares them. */
export const defineCommand = <const Own extends Options>({ run, ...about }: Definition<Own>): Command => ({
  ...about,
  async call(argv, io) {
    const { values, ...parsed } = await parse({ ...about, common: commonOptions }, argv)
    const ascii = values.ascii ?? (!drawsUnicode(io.env) && io.isTerminal.out)
    try {
      return await withOpened(io, async (opened) => {
        const context = { io, opened, ...parsed, values: { ...values, ascii } }
        if (!about.isHook) await takeInFirst(context)
        return run(context)
      })
    } catch (cause) {
      const { withHomeAdvice } = await import("./output/home-advice.ts")
      throw withHomeAdvice(cause, namedHome({ io, values }))
    }
  },
})

/** The home as it was named, whether or not it can be used. */
const namedHome = ({ io, values }: Pick<Context, "io" | "values">): string =>
  values.home || io.env.HEADWAY_HOME || join(io.home, ".headway")

/**
 * Processes the events that the launcher put aside, and plans left by killed servers and commands, before a command reads plans.
 * Failures do not stop the command.
 */
const takeInFirst = async (context: Context): Promise<void> => {
  const home = namedHome(context)
  try {
    if (hasAside(home)) await (await import("./bridge/take-in.ts")).takeInAll(context)
    if (hasLeftServers(home)) await (await import("./bridge/plans/join-unnamed.ts")).joinLeftPlans(context)
    if (unsettledProjects(home).length > 0)
      await (await import("./place/plans-left-in-home.ts")).settleLeftProjects(context)
  } catch {
    // It stays for the next command.
  }
}

/** Options every command takes. */
export const commonOptions = {
  home: { type: "string", value: "DIR", about: "where plans are kept (HEADWAY_HOME, default ~/.headway)" },
  store: {
    type: "string",
    value: "URL",
    about: "file:, file:DIR, memory: or postgres://… (HEADWAY_STORE, default file:)",
  },
  project: { type: "boolean", about: "keep plans in .headway of this repository instead of the home" },
  session: {
    type: "string",
    value: "SESSION",
    about: "its id, the beginning of it, or words of its title (HEADWAY_SESSION, default this project's newest)",
  },
  agent: { type: "string", value: "ID", about: "the agent in the session (default main)" },
  json: { type: "boolean", about: "print data as JSON" },
  "no-color": { type: "boolean", about: "print without colour (NO_COLOR)" },
  ascii: { type: "boolean", about: "print with ASCII characters only (automatic when the terminal has no Unicode)" },
  help: { type: "boolean", short: "h", about: "show this help" },
} as const satisfies Options
