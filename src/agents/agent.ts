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
  /** Other names that are accepted wherever an agent is named. */
  shortNames: readonly string[]
  /** The command people type, and the packages it comes in. */
  program?: string
  packages?: readonly string[]
  /** Other ways to recognise its processes, in addition to the program and the packages. */
  process?: {
    /** Other names it runs under. */
    names?: readonly string[]
    /** Words it is called with as a server, which may then work on sessions of any folder. */
    serves?: readonly string[]
  }
  /** The arguments that resume a session, in the folder of that session. */
  resume?: (session: string) => readonly string[]
  /** It can only resume a copy of a session, which has another id. */
  resumesCopy?: true
  /** The formats it prints or leaves on disk, by id. */
  streams: Readonly<Record<string, Load<Stream>>>
  /** Where its sessions are on disk. */
  sessions?: Load<Source>
  /** Reads the current list of one session, for a status line. */
  now?: Load<ReadNow>
  /** The events and replies of its hooks. */
  hooks?: Load<HookAgent>
  /** Its hooks cannot pass on a person's changes. */
  isDeafToEdits?: boolean
  /** Where its configuration is, and the format of our parts in it. */
  settings?: Load<AgentSettings>
  /** How its MCP client identifies itself. */
  client?: Client
  /** Where the states of its sessions are visible; the guide's table of states is generated from this. */
  tells?: Tells
}

/**
 * Where each state is visible: in its session files, through its hooks, or in a note that its processes keep while they
 * run. Absent if it is not visible.
 */
export type Tells = Readonly<Record<ToldThing, readonly ("records" | "hooks" | "note")[]>>

/**
 * `turn`: its turn is over. `question`, `permission`: it asks the person. `failure`: its turn ended with an error.
 * `end`: the session was closed. `oneShot`: it was started for one task.
 */
export type ToldThing = "turn" | "question" | "permission" | "failure" | "end" | "oneShot"

/** How an MCP client is recognised, and where it names its session and the call. */
export type Client = {
  /** The name the client gives itself begins so. */
  name: string
  session?: (env: Readonly<Record<string, string | undefined>>, meta: Meta) => unknown
  agent?: (meta: Meta) => unknown
  callId?: (meta: Meta) => unknown
  /** Its hooks name its session, but not which of its agents calls; its files do. */
  isKnownByFiles?: boolean
  /** It shows its model the text and the structure of a result, one after the other. */
  showsBoth?: boolean
}

export type Meta = Readonly<Record<string, unknown>>

export type SessionPlace = {
  /** The agent's own folder. */
  folder: string
  session: string
  /** Its session file, where that is known. */
  transcript?: string | undefined
}

/** `since` is when its todo in progress was started, `at` when the list was last written, both in milliseconds, if known. */
export type Now = { plan: Plan; since?: number | undefined; at?: number | undefined }

/** Returns undefined if the session has no list. Never throws. */
export type ReadNow = (place: SessionPlace) => Now | undefined
