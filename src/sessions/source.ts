/** The contract of a source: where one agent keeps its sessions on disk, and what their paths already tell. */
import type { SessionSignal, Signal, Wants } from "../streams/stream.ts"

export type Env = Readonly<Record<string, string | undefined>>

/** What the names on a path say, by the names of the groups that matched them. */
export type Names = Readonly<Record<string, string>>

/** Whose file it is, as far as its path says. What the file itself says counts more. */
export type Whose = {
  session?: string | undefined
  /** How the id of its session begins: what it goes by where neither the file nor another one says the whole id. */
  sessionStart?: string | undefined
  /** @default "main" */
  agent?: string | undefined
  /** A folder, or a label that stands for it where the folder is not known. */
  project?: string | undefined
}

/**
 * How something is read: a session's own file in one of the streams (compressed where its name says so), a list beside it that
 * is one document, a folder whose files are one list together, or a database. Readers are loaded when something is to be read:
 * looking for sessions loads none of them.
 */
export type Reading =
  | { as: "lines"; stream: string }
  | { as: "document"; load(): Promise<ReadDocument> }
  | { as: "folder"; load(): Promise<ReadFolder> }
  | DatabaseReading

/**
 * `prompts` is what to read for all that people typed, where that is more than `tables` has, `work` for all that one agent did in
 * one session.
 */
export type DatabaseReading = {
  as: "database"
  tables: Tables
  history?: History
  work?: History
  prompts?: Tables
  load(): Promise<ReadDatabase>
}

/** `at` is when it was last written, in ISO form. */
export type ReadDocument = (document: { name: string; text: string }, at: string | undefined) => Signal[]

export type ReadFolder = (files: readonly { name: string; text: string }[], at: string | undefined) => Signal[]

/**
 * The columns wanted of each table, by its name or, where some rows are wanted, by any name. The first column of each must be
 * there, or the database is of another program.
 */
export type Tables = Readonly<Record<string, readonly string[] | SomeRows | LastRows>>

/** Rows of a table that may be missing. */
export type SomeRows = {
  /** @default the name they are wanted under */
  table?: string
  columns: readonly string[]
  where: Condition & {
    /** One column is just this text; best one that has an index. */
    only?: { column: string; is: string }
  }
}

export type Condition = {
  /** One column holds one of these texts within its first 200 characters. */
  holding?: { column: string; any: readonly string[] }
  /** One column, best one that has an index, is the id of one of these rows. */
  of?: { column: string; rows: OwnerRows }
}

/** Rows of another table; with `first` only the first of them for each value of one column, by the time in another. */
export type OwnerRows = { table: string; id: string; where: Condition; first?: { per: string; time: string } }

/** What to read for all that was ever said of one agent's list: where only its last state is at hand, its ids are guesses. */
export type History = (whose: { session: string; agent: string }) => Tables

/**
 * Of a table that may be missing the last row, by the time in one column, of each of the newest rows in another table, whose
 * ids are in the column `of`.
 */
export type LastRows = {
  /** @default the name they are wanted under */
  table?: string
  columns: readonly string[]
  last: { time: string; of: string; per: { table: string; id: string; time: string } }
}

/** One list of signals for each session; rows are by table. */
export type ReadDatabase = (rows: Readonly<Record<string, readonly unknown[]>>, wants?: Wants) => Signal[][]

export type Place = {
  /**
   * Below the agent's folder, name by name; a pattern matches whole names. Never deeper than it is long, so that links
   * in circles end by themselves.
   */
  path: readonly (string | RegExp)[]
  reading: Reading
  whose?: (names: Names) => Whose
  /** Its files vanish by themselves when they are done: what was seen of them is kept as long as the folder is there. */
  isKept?: boolean
  /** A sub-agent's own file, in which it speaks as the main agent of its session would. */
  speaksAsMain?: boolean
  /**
   * The client's note of the sessions that its processes are in and how they stand: true as long as the process runs. It names
   * the session, or lies in a folder of its name.
   */
  isNote?: boolean
  /** It holds lists as they stand, beside the sessions' own files, and newer than what those say: it is no session by itself. */
  isBeside?: boolean
  /**
   * It is there for a sub-agent, whose own files lie where those of a session of its name would: they are the sub-agent's, and
   * what they say of their main agent is said of it.
   */
  namesChild?: boolean
  /** Several agents of a session write it, so that only the session's own file says whose list it holds. */
  isAnyAgents?: boolean
}

/** Whether a session has a tool for plans: "no plan tool" is another thing than "no plan yet". */
export type PlanTool = "present" | "absent" | "unknown"

export interface Source {
  /** Equals the name of the folder it is in. */
  agentType: string
  /** The agent's folders on this machine. They need not exist. */
  homes(env: Env, home: string): string[]
  /** Where they are below a person's home, or below the agent's own folder when only that is given. */
  below: { home: readonly string[]; folder: readonly string[] }
  places: readonly Place[]
  /** How long after its last words its turn is over, in milliseconds, where its files never say so. @default five minutes */
  settlesAfter?: number
  /** A call is written down only after it was answered, with the time of that. */
  writesAfterAnswers?: boolean
  /** From the tools the session itself shows, when no list was seen; `unknown` where it shows none. */
  planTool(about: Pick<SessionSignal, "tools">): PlanTool
  /** What the agent calls its sessions and sub-agents, by their ids, where it keeps a table of that. */
  titles?: { file: string; read(text: string): Readonly<Record<string, string>> }
  /** The project's folder for a label on the path, where the agent keeps such a table. */
  projects?: { file: string; read(text: string): Readonly<Record<string, string>> }
}
