/** The unified events: one for every change of an agent's list, always with the whole list, and one for every turn. */
import { createHash } from "node:crypto"
import { type Plan, sanitise, type TodoStatus } from "../plan/index.ts"
import { fieldsOf, known, textOf } from "./line.ts"
import { createObserver, type ObservedAgent } from "./observe.ts"
import type { Turn, TurnState } from "./turns.ts"

/** One line of `headway events`, as described in `docs/events.schema.json`. */
export type StreamEvent = TodoListEvent | TurnEvent

export type TodoItem = {
  text: string
  status: TodoStatus
  /** With `--evidence`, for a completed todo: one word of evidence so far. */
  evidence?: string
}

type About = {
  /** The same input always has the same ids. */
  eventId: string
  /** A main agent's session, or "main" if unknown; a sub-agent's own id. */
  agentId: string
  /** The `agentId` of the agent that a sub-agent works for. Absent for a main agent. */
  parentId?: string
  agentType: string
  /** In milliseconds: when it happened, if the stream has times, otherwise when it was read. */
  timestamp: number
  /** The agent's name in a run of several agents. */
  member?: string
}

export type TodoListEvent = About & {
  type: "todo_list"
  /**
   * The same for as long as a list exists: until it is emptied, or none of its todos is left. Ends with the agent's own
   * id of the list, if it has one.
   */
  todoId: string
  items: TodoItem[]
  /** The source reports only whether items are completed: a pending item may be in progress. */
  statusPrecision?: "binary"
  /** The result of the call is pending: if it is an error, the previous list is sent again. */
  unconfirmed?: true
}

export type TurnEvent = About & {
  type: "turn"
  /** `failed` is a turn that ended with an error or an interruption. */
  state: TurnState
  /** The agent's last known list, at the start or end of the turn. Empty if there is none. */
  items: TodoItem[]
  /** Why the turn failed. */
  error?: string
  /** The turn's session, if the stream names one. */
  session?: string
}

export type PlanEventsOptions = { session: string; agentType: string; now: () => Date }

/** The events of plans that need not be read from bytes, such as those of our own agent. */
export const createPlanEvents = ({ session, agentType, now }: PlanEventsOptions) => {
  const observer = createObserver()
  const events = createEvents({ now })
  return (agent: string, { todos }: Pick<Plan, "todos">): TodoListEvent | undefined => {
    const list = todos.map(({ content, status }) => ({ content, status }))
    const call = { tool: "todo", input: { todos: list, replace: true }, observed: true }
    const [seen] = observer.take({ type: "snapshot", agent, dialect: "headway", call })
    return seen && events.list(seen, { agentType, session })
  }
}

export type EventsOptions = {
  now: () => Date
  /** The agent's name in a run of several agents; every event contains it. */
  member?: string | undefined
}

/** The parts of an event that do not come from the observed agent. */
export type EventContext = {
  agentType: string
  session: string | undefined
  /** The agent that it works for. */
  parent?: string | undefined
  isUnconfirmed?: boolean
  /** If requested, one word about the evidence for each todo, by todo id. */
  evidence?: ReadonlyMap<string, string> | undefined
}

/** The last event about an agent's list. The session it names stays the same until another list begins. */
type Emitted = { listCount: number; session: string | undefined; items: TodoItem[]; written: string }

/** The longest reason an event quotes, in characters. */
const longestReason = 1_000

export const createEvents = ({ now, member }: EventsOptions) => {
  const lists = new Map<string, Emitted>()
  let [listEvents, turnEvents] = [0, 0]

  /** The session named in events of the current list, even if another one becomes known while the list exists. */
  const sessionOf = (agent: string, current: string | undefined): string | undefined => {
    const before = lists.get(agent)
    return before && before.session === undefined ? undefined : current
  }

  const idOf = (agent: string, session: string | undefined): string => (agent === "main" ? (session ?? agent) : agent)

  const about = (agent: string, session: string | undefined, { agentType, parent, ...context }: EventContext) => ({
    agentId: idOf(agent, session),
    ...(parent === undefined || agent === "main" ? {} : { parentId: idOf(parent, sessionOf(parent, context.session)) }),
    agentType,
  })

  const timeOf = (at: string | undefined): number => (at === undefined ? now().getTime() : Date.parse(at))

  return {
    /** Returns an event; undefined if no field of it would change. */
    list(observed: ObservedAgent, context: EventContext): TodoListEvent | undefined {
      const { agent, plan, listCount, lastCall } = observed
      const before = lists.get(agent)
      // If a list was reported and then rewound, and there was none before, an empty list is reported.
      const todos = plan?.todos ?? (before ? [] : undefined)
      const items = todos?.flatMap(({ id, content: text, status }): TodoItem[] => {
        const evidence = status === "completed" ? context.evidence?.get(id) : undefined
        return text === "" ? [] : [{ text, status, ...known({ evidence }) }]
      })
      if (!items || !todos || (items.length === 0 && todos.length > 0)) return undefined
      const written = JSON.stringify(items)
      if (written === before?.written) return undefined
      const session = before?.listCount === listCount ? sessionOf(agent, context.session) : context.session
      lists.set(agent, { listCount, session, items, written })
      listEvents += 1
      const { listId, statusPrecision } = fieldsOf(lastCall?.input)
      const todoId = [session ?? [], agent, textOf(listId) ?? Math.max(listCount, 1)].flat().join("/")
      return {
        type: "todo_list",
        eventId: hashOf([todoId, listEvents, lastCall?.at, written]),
        ...about(agent, session, context),
        timestamp: timeOf(lastCall?.at),
        ...known({ member }),
        todoId,
        items,
        ...(statusPrecision === "binary" ? { statusPrecision: "binary" } : {}),
        ...(context.isUnconfirmed ? { unconfirmed: true } : {}),
      }
    },

    turn({ agent, state, at, error }: Turn, context: EventContext): TurnEvent {
      const session = sessionOf(agent, context.session)
      turnEvents += 1
      return {
        type: "turn",
        eventId: hashOf(["turn", session, agent, turnEvents, at, state]),
        ...about(agent, session, context),
        ...known({ session: context.session }),
        timestamp: timeOf(at),
        ...known({ member }),
        state,
        items: (lists.get(agent)?.items ?? []).map((item) => ({ ...item })),
        ...(error === undefined ? {} : { error: reasonOf(error) }),
      }
    },
  }
}

const hashOf = (key: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(key)).digest("hex").slice(0, 24)

/** The reason given by a service or a client: safe to show, and shortened. */
const reasonOf = (error: string): string =>
  Array.from(sanitise(error.slice(0, 4 * longestReason)))
    .slice(0, longestReason)
    .join("")
