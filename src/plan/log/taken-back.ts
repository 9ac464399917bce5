/**
 * Undo in the order of the log. An undo is written by someone who may not know of all changes yet, as when two people work
 * offline: it takes back their own change and nothing that others did before or after it.
 */
import { type Entry, type PlanEvent, removedBy, type TodoChanged, type TodoPatch } from "../event.ts"
import type { Todo } from "../todo.ts"
import type { Ledger, MutableLedger, Stamp } from "./ledger.ts"

/** What a person's change replaced, where that was not what the person saw. */
export type Replaced = {
  readonly id: string
  readonly field: string
  readonly value: unknown
  /** What the person saw, where they removed the todo. */
  readonly seen?: unknown
  /** Who had set it; `null` if it was as added. */
  readonly setter: Stamp | null
}

/** More changes than these are taken back to what the person saw. */
const mostReplaced = 100

/** Records what a person's change replaced without the person's knowledge. To be called before its stamps are. */
export const recordReplaced = (ledger: MutableLedger, { id, events }: Entry, happened: readonly PlanEvent[]): void => {
  const before = new Map(happened.flatMap((event) => (event.type === "todo-changed" ? [[event.id, event.from]] : [])))
  const removed = new Map(happened.flatMap(removedBy).map((todo) => [todo.id, todo]))
  const replaced = events.flatMap((event) => {
    if (event.type === "todo-changed") return replacedBy(event, before.get(event.id) ?? {}, ledger)
    return removedBy(event).flatMap((todo) => removedUnseen(removed.get(todo.id) ?? todo, todo))
  })
  if (replaced.length === 0) return
  ledger.replaced.set(id, replaced)
  const [oldest] = ledger.replaced.keys()
  if (ledger.replaced.size > mostReplaced && oldest !== undefined) ledger.replaced.delete(oldest)
}

/** `before` are the old values of the fields that really changed. */
const replacedBy = ({ id, from, to }: TodoChanged, before: TodoPatch, { todos }: Ledger): Replaced[] => {
  const { set = {} } = todos.get(id) ?? {}
  return Object.entries(from).flatMap(([field, seen]) => {
    const known = [before, to].find((patch) => Object.hasOwn(patch, field))
    const value = known ? known[field as keyof TodoPatch] : seen
    return isWhole(field) && !isEqual(value, seen) ? [{ id, field, value, setter: setterIn(set, field) }] : []
  })
}

const removedUnseen = (todo: Todo, seen: Todo): Replaced[] =>
  [...new Set([...Object.keys(todo), ...Object.keys(seen)])].flatMap((field) => {
    const [value, before] = [fieldOf(todo, field), fieldOf(seen, field)]
    return isEqual(value, before) || isLong(value) ? [] : [{ id: todo.id, field, value, seen: before, setter: null }]
  })

const fieldOf = (todo: Todo, field: string): unknown =>
  (Object.hasOwn(todo, field) ? todo[field as keyof Todo] : undefined) ?? null

/** An undo that takes back only what the undone entry did, to what that entry really replaced. All other entries stay as they are. */
export const inOrderOfLog = (entry: Entry, ledger: Ledger): Entry => {
  const { undoes, events } = entry
  if (undoes === undefined) return entry
  const inOrder = (event: PlanEvent): PlanEvent => {
    if (event.type === "todo-changed" && event.former) return corrected(event, undoes, ledger)
    return event.type === "todo-added" ? { ...event, todo: asRemoved(event.todo, undoes, ledger) } : event
  }
  return { ...entry, events: events.map(inOrder) }
}

/** The todo as it was removed. What its agent did with it in the meantime stays. */
const asRemoved = (todo: Todo, undone: string, { replaced }: Ledger): Todo => {
  const fields: Record<string, unknown> = { ...todo }
  for (const { id, field, value, seen } of replaced.get(undone) ?? []) {
    if (id !== todo.id || !isEqual(seen, fieldOf(todo, field))) continue
    if (value === null) delete fields[field]
    else fields[field] = value
  }
  return fields as Todo
}

const corrected = (event: TodoChanged, undone: string, { todos, replaced }: Ledger): TodoChanged => {
  const { set = {} } = todos.get(event.id) ?? {}
  const known = replaced.get(undone)?.filter(({ id }) => id === event.id) ?? []
  const to: Record<string, unknown> = {}
  const former: Record<string, Stamp | null> = {}
  for (const [field, value] of Object.entries(event.to)) {
    const setter = setterIn(set, field)
    if (setter && isWhole(field) && !leadsTo(setter, undone)) continue
    const before = known.find((one) => one.field === field)
    to[field] = before ? before.value : value
    former[field] = before ? before.setter : (event.former?.[field] ?? null)
  }
  return { ...event, to: to as TodoPatch, former }
}

/**
 * Whether the entry set the field, ignoring changes that were undone since. A person who undid an agent's change has set the
 * field, and its value before that is not known, so the value in the undo counts.
 */
const leadsTo = (setter: Stamp, entry: string): boolean => {
  for (let stamp: Stamp | null | undefined = setter; stamp; stamp = stamp.former)
    if (stamp.entry === entry || (stamp.isUndo && stamp.former === undefined)) return true
  return false
}

const setterIn = (set: Readonly<Partial<Record<string, Stamp>>>, field: string): Stamp | null =>
  (Object.hasOwn(set, field) ? set[field] : undefined) ?? null

/** Each note is undone separately. */
const isWhole = (field: string): boolean => field !== "notes"

/** How many notes are kept for an undo that may never happen. */
const isLong = (value: unknown): boolean => Array.isArray(value) && value.length > 250

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
