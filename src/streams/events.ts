/** The unified events: one for every change of an agent's list, always with the whole list, and one for every turn. */
import { createHash } from "node:crypto"
import { type Plan, sanitise, type TodoStatus } from "../plan/index.ts"
import { fieldsOf, known, textOf } from "./line.ts"
import { createObserver, type ObservedAgent } from "./observe.ts"
import type { Turn, TurnState } from "./turns.ts"

/** One line of `headway events`; `docs/events.schema.json` says the same. */
export type StreamEvent = TodoListEvent | TurnEvent

export type TodoItem = {
  text: string
  status: TodoStatus
  /** With `--evidence`, for a completed todo: one word of evidence so far. */
  evidence?: string
}

type About = {
  /** The same bytes give the same ids. */
  eventId: string
  /** The session of a main agent, else "main"; a sub-agent's own id. */
  agentId: string
  /** The `agentId` of the agent a sub-agent works for. Absent for a main agent. */
  parentId?: string
  agentType: string
  /** In milliseconds: when it happened where the stream says so, else when it was read. */
  timestamp: number
  /** What the agent is called in a run of several. */
  member?: string
}

export type TodoListEvent = About & {
  type: "todo_list"
  /** One for a list's whole life: until it is emptied, or nothing of it is left in the next. It ends with the agent's own id for the list, where it gives one. */
  todoId: string
  items: TodoItem[]
  /** The source only reports completion: a pending item may be in progress. */
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
  /** Why it failed. */
  error?: string
  /** The session it belongs to, where the stream names one. */
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
  /** Named in every event. */
  member?: string | undefined
}

/** The parts of an event that do not come from the observed agent. */
export type EventContext = {
  agentType: string
  session: string | undefined
  /** The agent it works for. */
  parent?: string | undefined
  isUnconfirmed?: boolean
  /** One word for what is seen behind a todo, by its id, where it was asked for. */
  evidence?: ReadonlyMap<string, string> | undefined
}

/** The last event about an agent's list. Whose list it is stays the same until another list begins. */
type Emitted = { listCount: number; session: string | undefined; items: TodoItem[]; written: string }

/** The longest reason an event quotes, in characters. */
const longestReason = 1_000

export const createEvents = ({ now, member }: EventsOptions) => {
  const lists = new Map<string, Emitted>()
  let [listEvents, turnEvents] = [0, 0]

  /** A session that becomes known only later gives the agent of a list that lives no other name. */
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
    /** Undefined if the list has not changed as far as an event shows. */
    list(observed: ObservedAgent, context: EventContext): TodoListEvent | undefined {
      const { agent, plan, listCount, lastCall } = observed
      const before = lists.get(agent)
      // A list that was shown and then taken back, with none before it, is an empty one now.
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

/** The words of a service or a client: safe to show, and no longer than a reason is. */
const reasonOf = (error: string): string =>
  Array.from(sanitise(error.slice(0, 4 * longestReason)))
    .slice(0, longestReason)
    .join("")
