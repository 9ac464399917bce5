/** From bytes to unified events: one event for every change of an agent's list, always with the whole list. */
import { createHash } from "node:crypto"
import type { Plan, Problem, TodoStatus } from "../plan/index.ts"
import { createDetector } from "./detect.ts"
import { fieldsOf, textOf } from "./line.ts"
import { createLineSplitter, longLine } from "./lines.ts"
import { createObserver, type ObservedAgent } from "./observe.ts"
import type { Signal, Stream } from "./stream.ts"

/** One line of `headway events`; `docs/events.schema.json` says the same. */
export type TodoListEvent = {
  type: "todo_list"
  /** The same bytes give the same ids. */
  eventId: string
  /** The session of a main agent, else "main"; a sub-agent's own id. */
  agentId: string
  agentType: string
  /** In milliseconds: when the call was made where the stream says so, else when it was read. */
  timestamp: number
  /** One for a list's whole life: until it is emptied, or nothing of it is left in the next. It ends with the agent's own id for the list, where it gives one. */
  todoId: string
  items: { text: string; status: TodoStatus }[]
  /** The source only tells what is completed: pending may as well be in progress. */
  statusPrecision?: "binary"
}

export type EventReaderOptions = {
  /** The formats it may be. */
  candidates: readonly Stream[]
  now: () => Date
  onEvent: (event: TodoListEvent) => void
  /** In bytes. @default 64 MiB */
  maxLength?: number
}

export type EventReader = {
  push(chunk: Uint8Array): void
  /** No more bytes come: reads what stands behind the last line end. */
  end(): void
  /** The format, once it is known. */
  readonly stream: Stream | undefined
  /** Whether a line of the format was seen. */
  readonly isRecognised: boolean
  /** What could not be read, once per kind with a count. */
  readonly problems: ReadonlyMap<string, { problem: Problem; count: number }>
}

export const createEventReader = ({ candidates, now, onEvent, maxLength }: EventReaderOptions): EventReader => {
  const detector = createDetector(candidates)
  const observer = createObserver()
  const eventOf = createEvents(now)

  const take = (signals: readonly Signal[]): void => {
    for (const signal of signals) {
      for (const agent of observer.take(signal)) {
        const session = observer.agents.get("main")?.about.session ?? agent.about.session
        const event = detector.stream && eventOf(agent, detector.stream.agentType, session)
        if (event) onEvent(event)
      }
    }
  }

  const splitter = createLineSplitter({
    onLine: (line) => take(detector.read(line)),
    onSkipped: (length) => take([{ type: "problem", problem: longLine(length) }]),
    ...(maxLength === undefined ? {} : { maxLength }),
  })

  return {
    push: splitter.push,
    end() {
      splitter.end()
      take(detector.end())
      observer.end()
    },
    get stream() {
      return detector.stream
    },
    get isRecognised() {
      return detector.isRecognised
    },
    get problems() {
      return observer.problems
    },
  }
}

export type PlanEventsOptions = { session: string; agentType: string; now: () => Date }

/** The events of plans that need not be read from bytes, such as those of our own agent. */
export const createPlanEvents = ({ session, agentType, now }: PlanEventsOptions) => {
  const observer = createObserver()
  const eventOf = createEvents(now)
  return (agent: string, { todos }: Pick<Plan, "todos">): TodoListEvent | undefined => {
    const list = todos.map(({ content, status }) => ({ content, status }))
    const call = { tool: "todo", input: { todos: list, replace: true }, observed: true }
    const [seen] = observer.take({ type: "snapshot", agent, dialect: "headway", call })
    return seen && eventOf(seen, agentType, session)
  }
}

/** The last event about an agent. Whose list it is stays the same until another list begins. */
type Emitted = { listCount: number; session: string | undefined; items: string }

/** Makes events of observed changes; undefined where the list, as an event tells it, is still the same. */
export const createEvents = (now: () => Date) => {
  const lists = new Map<string, Emitted>()
  let count = 0
  return (
    { agent, plan, listCount, lastCall }: ObservedAgent,
    agentType: string,
    currentSession: string | undefined,
  ): TodoListEvent | undefined => {
    const before = lists.get(agent)
    // A list that was shown and then taken back, with none before it, is an empty one now.
    const todos = plan?.todos ?? (before ? [] : undefined)
    const items = todos?.flatMap(({ content: text, status }) => (text === "" ? [] : [{ text, status }]))
    if (!items || !todos || (items.length === 0 && todos.length > 0)) return undefined
    const written = JSON.stringify(items)
    if (written === before?.items) return undefined
    const isSameList =
      before?.listCount === listCount && (before.session === undefined || before.session === currentSession)
    const session = isSameList ? before.session : currentSession
    lists.set(agent, { listCount, session, items: written })
    count += 1
    const { listId, statusPrecision } = fieldsOf(lastCall?.input)
    const todoId = [session ?? [], agent, textOf(listId) ?? Math.max(listCount, 1)].flat().join("/")
    const key = JSON.stringify([todoId, count, lastCall?.at, written])
    return {
      type: "todo_list",
      eventId: createHash("sha256").update(key).digest("hex").slice(0, 24),
      agentId: agent === "main" ? (session ?? agent) : agent,
      agentType,
      timestamp: lastCall?.at === undefined ? now().getTime() : Date.parse(lastCall.at),
      todoId,
      items,
      ...(statusPrecision === "binary" ? { statusPrecision: "binary" } : {}),
    }
  }
}
