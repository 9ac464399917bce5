/** The contract of a connectable agent: where its configuration is, and the format of our parts in it. */
import type { Path, Value } from "../config/edit.ts"

/** The relevant folders. */
export type Where = {
  env: Readonly<Record<string, string | undefined>>
  /** The person's home folder. */
  home: string
  /** The root of the repository, or the folder itself. */
  project: string
}

/** Whose configuration: the person's, for every project, or the project's, for everyone who works in it. */
export const scopes = ["user", "project"] as const
export type Scope = (typeof scopes)[number]

/** What the agent can read in its own file; given more than that it ignores the file or fails. */
export type Reads =
  | "plain JSON"
  | "JSON with comments"
  | "JSON with comments and trailing commas"
  | "TOML"
  | "YAML"
  | "JavaScript"

export type ConfigFile = { path: string; reads: Reads }

/**
 * One thing of ours in a configuration. A `server`, a `hook`, a `program` and a `line` are known again by the command they call.
 * A `switch` and a `listed` value are the agent's own words: only what we noted down is ever undone.
 */
export type Setting = { file: ConfigFile; path: Path } /** `without` are words that must not be there. */ & (
  | {
      kind: "server"
      value: Record<string, Value>
      without?: readonly string[]
      /** The path leads to a list of servers, each of which says its name under this key. */
      nameKey?: string
      /** It holds our token: the file is for its owner alone. */
      isSecret?: boolean
    }
  /** The path leads to a list of groups, each with the `hooks` it calls, or to one list of the hooks of all events. */
  | { kind: "hook"; value: HookGroup | EventHook }
  /** A file that is ours as a whole, for an agent whose hooks are programs it loads. */
  | { kind: "program"; value: string }
  | { kind: "line"; value: { type: string; command: string } }
  | { kind: "switch"; value: Value }
  /** The path leads to a list that is to hold the value. */
  | { kind: "listed"; value: string }
  /** What the agent noted about a part of ours, and what goes with it. */
  | { kind: "trace"; value: null }
)

export type HookGroup = { matcher?: string; hooks: readonly { type: string; command: string; timeout: number }[] }

export type EventHook = { event: string; matcher?: string; command: string; timeout: number }

/** How the agent gets to our server: it starts one by these words, or asks the one that runs at an address. */
export type ServerCall = {
  words: readonly string[]
  http?: { url: string; token: string } | undefined
  /** Its tool may be called without asking. */
  isTrusted: boolean
}

/** Of which event, in which group of it, at which position. */
export type HookPlace = { event: string; group: number; hook: number }

/** `deferred`: there, but the model has to search for it. */
export type NativeState = "present" | "deferred" | "off" | "unknown"

/** What is known about the agent here, to judge its own list tool by. */
export type Known = {
  about: { version?: string; model?: string }
  where: Where
  scope: Scope
  /** The value at a place of one of its files; undefined where it is not set or the file cannot be read. */
  read(file: ConfigFile, ...path: string[]): unknown
  /** A whole file as text, for formats we only look at. */
  text(path: string): string | undefined
}

export type Native = {
  /** Its list tools, by their names. */
  tools: readonly string[]
  state(known: Known): NativeState
  /** What turns the tool on or off. Absent where there is no such switch, or it is not ours to set. */
  on?(where: Where, scope: Scope): Setting[]
  off?(where: Where, scope: Scope): Setting[]
  /** What a person types instead, where the switch is not ours to set. */
  byHand?: Record<"on" | "off", string>
  /** What else is worth knowing, by state. */
  advice?: Partial<Record<NativeState, string>>
}

/** `off`: installed, and switched off. */
export type PluginState = "on" | "off" | "absent"

export type PluginPlace = {
  /** What a person types to install it, given where the repository is. */
  install(repository: string): readonly string[]
  /** As the agent itself notes it. Only the person's own configuration is looked at. */
  state(known: Known): PluginState
}

/** An agent that can be connected: who it is, and what is known about its configuration. */
export type Agent = {
  id: string
  title: string
  shortNames: readonly string[]
  /** The command people type, and the packages it comes in. */
  program: string
  packages: readonly string[]
} & AgentSettings

/** The setting that switches off our server or our hooks; absent if none does. */
export type OffHere = Partial<Record<"mcp" | "hooks", { file: ConfigFile; path: string[] }>>

export interface AgentSettings {
  /** Any of these on disk means that the agent is used here. */
  homes(where: Where): string[]
  /** Our server, as the agent's configuration says it. */
  server(call: ServerCall, where: Where, scope: Scope): Setting[]
  /** It only reads the person's own configuration, so nothing can go into a project's. */
  hasNoProjectFile?: boolean
  /** A file with our parts alone keeps the agent from starting: none is made, and one that is there is changed. */
  needsItsOwnFile?: boolean
  /** What puts our tool before the model where the agent keeps tools of servers back, and since when it can be read. */
  inSight?: { since: string; settings(where: Where, scope: Scope): Setting[] }
  /** Our hooks, given the command line they call. */
  hooks?(command: string, where: Where, scope: Scope): Setting[]
  /** What our hooks do there, where that is less than elsewhere. */
  hooksDo?: string
  /** Hooks for events that older versions do not know, and since when they do. */
  laterHooks?: { since: string; hooks(command: string, where: Where, scope: Scope): Setting[] }
  /** The hooks that keep a task open while its check fails, of versions from which on it has them. */
  gateHooks?: { since: string; hooks(command: string, where: Where, scope: Scope): Setting[] }
  /** Its hooks are told that it stops, and cannot send it back to work. */
  isNeverHeld?: boolean
  /** Our status line, given its command line. */
  statusLine?(command: string, where: Where, scope: Scope): Setting[]
  /** Our plugin, in the form this agent's users install such things. */
  plugin?: PluginPlace
  native: Native
  /** A value of the agent's that keeps all hooks from running. */
  hooksOff?(where: Where, scope: Scope): { file: ConfigFile; path: string[]; value: Value }
  /** What the agent's settings here switch off of our parts in a scope, whichever file says so. */
  offHere?(known: Pick<Known, "where" | "scope" | "read">): OffHere
  /** Where the agent notes that the person lets a hook run, for agents that ask first. */
  hookTrust?(where: Where, file: ConfigFile, place: HookPlace): { file: ConfigFile; path: string[] }
  /** Notes for the person after set-up, by scope. */
  afterwards?: Partial<Record<Scope, string>>
}
