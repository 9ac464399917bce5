/** Replays the log entry by entry with the effect of each: for history and undo. */

import { type Actor, type Entry, isPlanChange, type PlanEvent, type SeenTimes, type TodoPatch } from "../event.ts"
import { createFold, type Fold, fold } from "../fold.ts"
import { isoTime } from "../iso-time.ts"
import { normalise } from "../text/wording.ts"
import { isFinished, type Todo, type TodoStatus } from "../todo.ts"
import type { Ledger, Stamp } from "./ledger.ts"
import { inverse } from "./undo.ts"

export type Happening = {
  entry: Entry
  /** The effects of the entry, with true old values. */
  events: PlanEvent[]
  /** The wording each todo it names had then, by id. */
  names: ReadonlyMap<string, string>
}

export type Replayed = { happenings: readonly Happening[]; fold: Fold }

/** A duplicate line counts once. */
export const replay = (entries: Iterable<Entry>): Replayed => {
  const state = createFold()
  const names = new Map<string, string>()
  const happenings: Happening[] = []
  for (const entry of entries) {
    if (state.has(entry.id)) continue
    const events = state.add(entry)
    for (const event of events) remember(names, event)
    const touched = events.flatMap(namedIn)
    happenings.push({ entry, events, names: new Map(touched.map((id) => [id, names.get(id) ?? id])) })
  }
  return { happenings, fold: state }
}

/** The todos that an event is about, and those it says a place or a blocker by. */
const namedIn = (event: PlanEvent): readonly string[] => {
  const [fields, after] = [
    event.type === "todo-added" ? event.todo : event.type === "todo-changed" ? event.to : {},
    event.type === "todo-moved" && event.after ? [event.after] : [],
  ]
  const checked = "check" in event && event.check.todo !== undefined ? [event.check.todo] : []
  return [...("id" in event ? [event.id] : []), ...(fields.blockedBy ?? []), ...after, ...checked]
}

const remember = (names: Map<string, string>, event: PlanEvent): void => {
  if (event.type === "todo-added") names.set(event.todo.id, event.todo.content)
  if (event.type === "todo-changed" && event.to.content) names.set(event.id, event.to.content)
}

/** Which change is meant: an entry, by its id or the beginning of it, or the last one of an actor. */
export type Undoable = { entry: string } | Whose

/** An actor of a kind, and which one where a plan is shared. */
export type Whose = { by: Actor["kind"]; id?: string }

/** Where a plan is shared, each person takes back what they did themselves. Two may have the same name on their machines. */
const isOwn = ({ by, from }: Entry, whose: Whose): boolean =>
  by.kind === whose.by && !by.isElsewhere && (!from || whose.id === undefined || by.id === whose.id)

/**
 * The last change of that kind that has not been undone yet: undoing twice goes further back. An entry id names any
 * change, also an undo, which brings back what it took. The beginning of an id is enough where only one change has it.
 */
export const lastUndoable = (happenings: readonly Happening[], which: Undoable): Happening | undefined => {
  const undone = undoneIds(happenings)
  const isOpen = ({ entry, events }: Happening): boolean => !undone.has(entry.id) && events.some(isPlanChange)
  if ("by" in which) {
    return happenings.findLast((one) => isOpen(one) && one.entry.undoes === undefined && isOwn(one.entry, which))
  }
  const exact = happenings.find(({ entry }) => entry.id === which.entry)
  const [only, ...others] = exact ? [exact] : happenings.filter(({ entry }) => entry.id.startsWith(which.entry))
  return only && others.length === 0 && isOpen(only) ? only : undefined
}

/**
 * The id of an actor's last undo, to redo what it undid. Undefined if they have changed something else since, because what
 * was undone belongs to an earlier state of the plan.
 */
