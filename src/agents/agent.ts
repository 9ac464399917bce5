/** The contract of an agent: who it is, and what we know about it. Each part is a file of its folder, loaded only when asked for. */
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
  /** What else tells its processes, besides the program and the packages. */
  process?: {
    /** Other names it runs under. */
    names?: readonly string[]
    /** Words it is called with as a server, which may then work on sessions of any folder. */
    serves?: readonly string[]
  }
  /** What its program is called with to go on with a session, in the folder of that session. */
  resume?: (session: string) => readonly string[]
  /** It can only go on with a copy of a session, which has another id. */
  resumesCopy?: true
  /** The formats it prints or leaves on disk, by id. */
  streams: Readonly<Record<string, Load<Stream>>>
  /** Where its sessions are on disk. */
  sessions?: Load<Source>
  /** What one session's list is right now, for a status line. */
  now?: Load<ReadNow>
  /** What it tells its hooks, and what they may tell it. */
  hooks?: Load<HookAgent>
  /** Its hooks cannot bring it what a person changes. */
  isDeafToEdits?: boolean
  /** Where its configuration is, and what our parts look like in it. */
  settings?: Load<AgentSettings>
  /** How its MCP client makes itself known. */
  client?: Client
  /** By what it is seen how its sessions stand; the guide's table of states is made of this. */
  tells?: Tells
}

/**
 * Where each thing is told: in its session files, by its hooks, or in a note its processes keep while they run. What is told
 * nowhere has no place.
 */
export type Tells = Readonly<Record<ToldThing, readonly ("records" | "hooks" | "note")[]>>

/**
 * `turn`: its turn is over. `question`, `permission`: it asks the person. `failure`: its turn broke off with an error. `end`:
 * the session was left. `oneShot`: it was started for one task.
 */
export type ToldThing = "turn" | "question" | "permission" | "failure" | "end" | "oneShot"

/** What an MCP client is known by, and where it says its session and the call. */
export type Client = {
  /** The name the client gives itself begins so. */
  name: string
  session?: (env: Readonly<Record<string, string | undefined>>, meta: Meta) => unknown
  agent?: (meta: Meta) => unknown
  callId?: (meta: Meta) => unknown
  /** Its hooks say its session, and not which of its agents calls: that is known by its files. */
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

/** `since` is since when its todo in progress is so, in milliseconds, where something tells. */
export type Now = { plan: Plan; since?: number | undefined }

/** Returns undefined when the session has no list. Throws nothing. */
export type ReadNow = (place: SessionPlace) => Now | undefined
