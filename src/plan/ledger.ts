/** What is known about a plan beside the list itself: who did what and when, what is gone, what the agent was told. */
import type { Lease } from "./claims.ts"
import { type Actor, type Entry, isPlanChange, type PlanEvent, type PlanMoved, type PlanOpened } from "./event.ts"
import { type Origin, originOf } from "./origins.ts"
import { isFinished, type Todo, type TodoStatus } from "./todo.ts"

export type Stamp = { at: string; by: Actor; entry: string }

export type TodoRecord = {
  added: Stamp
  /** Who last set which field; a field not listed stands as it was added. */
  set: Partial<Record<string, Stamp>>
  /** Since when it has the status it has. */
  since: string
  /** Milliseconds spent in each status it has left. */
  spent: Partial<Record<TodoStatus, number>>
  /** Wordings a person replaced: an agent that still uses one means this todo. */
  formerly?: string[]
  /** Who holds it. */
  lease?: Lease
  /** The entry that first added it and its id there, where that is not the entry and the id it is known by now. */
  origin?: Origin
}

/** `record` is what was known of the todo, so that restoring it does not forget its times. */
export type Tombstone = Stamp & { todo: Todo; record?: TodoRecord }

/** A person's change the agent has not been told of yet. */
export type Untold = { entry: string; at: string; by: Actor; events: PlanEvent[]; names?: Record<string, string> }

export type Ledger = {
  opened?: PlanOpened
  readonly todos: ReadonlyMap<string, TodoRecord>
  readonly removed: ReadonlyMap<string, Tombstone>
  readonly untold: ReadonlyMap<string, Untold>
  readonly calls: ReadonlySet<string>
  /** The plan came back in a later session and nobody has gone on with it yet. */
  paused: boolean
  /** Todos that were finished when the plan came back in a later session, and have stood so since. */
  readonly behind: ReadonlySet<string>
  /** The last move, and how many there were. */
  moved?: PlanMoved
  moves: number
  /** Entries that changed something, and the latest time one was written at: clocks go back, and logs are merged. */
  entries: number
  updated?: string
}

export type MutableLedger = Ledger & {
  readonly todos: Map<string, TodoRecord>
  readonly removed: Map<string, Tombstone>
  readonly untold: Map<string, Untold>
  readonly calls: Set<string>
  readonly behind: Set<string>
}

export const createLedger = (): MutableLedger => ({
  todos: new Map(),
  removed: new Map(),
  untold: new Map(),
  calls: new Set(),
  behind: new Set(),
  paused: false,
  moves: 0,
  entries: 0,
})

export const emptyLedger: Ledger = createLedger()

/** Whether the last word on a field of a todo (or on its being there at all) is a person's. */
export const personSet = (ledger: Ledger, id: string, field: string): Stamp | undefined => {
  const record = ledger.todos.get(id)
  const stamp = record && Object.hasOwn(record.set, field) ? record.set[field] : record?.added
  return stamp?.by.kind === "person" ? stamp : undefined
}

/** A person added this todo or gave it its wording. */
export const isPersons = (ledger: Ledger, id: string): boolean => personSet(ledger, id, "content") !== undefined

/** Writes down what an entry really did. `events` are effects: true old values, final ids. */
export const record = (
  ledger: MutableLedger,
  entry: Entry,
  events: readonly PlanEvent[],
  finished: () => readonly string[],
): void => {
  const stamp: Stamp = { at: entry.at, by: entry.by, entry: entry.id }
  if (entry.via?.callId !== undefined) ledger.calls.add(entry.via.callId)
  if (events.some((event) => isPlanChange(event) || event.type === "plan-opened")) {
    ledger.entries += 1
    if (ledger.updated === undefined || ledger.updated < entry.at) ledger.updated = entry.at
  }
  for (const event of events) recordOne(ledger, stamp, event, finished)
  if (entry.by.kind === "person" && events.some((event) => event.type !== "plan-opened")) {
    // What was taken back before the agent heard of it is nothing to tell, and holds nothing.
    const isUntold = entry.undoes !== undefined && ledger.untold.has(entry.undoes)
    if (isUntold && entry.undoes === [...ledger.untold.keys()].at(-1)) {
      ledger.untold.delete(entry.undoes ?? "")
      return
    }
    const names = entry.names && { names: entry.names }
    ledger.untold.set(entry.id, { entry: entry.id, at: entry.at, by: entry.by, events: [...events], ...names })
  }
}