export const lastRedoable = (entries: readonly Entry[], whose: Whose): string | undefined => {
  const undoes = new Map(entries.map(({ id, undoes: target }) => [id, target]))
  const isUndo = ({ undoes: target }: Entry): boolean => target !== undefined && undoes.get(target) === undefined
  const redone = new Set(entries.flatMap((entry) => (entry.undoes !== undefined && !isUndo(entry) ? entry.undoes : [])))
  const own = entries.filter((entry) => isOwn(entry, whose) && entry.events.some(isPlanChange))
  const behind = own.slice(own.findLastIndex((entry) => entry.undoes === undefined) + 1)
  return behind.findLast((entry) => isUndo(entry) && !redone.has(entry.id))?.id
}

/**
 * Entries that no longer count. One whose undo was undone counts again. A person takes back anything, all others only what one
 * of their kind did: a line that came with a repository may claim to take back any entry.
 */
const undoneIds = (happenings: readonly Happening[]): ReadonlySet<string> => {
  const undone = new Set<string>()
  const targets = new Map<string, string>()
  const kinds = new Map<string, Actor["kind"]>()
  for (const { entry } of happenings) {
    const { kind } = entry.by
    kinds.set(entry.id, kind)
    if (entry.undoes === undefined || (kind !== "person" && kind !== kinds.get(entry.undoes))) continue
    targets.set(entry.id, entry.undoes)
    undone.add(entry.undoes)
    const back = targets.get(entry.undoes)
    if (back !== undefined) undone.delete(back)
  }
  return undone
}

/** Fields of a todo that an undo leaves as they are, because another change has set them since. */
export type FieldsLeft = { id: string; fields: string[] }

/** The events that take a change back, and what of it stays. */
export const undoing = (replayed: Replayed, undone: Happening): { events: PlanEvent[]; left: FieldsLeft[] } => {
  const { happenings } = replayed
  const since = standingSince(happenings, undone)
  const changed = changedFields(since)
  const left: FieldsLeft[] = []
  const broughtBack = new Set<string>()
  const events = undone.events.flatMap((event): PlanEvent[] => {
    // A finished list that a person's change brought back is put away again, unless it has gone on.
    if (event.type === "todo-added" && event.restores && undone.entry.undoes === undefined) {
      broughtBack.add(event.todo.id)
      return since.some((one) => one.events.some(isPlanChange)) ? [] : [event]
    }
    if (event.type !== "todo-changed") return [event]
    // Notes are not among them: each is taken back by itself.
    const stay = Object.keys(event.to).filter((field) => field !== "notes" && changed.get(event.id)?.has(field))
    if (stay.length === 0) return [event]
    left.push({ id: event.id, fields: stay })
    const to = withoutFields(event.to, stay)
    return Object.keys(to).length > 0 ? [{ ...event, from: withoutFields(event.from, stay), to }] : []
  })
  const inverted = inverse(events).map((event): PlanEvent => {
    if (event.type === "todo-removed" && broughtBack.has(event.todo.id)) return { ...event, putsAway: true }
    return event.type === "todo-added" ? withRefused(event, replayed.fold.ledger) : event
  })
  return { events: withFormer(inverted, replayed, undone, changed), left }
}

/** Whether an entry changes the list once it is the next of the log. */
export const wouldChange = ({ fold: state }: Replayed, entry: Entry): boolean =>
  createFold(state.snapshot()).add(entry).some(isPlanChange)

/** A todo comes back with the status that its agent gave it while it was gone, though that was refused then. */
const withRefused = (event: Extract<PlanEvent, { type: "todo-added" }>, { refused, removed }: Ledger): PlanEvent => {
  const found = refused.get(normalise(event.todo.content))
  const { status } = found && found.at >= (removed.get(event.todo.id)?.at ?? "") ? found : event.todo
  if (status === event.todo.status) return event
  const { reason: _, waitsFor: __, ...todo } = event.todo
  return { ...event, todo: { ...todo, status } }
}

/**
 * A person who takes their own change back leaves each field to the one who had set it before. What they take back of another's
 * change they decide themselves.
 */
