/** The contract of a client: a real agent from npm, and how it is driven without a terminal. Read this first. */

import type { AgentType } from "../../src/agents/index.ts"
import type { ScriptCall, Turn, When } from "../../src/scripted/script.ts"
import type { ScenarioId } from "../scenarios/scenario.ts"

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
  /** What it runs on, where that is not our Node. */
  runsOn?: Wanted
  /** What its model calls our tool by. */
  ownTool: string
  /** The same where our plugin brought it, if that is another name. */
  pluginTool?: string
  /** Why our tool is not among the tools of a request, and how it is called then. */
  ownToolUnlisted?: { reason: string; call(input: object): ScriptCall }
  /** Why its model is not shown the tools of a plugin, which doctor says too. */
  pluginUnseen?: string
  /** What a person would be asked for while the plugin is installed: words that say yes. */
  consent?: readonly string[]
  /** A call of another tool that changes nothing, so that its hooks get their turn. Absent where it has no hooks. */
  otherCall?: ScriptCall
  /** How its model writes a file and runs a command. */
  work?: {
    write(path: string, content: string): ScriptCall
    run(command: string): ScriptCall
    args?: readonly string[]
  }
  /** It can be sent back to work when it stops, though its other hooks are not heard. */
  isHeld?: boolean
  /** Whether it has written its session down. A client that is killed before has nothing to resume. @default always */
  isWrittenDown?: (place: Place) => boolean
  /** Writes the configuration that leads to the scripted model. Set-up comes after it. */
  prepare?(place: Place): void
  env(place: Place): Record<string, string>
  /** What makes it answer one prompt and end. With `dialogue` prompts do not stand here. */
  args(prompt: string, options: { isResumed: boolean }): string[]
  /** The same for a program that gives it no input; as `args` where there is no dialogue. */
  argsAlone?(prompt: string): string[]
  /** Prompts one after the other in one process: how one is written, and whether a line of output ends its turn. */
  dialogue?: { write(prompt: string): string; isTurnEnd(line: string): boolean }
  /** Requests that are not part of the conversation, and what they are told: titles, routing, memories. */
  asides?: readonly Aside[]
  /** How its conversation is cut: asked by a prompt, or by itself when a reply says that its context is full. */
  compaction?: {
    when: When
    text: string
    prompt?: string
    usage?: number
    /** Why the plan is not in the very next request but in a later one. */
    late?: string
  }
  /** What starts a new conversation in the same process. */
  clearing?: string
  /** More words that make it go on in a copy of a session; absent where it has no such thing. */
  forking?: (session: string) => string[]
  /** What its model says to send a sub-agent off and to wait for it. */
  delegation?: (task: string) => readonly Turn[]
  /** The call that ends a sub-agent, where words do not. */
  delegateEnd?: ScriptCall
  /** Its own lists, as its model keeps them. */
  natives: readonly Native[]
  /** The scenarios it cannot play, and why. */
  cannot?: Readonly<Partial<Record<ScenarioId, string>>>
}

export type Aside = { when: When; text: string }

export type Native = {
  /** The tool a history names. */
  tool: string
  /** What its model says so that its list, which was `before`, becomes `list`. */
  turns(list: readonly NativeTodo[], before?: readonly NativeTodo[]): readonly Turn[]
  /** Why a todo cannot be changed by a script, so that all of them wait. */
  onlyPending?: string
  /** It is there without `headway setup --native on`. */
  isThere?: boolean
  /** It is only read from the client's files, so that no history names the tool. */
  isObserved?: boolean
  /** What makes the client offer it. */
  args?: readonly string[]
  env?: Readonly<Record<string, string>>
}

export type NativeTodo = { content: string; status: "pending" | "in_progress" | "completed" }

/** A list that each call says whole. */
export const saidWhole =
  (call: (list: readonly NativeTodo[]) => ScriptCall): Native["turns"] =>
  (list) => [{ calls: [call(list)] }]
