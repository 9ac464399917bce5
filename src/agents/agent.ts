/** The contract of an agent: its identity and its parts. Each part is a file of its folder, loaded on demand. */
import type { HookAgent } from "../bridges/hooks/hook.ts"
import type { AgentSettings } from "../bridges/setup/agent-settings.ts"
import type { Plan } from "../plan/index.ts"
import type { Source } from "../sessions/source.ts"
import type { Stream } from "../streams/stream.ts"

type Load<Part> = () => Promise<Part>

export type Agent = {
  /** Equals the folder's name. The same in events, `--from`, hooks and set-up. */
  id: string
  title: string
  /** Other accepted names of the agent. */
  shortNames: readonly string[]
  /** The command that people type, and the packages that contain it. */
  program?: string
  packages?: readonly string[]
  /** Other ways to recognise its processes, in addition to the program and the packages. */
  process?: {
    /** Other names of its processes. */
    names?: readonly string[]
    /** Arguments that start it as a server, which may work on sessions of any folder. */
    serves?: readonly string[]
  }
  /** Returns the arguments that resume a session in the session's folder. */
  resume?: (session: string) => readonly string[]
  /** Set if it can only resume a copy of a session, which gets another id. */
  resumesCopy?: true
  /** The formats it prints or stores on disk, by id. */
  streams: Readonly<Record<string, Load<Stream>>>
  /** Where its sessions are on disk. */
  sessions?: Load<Source>
  /** Reads the current list of one session, for a status line. */
  now?: Load<ReadNow>
  /** The events and replies of its hooks. */
  hooks?: Load<HookAgent>
  /** Whether its hooks cannot tell the model about a person's changes. */
  hooksPassNoEdits?: boolean
  /** Where its configuration is, and the format of our settings in it. */
  settings?: Load<AgentSettings>
  /** How its MCP client identifies itself. */
  client?: Client
  /** Where each state of its sessions is visible. The guide's table of states is generated from this. */
  stateSources?: StateSources
}

/** An agent of which the formats are known by their ids. */
export type AgentWith<StreamId extends string> = Omit<Agent, "streams"> & {
  streams: Readonly<Record<StreamId, Load<Stream>>>
}

/** A row of the table. Its type has the ids of its formats and nothing else of its own: the declarations of the library repeat it. */
export const defineAgent = <const StreamId extends string>(agent: AgentWith<StreamId>): AgentWith<StreamId> => agent

/**
 * Where each state is visible: in session files (`records`), through hooks, or in a file that its processes keep while
 * they run (`note`). Empty if the state is not visible.
 */
export type StateSources = Readonly<Record<SessionFact, readonly ("records" | "hooks" | "note")[]>>

/**
 * `turn`: its turn is over. `question`, `permission`: it asks the person. `failure`: its turn ended with an error.
 * `end`: the session was closed. `oneShot`: it was started for one task.
 */
export type SessionFact = "turn" | "question" | "permission" | "failure" | "end" | "oneShot"

/** How an MCP client is recognised, and where it names its session and the call. */
export type Client = {
  /** The beginning of the name with which the client introduces itself. */
  name: string
  session?: (env: Readonly<Record<string, string | undefined>>, meta: Meta) => unknown
  agent?: (meta: Meta) => unknown
  callId?: (meta: Meta) => unknown
  /** Whether only its session files say which of its agents makes a call; its hooks name just the session. */
  isKnownByFiles?: boolean
  /** Whether it shows its model both the text and the structured part of a result. */
  showsBoth?: boolean
}

export type Meta = Readonly<Record<string, unknown>>

export type SessionPlace = {
  /** The agent's own folder. */
  folder: string
  session: string
  /** The session's file, if known. */
  transcript?: string | undefined
}

/** `since` is when its todo in progress was started, `at` when the list was last written, both in milliseconds, if known. */
export type Now = { plan: Plan; since?: number | undefined; at?: number | undefined }

/** Returns undefined if the session has no list. Never throws. */
export type ReadNow = (place: SessionPlace) => Now | undefined
