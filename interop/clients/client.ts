/** The contract of a client: a real agent from npm, and how it is driven without a terminal. Read this first. */

import type { AgentType } from "../../src/agents/index.ts"
import type { ScriptCall, Turn, When } from "../../src/scripted/script.ts"

/** A machine of its own: an empty home and project, and where the scripted model answers. */
export type Place = { home: string; project: string; url: string }

export type Wanted = { package: string; version: string }

export interface Client extends Wanted {
  /** What it is called on the command line here. */
  id: string
  title: string
  /** As `headway setup` knows it. */
  agent: AgentType
  /** `version` is an exact one, or "latest". */
  program: string
  /** The Node it needs, where ours is too old for it. */
  runsOn?: Wanted
  /** What its model calls our tool by. */
  ownTool: string
  /** The same where our plugin brought it, if that is another name. */
  pluginTool?: string
  /** Its model is not shown the tools of a plugin, and doctor says so. */
  isPluginUnseen?: boolean
  /** What a person would be asked for while the plugin is installed: words that say yes. */
  consent?: readonly string[]
  /** A call of another tool that changes nothing, so that its hooks get their turn. Absent where it has no hooks. */
  otherCall?: ScriptCall
  /** Its hooks are told that it stops, and cannot send it back to work. */
  isNeverHeld?: boolean
  /** Writes the configuration that leads to the scripted model. Set-up comes after it. */
  prepare?(place: Place): void
  env(place: Place): Record<string, string>
  /** What makes it answer one prompt and end. With `dialogue` prompts do not stand here. */
  args(prompt: string, options: { isResumed: boolean }): string[]
  /** Prompts one after the other in one process: how one is written, and whether a line of output ends its turn. */
  dialogue?: { write(prompt: string): string; isTurnEnd(line: string): boolean }
  /** Requests that are not part of the conversation, and what they are told: titles, routing, memories. */
  asides?: readonly Aside[]
  /** How its conversation is cut: asked by a prompt, or by itself when a reply says that its context is full. */
  compaction?: { when: When; text: string; prompt?: string; usage?: number }
  /** What starts a new conversation in the same process. */
  clearing?: string
  /** More words that make it go on in a copy of a session; absent where it has no such thing. */
  forking?: (session: string) => string[]
  /** What its model says to send a sub-agent off and to wait for it. */
  delegation?: (task: string) => readonly Turn[]
  /** A call that says its own list, and what set-up needs to switch the tool on. */
  ownList?: {
    setup: readonly string[]
    call(todos: readonly { content: string; status: string }[]): ScriptCall
  }
  /** Its own lists, as its model keeps them. */
  natives?: readonly Native[]
}

export type Aside = { when: When; text: string }

export type Native = {
  /** The tool a history names. */
  tool: string
  /** Say in the end what `nativeList` says; where only the client knows the ids, that both wait. */
  turns: readonly Turn[]
  isAllPending?: boolean
  /** It is there without `headway setup --native on`. */
  isThere?: boolean
  /** What makes the client offer it. */
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
}

/** The list every native tool is made to say. */
export const nativeList = [
  { content: "Read the notes", status: "in_progress" },
  { content: "Write the report", status: "pending" },
] as const
