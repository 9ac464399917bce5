/** The contract of a source: where one agent keeps its sessions on disk, and what their paths already tell. */
import type { AgentType, SessionSignal } from "../streams/stream.ts"

export type Env = Readonly<Record<string, string | undefined>>

/** What the names on a path say, by the names of the groups that matched them. */
export type Names = Readonly<Record<string, string>>

/** Whose file it is, as far as its path says. What the file itself says counts more. */
export type Whose = {
  session?: string | undefined
  /** @default "main" */
  agent?: string | undefined
  /** A folder, or a label that stands for it where nobody says the folder. */
  project?: string | undefined
}

/**
 * How something is read: a file of lines in one of the streams (compressed where its name says so), a file that is one
 * document, a folder whose files are one list together, or a database. Documents and folders go by the names of their
 * readers, so that looking for sessions loads none of them.
 */
export type Reading =
  | { as: "lines"; stream: string }
  | { as: "document"; reader: "claude-todos" | "qwen-todos" }
  | { as: "folder"; reader: "claude-tasks" | "gemini-tracker" }
  | { as: "database"; reader: "opencode" }

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
}

/** Whether a session has a tool for plans: "no plan tool" is another thing than "no plan yet". */
export type PlanTool = "present" | "absent" | "unknown"

export interface Source {
  /** Equals the file name. */
  agentType: AgentType
  title: string
  /** The agent's folders on this machine. They need not exist. */
  homes(env: Env, home: string): string[]
  /** Where they are below a person's home, or below the agent's own folder when only that is given. */
  below: { home: readonly string[]; folder: readonly string[] }
  places: readonly Place[]
  /** From what the client says of itself, when no list was seen. */
  planTool(about: Omit<SessionSignal, "type">): PlanTool
  /** The project's folder for a label on the path, where the agent keeps such a table. */
  projects?: { file: string; read(text: string): Readonly<Record<string, string>> }
}

/** From the names of a client's tools, where it says them. */
export const planToolIn = (tools: readonly string[] | undefined, names: readonly string[]): PlanTool | undefined => {
  if (tools === undefined) return undefined
  return names.some((name) => tools.includes(name)) ? "present" : "absent"
}
