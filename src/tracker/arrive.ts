/**
 * Copies a plan into the log of another session: the list as its agent knows it, which part of it a person decided, then a
 * person's changes that the agent was not told.
 */
import {
  arrivalOf,
  createFold,
  decisionsOf,
  type Entry,
  type Fold,
  isKnown,
  normalise,
  type Plan,
  type PlanEvent,
  renamedIn,
  type Stamp,
  sameTodos,
  todoById,
  withoutOlder,
} from "../plan/index.ts"
import type { PlanLog } from "./log.ts"
import { system } from "./new-entry.ts"
import { agentsIn, type NotAllTold, notAllTold } from "./not-all-told.ts"

export type ArriveOptions = {
  /** The other session may have changed in the meantime: later entries there are kept. @default false */
  keepsLater?: boolean
}

/** Returns false if there was nothing to copy. Entries left by an interrupted attempt are not copied twice. */
export const arrive = async (
  log: PlanLog,
  session: string,
  entries: readonly Entry[],
  { keepsLater = false }: ArriveOptions = {},
): Promise<boolean> => {
  const { ledger } = foldOf(entries)
  const untold = notAllTold(ledger)
  const rewordings = new Map<string, Stamp>()
  const known = foldOf(withoutUntold(entries, untold), ({ id: entry, at, by }, events) => {
    if (by.kind === "person") for (const id of events.flatMap(rewordedIn)) rewordings.set(id, { at, by, entry })
  })
  if (known.plan.todos.length > 0) {
    const due = () => arrivalOf(keepsLater ? withoutOlder(known, log.fold) : known, session, log.fold)
    for (let next = due(); next; next = due()) {
      await log.commit({ by: system, ...next })
      // The plan may be removed at the same time. Then all of it is due again.
      await log.catchUp()
    }
  }
  // Each stays attributed to its person and keeps its time. What the agent was told is not repeated.
  const decisions = decisionsOf(known, log.fold, { isOtherPlan: keepsLater, rewordings })
  for (const { stamp, events } of decisions) {
    const { entry: id, at, by } = stamp
    await log.commit({ ...(log.fold.has(id) ? {} : { id }), at, by, events })
  }
  // They stay a person's untold changes: as our own entries they would neither take precedence nor be reported.
  for (const entry of entries.filter(({ id }) => untold.has(id))) {
    const { v: _version, names: _names, origins: _origins, ...part } = entry
    const inOther = (some: readonly PlanEvent[]): PlanEvent[] => inPlan(some, known.plan, log.fold.plan)
    const events = inOther(entry.events)
    const heard = (untold.get(entry.id)?.heard ?? []).map((one) => {
      return { ...one, count: inOther(firstOf(entry, untold, one.count)).length }
    })
    known.add(entry)
    if (events.length === 0 || log.fold.has(entry.id)) continue
    const happened = await log.commit({ ...part, events })
    if (happened.length !== events.length) continue
    await introduce(log, agentsIn(ledger))
    for (const one of heard) await noteHeard(log, entry.id, { ...one, of: events.length })
  }
  return known.plan.todos.length > 0 || untold.size > 0 || decisions.length > 0
}

/** Copies the plan to a new session and continues there. Returns false if there was nothing to copy. */
export const moveTo = async (log: PlanLog, session: string): Promise<boolean> => {
  await log.catchUp()
  const { plan, ledger } = log.fold
  if ((plan.todos.length === 0 && ledger.untold.size === 0) || session === log.key.session) return false
  const from = log.key.session
  await log.commit({ by: system, events: [{ type: "plan-moved", to: session }] })
  const entries = await log.entries()
  await log.switchTo({ session, agent: log.key.agent })
  return arrive(log, from, entries)
}

const foldOf = (entries: readonly Entry[], onEntry?: (entry: Entry, events: readonly PlanEvent[]) => void): Fold => {
  const fold = createFold()
  for (const entry of entries) {
    const events = fold.add(entry)
    onEntry?.(entry, events)
  }
  return fold
}

