/** The log told again, entry by entry, with what each really did: for people who ask who changed what, and for undo. */

import { type Entry, isPlanChange, type PlanEvent } from "./event.ts"
import { createFold, type Fold } from "./fold.ts"
import type { Todo, TodoStatus } from "./todo.ts"
import { inverse } from "./undo.ts"

export type Happening = {
  entry: Entry
  /** What the entry really did, with true old values. */
  events: PlanEvent[]
  /** The wording each todo it touched had then, by id. */
  names: ReadonlyMap<string, string>
}

export const tell = (entries: Iterable<Entry>): { happenings: Happening[]; fold: Fold } => {
  const fold = createFold()
  const names = new Map<string, string>()
  const happenings: Happening[] = []
  for (const entry of entries) {
    const events = fold.add(entry)
    for (const event of events) remember(names, event)
    const touched = events.flatMap((event) => ("id" in event ? [event.id] : []))
    happenings.push({ entry, events, names: new Map(touched.map((id) => [id, names.get(id) ?? id])) })
  }
  return { happenings, fold }
}

const remember = (names: Map<string, string>, event: PlanEvent): void => {
  if (event.type === "todo-added") names.set(event.todo.id, event.todo.content)
  if (event.type === "todo-changed" && event.to.content) names.set(event.id, event.to.content)
}

/** The last change that has not been undone yet, or the one an entry id names. Undoing twice goes further back. */
export const lastUndoable = (happenings: readonly Happening[], entryId?: string): Happening | undefined => {
  const undone = new Set(happenings.flatMap(({ entry }) => entry.undoes ?? []))
  const candidates = happenings.filter(
    ({ entry, events }) => entry.undoes === undefined && !undone.has(entry.id) && events.some(isPlanChange),
  )
  return entryId === undefined ? candidates.at(-1) : candidates.findLast(({ entry }) => entry.id.startsWith(entryId))
}

export const undoing = ({ events }: Happening): PlanEvent[] => inverse(events)

/** How long a todo was in each status, the present one up to now. */
export const timesOf = (todo: Todo, fold: Pick<Fold, "ledger">, now: Date): Partial<Record<TodoStatus, number>> => {
  const record = fold.ledger.todos.get(todo.id)
  if (!record) return {}
  const lasting = Math.max(0, now.getTime() - Date.parse(record.since)) || 0
  return { ...record.spent, [todo.status]: (record.spent[todo.status] ?? 0) + lasting }
}
