/** Agents as the tests open them: a scripted model, a folder of their own, a person who agrees, no waiting. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { LanguageModel } from "ai"
import { dialects } from "../../src/dialects/index.ts"
import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  createMemoryTranscript,
  openAgent,
  type Spoken,
} from "../../src/reference-agent/index.ts"
import { createScriptModel, readScript, type ScriptModel, type Turn } from "../../src/scripted/index.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { createClock, open as openPlan } from "../tracker/open.ts"

/** A turn, or the head of a thread. */
export type Line = Turn | { thread: string; when: Record<string, unknown> }

export const script = (...lines: Line[]): ScriptModel => createScriptModel(readScript(JSON.stringify(lines)))

type EventOf<Type> = Extract<AgentEvent, { type: Type }>

export type Opened = {
  agent: Agent
  tracker: Tracker
  cwd: string
  events: AgentEvent[]
  /** The events of one type, in order. */
  eventsOf: <Type extends AgentEvent["type"]>(type: Type) => EventOf<Type>[]
  kept: Spoken[]
  run: (prompt?: string, signal?: AbortSignal) => ReturnType<Agent["run"]>
  /** A file of the working folder. */
  file: (name: string) => string
}

export type OpenOptions = Partial<Omit<AgentOptions, "model">> & { kept?: readonly Spoken[] }

export const open = async (model: LanguageModel, options: OpenOptions = {}): Promise<Opened> => {
  const { kept = [], cwd = temporaryFolder(), now = createClock().now, ...more } = options
  const tracker = options.tracker ?? (await openPlan({ now }))
  const transcript = createMemoryTranscript(kept)
  const events: AgentEvent[] = []
  const agent = await openAgent({
    model,
    transcript,
    cwd,
    now,
    dialect: dialects["claude-todos"],
    planFile: join(temporaryFolder(), "plans", "s.md"),
    permit: async () => true,
    confirm: async () => true,
    pause: async () => {},
    ...more,
    tracker,
    onEvent: (event) => {
      events.push(event)
      options.onEvent?.(event)
    },
  })
  return {
    agent,
    tracker,
    cwd,
    events,
    eventsOf: <Type extends AgentEvent["type"]>(type: Type) =>
      events.filter((event): event is EventOf<Type> => event.type === type),
    kept: transcript.spoken,
    run: (prompt = "Work", signal = new AbortController().signal) => agent.run(prompt, signal),
    file: (name) => readFileSync(join(cwd, name), "utf8"),
  }
}

export type Item = readonly [content: string, status: "pending" | "in_progress" | "completed"]

/** A call of TodoWrite: the whole list. */
export const todoWrite = (...items: Item[]) => ({
  tool: "TodoWrite",
  input: { todos: items.map(([content, status]) => ({ content, status, activeForm: content })) },
})

export const bash = (command: string) => ({ tool: "Bash", input: { command } })

export const look = { tool: "Glob", input: { pattern: "*" } }

/** What a request held, as one text. */
export const sent = ({ requests }: Pick<ScriptModel, "requests">, index: number): string =>
  JSON.stringify(requests[index]?.neutral.messages)

/** The results of the last message of a request. */
export const resultsIn = ({ requests }: Pick<ScriptModel, "requests">, index: number) =>
  (requests[index]?.neutral.messages ?? []).flatMap(({ parts }) => parts.filter((part) => part.type === "result"))