/** Those that the other plan does not know yet. It is told to each of them what only others were told. */
const introduce = async (log: PlanLog, agents: readonly string[]): Promise<void> => {
  for (const to of agents)
    if (!isKnown(log.fold.ledger, to))
      await log.commit({ by: system, events: [{ type: "agent-told", entries: [], to }] })
}

/** Records that an agent was told about a change, or the first events of it. */
const noteHeard = async (
  log: PlanLog,
  entry: string,
  { to, count, of }: { to?: string | undefined; count: number; of: number },
): Promise<void> => {
  if (count === 0) return
  const what = count === of ? { entries: [entry] } : { entries: [], part: { entry, from: 0, to: count } }
  await log.commit({ by: system, events: [{ type: "agent-told", ...what, ...(to === undefined ? {} : { to }) }] })
}

/** The entries that the agent knows. A todo that it does not know yet comes with the change that added it, and not with an undo. */
const withoutUntold = (entries: readonly Entry[], untold: ReadonlyMap<string, NotAllTold>): Entry[] => {
  const added = new Set([...untold.values()].flatMap(({ change }) => change.events.flatMap(newIn)))
  const isOld = (event: PlanEvent): boolean => !(event.type === "todo-added" && added.has(event.todo.id))
  return entries.flatMap((entry) => {
    if (untold.has(entry.id)) return []
    return entry.undoes === undefined ? [entry] : [{ ...entry, events: entry.events.filter(isOld) }]
  })
}

/** The first events of a change, where an agent has been told about them. Nothing if it had another effect. */
const firstOf = ({ id, events }: Entry, untold: ReadonlyMap<string, NotAllTold>, count: number): PlanEvent[] =>
  untold.get(id)?.change.events.length === events.length ? events.slice(0, count) : []

const newIn = (event: PlanEvent): string[] => (event.type === "todo-added" && !event.restores ? [event.todo.id] : [])

/** The todos an entry gave other wordings. */
const rewordedIn = (event: PlanEvent): string[] => {
  if (event.type === "todo-changed") return event.to.content ? [event.id] : []
  return event.type === "todo-decided" && event.formerly ? [event.id] : []
}

/** Rewrites the events to refer to the matching todos of the other plan. Existing todos are not added again. */
const inPlan = (events: readonly PlanEvent[], from: Plan, to: Plan): PlanEvent[] => {
  const texts = new Set(to.todos.map(({ content }) => normalise(content)))
  const same = sameTodos(from.todos, to.todos)
  const added = events.flatMap((event) => (event.type === "todo-added" ? [event.todo.id] : []))
  const fresh = freshIds(added, from, to)
  const current = (id: string): string | undefined => (todoById(from, id) ? same.get(id)?.id : fresh.get(id))
  return events.flatMap((event): PlanEvent[] => {
    if (event.type === "plan-opened") return []
    if (event.type === "todo-added" && texts.has(normalise(event.todo.content))) return []
    return renamedIn(event, current).map((one) =>
      one.type === "todo-added" && !one.restores ? withId(one, fresh) : one,
    )
  })
}

const withId = (event: Extract<PlanEvent, { type: "todo-added" }>, ids: ReadonlyMap<string, string>): PlanEvent => ({
  ...event,
  todo: { ...event.todo, id: ids.get(event.todo.id) ?? event.todo.id },
})

/** Ids for todos that an entry adds: one of them may be that of another todo in the plan it comes to. */
const freshIds = (added: readonly string[], from: Plan, to: Plan): ReadonlyMap<string, string> => {
  const used = new Set([...from.todos, ...to.todos].map(({ id }) => id))
  let highest = 0
  for (const id of [...used, ...added]) if (/^\d{1,15}$/.test(id)) highest = Math.max(highest, Number(id))
  return new Map(added.map((id) => [id, used.has(id) ? String(++highest) : id]))
}