const withFormer = (
  events: readonly PlanEvent[],
  { happenings, fold: { ledger: now } }: Replayed,
  undone: Happening,
  changed: ReadonlyMap<string, ReadonlySet<string>>,
): PlanEvent[] => {
  if (undone.entry.by.kind !== "person") return [...events]
  const earlier = happenings.slice(0, happenings.indexOf(undone))
  const before = fold(earlier.map(({ entry }) => entry)).ledger
  return events.map((event) => {
    if (event.type !== "todo-changed") return event
    const setterOf = (field: string): Stamp | null => {
      const { todos } = changed.get(event.id)?.has(field) ? now : before
      const { set = {} } = todos.get(event.id) ?? {}
      const stamp = Object.hasOwn(set, field) ? set[field] : undefined
      return stamp ? toWrite(stamp) : null
    }
    return { ...event, former: Object.fromEntries(Object.keys(event.to).map((field) => [field, setterOf(field)])) }
  })
}

/** Changes that were taken back again and again lead back only so far; the last one then counts as a person's word. */
const mostFormer = 4

/** Whether a person was on another machine is for the one who reads it to say. */
const toWrite = ({ by, former, ...stamp }: Stamp, depth = mostFormer): Stamp => {
  const { isElsewhere: _, ...actor } = by
  const rest = former === undefined || depth === 0 ? {} : { former: former && toWrite(former, depth - 1) }
  return { ...stamp, by: actor, ...rest }
}

/** What happened after a change and still counts: neither what was undone, nor the undoing of it. */
const standingSince = (happenings: readonly Happening[], { entry: { id } }: Happening): Happening[] => {
  const later = happenings.slice(happenings.findIndex(({ entry }) => entry.id === id) + 1)
  const undone = undoneIds(later)
  const gone = new Set(later.flatMap(({ entry }) => (undone.has(entry.id) ? [entry.id] : [])))
  return later.filter(({ entry }) => !gone.has(entry.id) && !gone.has(entry.undoes ?? ""))
}

/** By todo, the fields that were changed. */
const changedFields = (happenings: readonly Happening[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const changed = new Map<string, Set<string>>()
  for (const event of happenings.flatMap(({ events }) => events)) {
    if (event.type !== "todo-changed") continue
    const fields = changed.get(event.id) ?? new Set()
    for (const field of Object.keys(event.to)) fields.add(field)
    changed.set(event.id, fields)
  }
  return changed
}

const withoutFields = (patch: TodoPatch, fields: readonly string[]): TodoPatch =>
  Object.fromEntries(Object.entries(patch).filter(([field]) => !fields.includes(field)))

/** How long a todo was in each status, the present one up to now. */
export const timesOf = (todo: Todo, fold: Pick<Fold, "ledger">, now: Date): Partial<Record<TodoStatus, number>> => {
  const record = fold.ledger.todos.get(todo.id)
  if (!record) return {}
  const lasting = Math.max(0, now.getTime() - Date.parse(record.since)) || 0
  return { ...record.spent, [todo.status]: (record.spent[todo.status] ?? 0) + lasting }
}

/** ISO times. Between them is the time it was in progress: a todo that was put aside for a while begins that much later. */
export type TodoSpan = { started?: string; finished?: string }

/** From since when a todo has its status and how long it was in progress before, in milliseconds, where that is known. */
export const spanOf = (status: TodoStatus, since: string, spent: number | undefined): TodoSpan | undefined => {
  const time = Date.parse(since)
  if (Number.isNaN(time)) return undefined
  // Clocks that jumped may have added up more time than there ever was.
  const started = new Date(Math.max(0, time - (spent ?? 0))).toISOString()
  if (status === "in_progress") return { started }
  if (!isFinished(status)) return undefined
  return { ...(spent ? { started } : {}), finished: since }
}

/** The same the other way round, for a todo of this status. What is not a time is not known. */
export const seenTimesOf = (status: TodoStatus, span: TodoSpan): SeenTimes | undefined => {
  const [started, finished] = [isoTime(span.started), isoTime(span.finished)]
  if (status === "in_progress") return started === undefined ? undefined : { since: started }
  if (!isFinished(status) || finished === undefined) return undefined
  if (started === undefined) return { since: finished }
  return { since: finished, spent: Math.max(0, Date.parse(finished) - Date.parse(started)) }
}
