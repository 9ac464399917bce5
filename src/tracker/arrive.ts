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
  type Ledger,
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
  const { untold } = foldOf(entries).ledger
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
    const events = inPlan(entry.events, known.plan, log.fold.plan)
    const told = inPlan(toldOf(entry, untold), known.plan, log.fold.plan).length
    known.add(entry)
    if (events.length === 0 || log.fold.has(entry.id)) continue
    const happened = await log.commit({ ...part, events })
    if (told === 0 || happened.length !== events.length) continue
    const isWhole = told === events.length
    const heard = isWhole ? { entries: [entry.id] } : { entries: [], part: { entry: entry.id, from: 0, to: told } }
    await log.commit({ by: system, events: [{ type: "agent-told", ...heard }] })
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

/** The entries that the agent knows. A todo that it does not know yet comes with the change that added it, and not with an undo. */
const withoutUntold = (entries: readonly Entry[], untold: Ledger["untold"]): Entry[] => {
  const added = new Set([...untold.values()].flatMap(({ events }) => events.flatMap(newIn)))
  const isOld = (event: PlanEvent): boolean => !(event.type === "todo-added" && added.has(event.todo.id))
  return entries.flatMap((entry) => {
    if (untold.has(entry.id)) return []
    return entry.undoes === undefined ? [entry] : [{ ...entry, events: entry.events.filter(isOld) }]
  })
}

/** The first events of a change, where the agent has been told about them and not about the rest. Nothing if it had another effect. */
const toldOf = ({ id, events }: Entry, untold: Ledger["untold"]): PlanEvent[] => {
  const { told = 0, events: happened = [] } = untold.get(id) ?? {}
  return happened.length === events.length ? events.slice(0, told) : []
}

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