const recordOne = (ledger: MutableLedger, stamp: Stamp, event: PlanEvent, finished: () => readonly string[]): void => {
  switch (event.type) {
    case "plan-opened":
      ledger.opened ??= event
      return
    case "todo-added":
      recordAdded(ledger, stamp, event.todo.id)
      if (stamp.by.kind === "agent" && event.todo.status === "in_progress") ledger.paused = false
      return
    case "todo-changed":
      recordChange(ledger, stamp, event)
      return
    case "todo-removed":
      bury(ledger, stamp, event.todo)
      return
    case "plan-cleared":
      for (const todo of event.todos) bury(ledger, stamp, todo)
      return
    case "todo-claimed":
      setLease(ledger, event.id, event.until === undefined ? undefined : { owner: event.owner, until: event.until })
      return
    case "todo-released":
      setLease(ledger, event.id, undefined)
      return
    case "agent-told":
      for (const entry of event.entries) ledger.untold.delete(entry)
      return
    case "plan-restored":
      if (event.context !== "resume") return
      ledger.paused = true
      for (const id of finished()) ledger.behind.add(id)
      return
    case "plan-resumed":
      ledger.paused = false
      return
    case "plan-moved":
      ledger.moved = event
      ledger.moves += 1
      return
    default:
      return
  }
}

/** A todo that comes back is its bringer's, but keeps the times and wordings it had. */
const recordAdded = (ledger: MutableLedger, stamp: Stamp, id: string): void => {
  const { spent = {}, formerly } = ledger.removed.get(id)?.record ?? {}
  const origin = originOf(ledger, id)
  ledger.removed.delete(id)
  ledger.behind.delete(id)
  const kept = { ...(formerly ? { formerly } : {}), ...(origin ? { origin } : {}) }
  ledger.todos.set(id, { added: stamp, set: {}, since: stamp.at, spent, ...kept })
}

/** Records are replaced, never changed in place: a snapshot may hold the one before. */
const recordChange = (
  ledger: MutableLedger,
  stamp: Stamp,
  { id, from, to }: Extract<PlanEvent, { type: "todo-changed" }>,
): void => {
  const old = ledger.todos.get(id)
  if (!old) return
  const todo: TodoRecord = { ...old, set: { ...old.set } }
  for (const field of Object.keys(to)) todo.set[field] = stamp
  if (from.status) {
    todo.spent = spentUntil(old, from.status, stamp.at)
    todo.since = stamp.at
    ledger.behind.delete(id)
    if (stamp.by.kind === "agent") ledger.paused = false
  }
  const isGivenAway = to.owner !== undefined && to.owner !== old.lease?.owner
  if (isGivenAway || (to.status && isFinished(to.status))) delete todo.lease
  if (from.content && stamp.by.kind === "person") todo.formerly = [...(old.formerly ?? []), from.content].slice(-8)
  ledger.todos.set(id, todo)
}

const setLease = (ledger: MutableLedger, id: string, lease: Lease | undefined): void => {
  const { lease: _, ...old } = ledger.todos.get(id) ?? {}
  if ("added" in old) ledger.todos.set(id, { ...old, ...(lease ? { lease } : {}) })
}

const spentUntil = ({ since, spent }: TodoRecord, status: TodoStatus, at: string): TodoRecord["spent"] => {
  const from = timeOf(since)
  const passed = Math.max(0, timeOf(at) - from || 0)
  return { ...spent, [status]: (spent[status] ?? 0) + passed }
}

let lastText = ""
let lastTime = Number.NaN

/** Reading a time costs more than all else an entry does, and the next change asks for the same one again. */
const timeOf = (text: string): number => {
  if (text === lastText) return lastTime
  lastText = text
  lastTime = Date.parse(text)
  return lastTime
}

const bury = (ledger: MutableLedger, stamp: Stamp, todo: Todo): void => {
  const old = ledger.todos.get(todo.id)
  const record = old && { ...old, spent: spentUntil(old, todo.status, stamp.at) }
  ledger.todos.delete(todo.id)
  ledger.removed.set(todo.id, { ...stamp, todo, ...(record ? { record } : {}) })
}
