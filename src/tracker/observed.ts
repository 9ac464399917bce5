/** Imports the list of another program's session: what changes, and the times that the session knows. */
import {
  type Actor,
  absenceSaid,
  diff,
  fieldSaid,
  isoTime,
  isRewordedIn,
  type Ledger,
  nativeIdOf,
  observedDialect,
  type Plan,
  type PlanEvent,
  personSet,
  type Said,
  type SeenTimes,
  seenTimesOf,
  settleClaims,
  type TodoSpan,
  type TodoStatus,
  withoutNumber,
} from "../plan/index.ts"
import type { PlanLog } from "./log.ts"
import type { EntryPart } from "./new-entry.ts"

/** A list as it was seen in another program's session, and the id under which the log records it. */
export type Observed = Pick<Plan, "todos" | "phases"> & {
  callId: string
  /** When the session last wrote it, as the session says. @default now */
  at?: string | undefined
  /** When its todos began and ended, as the session says, by id. @default when the list was written */
  times?: Readonly<Record<string, TodoSpan>> | undefined
  /** When the agent last said what the list says. @default all of it when the list was written */
  said?: Said | undefined
  /** Only tasks that the plan does not have are taken from it, as numbered by their agent. All others stay as they are. */
  isForMissed?: boolean
}

/** A list with nothing new in it. */
export type KnownList = Pick<Observed, "callId" | "at">

/** The entry that makes the plan this list; undefined if the list was imported before. */
export const importOf = (
  observed: Observed | KnownList,
  { fold: { plan, ledger }, key }: Pick<PlanLog, "fold" | "key">,
  now: Date,
): EntryPart | undefined => {
  const { callId, at } = observed
  if (ledger.calls.has(callId)) return undefined
  const by: Actor = { kind: "agent", id: key.agent }
  const entry = { by, via: { dialect: observedDialect, tool: "session", callId }, ...timeUntil(now, at) }
  if (!("todos" in observed)) return { ...entry, events: [] }
  if (observed.isForMissed) return missedOf(observed, { plan, ledger, entry })
  const { todos, phases, times, said } = observed
  const statuses = [...plainStatuses, ...todos.flatMap(({ status }) => status ?? [])]
  const isReworded = said && ((id: string) => isRewordedIn(said, id))
  const { events, ids } = diff(plan, todos, { phases, ledger, statuses, keepUnknown: true, isReworded })
  const kept = withoutEarlier(events, ledger, saidInPlan(said, todos, ids, isoTime(at)))
  const standing = [...kept, ...renumbered(plan, kept, { todos, ids })]
  return {
    ...entry,
    events: withTimes(standing, timesById(todos, ids, times)),
    settle: settleClaims(standing, ledger, by),
  }
}

/** The entry that adds the tasks which the plan never had. What a person removed stays removed. */
const missedOf = (
  { todos, times }: Observed,
  { plan, ledger, entry }: { plan: Plan; ledger: Ledger; entry: Omit<EntryPart, "events"> },
): EntryPart | undefined => {
  const known = new Set([...plan.todos, ...[...ledger.removed.values()].map(({ todo }) => todo)].map(nativeIdOf))
  const missed = todos.filter((todo) => nativeIdOf(todo) !== undefined && !known.has(nativeIdOf(todo)))
  if (missed.length === 0) return undefined
  const { events, ids } = diff(plan, missed, { mode: "patch", ledger, modelIds: true, takesIds: true, isRead: true })
  return { ...entry, events: withTimes(events, timesById(missed, ids, times)) }
}

/** A todo that stays beside the list has no number any more if another todo of the list has it. */
const renumbered = (
  plan: Plan,
  events: readonly PlanEvent[],
  { todos, ids }: Pick<Observed, "todos"> & { ids: readonly (string | undefined)[] },
): PlanEvent[] => {
  const gone = events.flatMap((event) => (event.type === "todo-removed" ? [event.todo.id] : []))
  const others = new Set([...ids, ...gone])
  const numbers = new Set(todos.map(nativeIdOf))
  return plan.todos.flatMap((todo) =>
    others.has(todo.id) || !numbers.has(nativeIdOf(todo)) ? [] : withoutNumber(todo),
  )
}

