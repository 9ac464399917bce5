/** The contract of a source: where one agent keeps its sessions on disk, and what their paths say. */
import type { SessionSignal, Signal, Wants } from "../streams/stream.ts"

export type Env = Readonly<Record<string, string | undefined>>

/** The parts of a path, by the names of the regular expression groups that matched them. */
export type Names = Readonly<Record<string, string>>

/** Whose file it is, according to its path. What the file itself says takes precedence. */
export type Whose = {
  session?: string | undefined
  /** The beginning of its session id, used if no file has the whole id. */
  sessionStart?: string | undefined
  /** @default "main" */
  agent?: string | undefined
  /** A folder, or a label for it if the folder is not known. */
  project?: string | undefined
}

/**
 * How something is read: a session's own file in one of the stream formats (compressed if its name says so), a list
 * beside it that is one document, a folder whose files make up one list, or a database. Readers are loaded on demand:
 * finding sessions loads none of them.
 */
export type Reading =
  | { as: "lines"; stream: string }
  | { as: "document"; load(): Promise<ReadDocument> }
  | { as: "folder"; load(): Promise<ReadFolder> }
  | DatabaseReading

/**
 * `prompts` selects everything that people typed, if `tables` does not have it all; `work` everything that one agent
 * did in one session.
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
 * The columns to read of each table, by its name or, for a selection of rows, by any name. The first column must exist,
 * otherwise the database belongs to another program.
 */
export type Tables = Readonly<Record<string, readonly string[] | SomeRows | LastRows>>

/** Rows of a table that may be missing. */
export type SomeRows = {
  /** @default the name they are requested under */
  table?: string
  columns: readonly string[]
  where: Condition & {
    /** One column equals this text; preferably an indexed one. */
    only?: { column: string; is: string }
  }
}

export type Condition = {
  /** One column holds one of these texts within its first 200 characters. */
  holding?: { column: string; any: readonly string[] }
  /** One column, preferably an indexed one, is the id of one of these rows. */
  of?: { column: string; rows: OwnerRows }
}

/** Rows of another table; with `first` only the first of them for each value of one column, by the time in another. */
export type OwnerRows = { table: string; id: string; where: Condition; first?: { per: string; time: string } }

/** What to read for the whole history of one agent's list: from its last state alone, ids are guesses. */
export type History = (whose: { session: string; agent: string }) => Tables

/**
 * From a table that may be missing: the latest row, by a time column, for each of the newest rows of another table,
 * whose ids are in the column `of`.
 */
export type LastRows = {
  /** @default the name they are requested under */
  table?: string
  columns: readonly string[]
  last: { time: string; of: string; per: { table: string; id: string; time: string } }
}

/** One list of signals for each session; rows are by table. */
export type ReadDatabase = (rows: Readonly<Record<string, readonly unknown[]>>, wants?: Wants) => Signal[][]

export type Place = {
  /**
   * The path below the agent's folder, segment by segment; a pattern matches whole segments. The fixed depth makes
   * circular links harmless.
   */
  path: readonly (string | RegExp)[]
  reading: Reading
  whose?: (names: Names) => Whose
  /** Its files are removed when they are done: their last content is kept while the folder exists. */
  isKept?: boolean
  /** A sub-agent's own file, which is written like that of a main agent. */
  speaksAsMain?: boolean
  /**
   * The client's note about the sessions of its processes and their states: valid while the process runs. It names the
   * session, or is in a folder of that name.
   */
  isNote?: boolean
  /** It has current lists beside the sessions' own files, newer than those; it is not a session of its own. */
  isBeside?: boolean
  /**
   * It belongs to a sub-agent whose own files are stored like those of a session: they are the sub-agent's, and their
   * main agent is the sub-agent.
   */
  namesChild?: boolean
  /** Several agents of a session write it, so only the session's own file says whose list it is. */
  isAnyAgents?: boolean
}

/** Whether a session has a plan tool: "no plan tool" differs from "no plan yet". */
export type PlanTool = "present" | "absent" | "unknown"

export interface Source {
  /** Equals the name of the folder it is in. */
  agentType: string
  /** The agent's folders on this machine. They need not exist. */
  homes(env: Env, home: string): string[]
  /** Where they are below a person's home, or below the agent's own folder when only that is given. */
  below: { home: readonly string[]; folder: readonly string[] }
  places: readonly Place[]
  /**
   * How long after its last message its turn counts as over, in milliseconds, if its files do not record that. @default
   * five minutes
   */
  settlesAfter?: number
  /** A call is recorded only after its result, with the time of the result. */
  writesAfterAnswers?: boolean
  /** Derived from the tools in the session if no list was seen; `unknown` if it lists none. */
  planTool(about: Pick<SessionSignal, "tools">): PlanTool
  /** The agent's titles of sessions and sub-agents by id, if it keeps such a table. */
  titles?: { file: string; read(text: string): Readonly<Record<string, string>> }
  /** The project's folder for a label in the path, if the agent keeps such a table. */
  projects?: { file: string; read(text: string): Readonly<Record<string, string>> }
}
