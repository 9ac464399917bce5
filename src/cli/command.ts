/** What a command is: a value with its options, examples and `run`. The help is printed from the same value. */
import { join } from "node:path"
import { hasAside } from "../home/aside.ts"
import { hasLeftServers } from "../home/clients.ts"
import { drawsUnicode } from "../views/unicode.ts"
import type { Io } from "./io.ts"
import { type Opened, withOpened } from "./opened.ts"
import type { Options, ValuesOf } from "./option.ts"
import { parse } from "./parse.ts"

/** What a command line says, read with the options of its command and those every command takes. */
export type Context<Own extends Options = Record<never, never>> = {
  io: Io
  /** Options by name; one that was not given is undefined. */
  values: ValuesOf<Own> & ValuesOf<typeof commonOptions>
  /** Words that are not options, in order. */
  words: readonly string[]
  /** The words behind the first `--`, as they are, of a command that takes another one. */
  behind: readonly string[]
  /** What it has opened so far; all of it is closed when the command ends. */
  opened: Opened
}

type About = {
  /** How it is called, after `headway`. */
  usage: string
  about: string
  examples: readonly string[]
  /** What its first word can be, for shells that complete it. */
  firstWords?: readonly string[]
  /** How many words it takes that are not options. @default 0 */
  maxWords?: number
  /** What follows `--` is another command, and none of it is ours. @default false */
  takesCommand?: boolean
  /** The exit code for wrong usage, where 2 means something else to the caller. @default 2 */
  usageExitCode?: number
  /** It takes in what was put aside for its own plan by itself, in its turn. @default false */
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
  /** Reads the words that stand behind the command's name and runs it. Returns the exit code. */
  call(argv: readonly string[], io: Io): Promise<number>
}

/** A command that gets its options typed as it declares them. */
export const defineCommand = <const Own extends Options>({ run, ...about }: Definition<Own>): Command => ({
  ...about,
  async call(argv, io) {
    const { values, ...parsed } = await parse({ ...about, common: commonOptions }, argv)
    const ascii = values.ascii ?? (!drawsUnicode(io.env) && io.isTerminal.out)
    return withOpened(io, async (opened) => {
      const context = { io, opened, ...parsed, values: { ...values, ascii } }
      if (!about.isHook) await takeInFirst(context)
      return run(context)
    })
  },
})

/**
 * What the launcher put aside, and what a server that was killed left, belongs to the plans a command is about to read. It
 * never keeps the command from its work.
 */
const takeInFirst = async (context: Context): Promise<void> => {
  const { io, values } = context
  const home = values.home || io.env.HEADWAY_HOME || join(io.home, ".headway")
  try {
    if (hasAside(home)) await (await import("./bridge/take-in.ts")).takeInAll(context)
    if (hasLeftServers(home)) await (await import("./bridge/join-unnamed.ts")).joinLeftPlans(context)
  } catch {
    // It stays where it is, for the next one.
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