/** When the agent said what a field of a todo in the plan is, and which todos there are. Undefined if that is not known. */
type SaidInPlan = { field(id: string, field: string): string | undefined; absence: string | undefined }

const saidInPlan = (
  said: Said | undefined,
  todos: Observed["todos"],
  ids: readonly (string | undefined)[],
  at: string | undefined,
): SaidInPlan => {
  if (!said) return { field: () => at, absence: at }
  const idThere = new Map(ids.map((id, index) => [id, todos[index]?.id]))
  return {
    field: (id, field) => fieldSaid(said, idThere.get(id) ?? "", field) ?? at,
    absence: absenceSaid(said) ?? at,
  }
}

/** What a person decided stands if the agent has said nothing about it since it knows. */
const withoutEarlier = (events: readonly PlanEvent[], ledger: Ledger, said: SaidInPlan): PlanEvent[] => {
  const isDecidedSince = (at: string | undefined, id: string, field: string): boolean => {
    const stamp = personSet(ledger, id, field)
    if (stamp === undefined || at === undefined) return false
    return stamp.at > at || (ledger.toldAt.get(stamp.entry) ?? "") > at
  }
  return events.flatMap((event): PlanEvent[] => {
    if (event.type === "todo-removed") {
      const { id } = event.todo
      return ["content", ...Object.keys(ledger.todos.get(id)?.set ?? {})].some((field) =>
        isDecidedSince(said.absence, id, field),
      )
        ? []
        : [event]
    }
    if (event.type !== "todo-changed") return [event]
    const { id } = event
    const stands = (field: string): boolean => {
      const cause = causes[field]
      const isStale = cause !== undefined && Object.hasOwn(event.to, cause) && !stands(cause)
      return !isStale && isDecidedSince(said.field(id, field), id, field)
    }
    const to = Object.fromEntries(Object.entries(event.to).filter(([field]) => !stands(field)))
    return Object.keys(to).length > 0 ? [{ ...event, to }] : []
  })
}

/** Fields that go stale when another one changes. */
const causes: Readonly<Record<string, string>> = { reason: "status", waitsFor: "status", activeForm: "content" }

/** The statuses that every agent has words for. */
const plainStatuses: readonly TodoStatus[] = ["pending", "in_progress", "completed"]

/** A time that is none, or that has not come yet, is not the time of an entry. */
const timeUntil = (now: Date, at: string | undefined): Pick<EntryPart, "at"> => {
  const time = isoTime(at)
  return time !== undefined && Date.parse(time) <= now.getTime() ? { at: time } : {}
}

/** What is known about the times of observed todos, by the ids they have in the plan. */
const timesById = (
  todos: Observed["todos"],
  ids: readonly (string | undefined)[],
  times: Observed["times"] = {},
): ReadonlyMap<string | undefined, SeenTimes> =>
  new Map(
    todos.flatMap(({ id, status }, index) => {
      const span = Object.hasOwn(times, id) ? times[id] : undefined
      const seen = span && seenTimesOf(status, span)
      return seen ? [[ids[index], seen] as const] : []
    }),
  )

const withTimes = (events: PlanEvent[], times: ReadonlyMap<string | undefined, SeenTimes>): PlanEvent[] =>
  events.map((event) => {
    const isStatus = event.type === "todo-changed" && event.to.status !== undefined
    const id = event.type === "todo-added" ? event.todo.id : isStatus ? event.id : undefined
    const seen = id === undefined ? undefined : times.get(id)
    return seen ? ({ ...event, times: seen } as PlanEvent) : event
  })
