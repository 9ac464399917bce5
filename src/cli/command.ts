/** What a command is: a value with its options, examples and `run`. The help is printed from the same value. */
import type { Io } from "./io.ts"
import type { Opened } from "./opened.ts"

export type Option = {
  type: "string" | "boolean"
  short?: string
  /** What stands for the value in the help. */
  value?: string
  about: string
}

export type Options = Readonly<Record<string, Option>>

export type Values = Readonly<Record<string, string | boolean | undefined>>

export type Context = {
  io: Io
  /** Options as given, by name. */
  values: Values
  /** Words that are no options, in order. */
  words: readonly string[]
  /** The words behind the first `--`, as they are, of a command that takes another one. */
  behind: readonly string[]
  /** What it has opened so far; see `runCommand`. */
  opened: Opened
}

export interface Command {
  /** How it is called, after `headway`. */
  usage: string
  about: string
  options: Options
  examples: readonly string[]
  /** How many words it takes that are no options. @default 0 */
  maxWords?: number
  /** What stands behind `--` is another command, and none of it is ours. @default false */
  takesCommand?: boolean
  /** The exit code for wrong usage, where 2 means something else to who calls it. @default 2 */
  usageExitCode?: number
  /** Returns the exit code: 0 done, 1 refused or nothing found, 2 wrong usage. */
  run(context: Context): Promise<number>
}

/** Options every command takes. */
export const commonOptions = {
  home: { type: "string", value: "DIR", about: "where plans rest (HEADWAY_HOME, default ~/.headway)" },
  store: { type: "string", value: "URL", about: "file:, file:DIR or memory: (HEADWAY_STORE, default file:)" },
  project: { type: "boolean", about: "keep plans in .headway of this repository instead of the home" },
  session: { type: "string", value: "ID", about: "the session (HEADWAY_SESSION, default this project's newest)" },
  agent: { type: "string", value: "ID", about: "the agent in the session (default main)" },
  json: { type: "boolean", about: "print data as JSON" },
  "no-color": { type: "boolean", about: "print without colour (NO_COLOR)" },
  ascii: { type: "boolean", about: "print with ASCII characters only" },
  help: { type: "boolean", short: "h", about: "show this help" },
} as const satisfies Options
