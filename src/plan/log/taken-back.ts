/**
 * Undo in the order of the log. An undo is written by someone who may not know of all changes yet, as when two people work
 * offline: it takes back their own change and nothing that others did before or after it.
 */
import type { Entry, PlanEvent, TodoChanged, TodoPatch } from "../event.ts"
import type { Ledger, MutableLedger, Stamp } from "./ledger.ts"

/** What a person's change replaced, where that was not what the person saw. */
export type Replaced = {
  readonly id: string
  readonly field: string
  readonly value: unknown
  /** Who had set it; `null` if it was as added. */
  readonly setter: Stamp | null
}

/** More changes than these are taken back to what the person saw. */
const mostReplaced = 100

/** Records what a person's change replaced without the person's knowledge. To be called before its stamps are. */
export const recordReplaced = (ledger: MutableLedger, { id, events }: Entry, happened: readonly PlanEvent[]): void => {
  const seen = new Map(events.flatMap((event) => (event.type === "todo-changed" ? [[event.id, event.from]] : [])))
  const replaced = happened.flatMap((event) => {
    const from = event.type === "todo-changed" ? seen.get(event.id) : undefined
    return event.type === "todo-changed" && from ? replacedBy(event, from, ledger) : []
  })
  if (replaced.length === 0) return
  ledger.replaced.set(id, replaced)
  const [oldest] = ledger.replaced.keys()
  if (ledger.replaced.size > mostReplaced && oldest !== undefined) ledger.replaced.delete(oldest)
}

const replacedBy = ({ id, from }: TodoChanged, seen: TodoPatch, { todos }: Ledger): Replaced[] => {
  const { set = {} } = todos.get(id) ?? {}
  const isUnseen = ([field, value]: [string, unknown]): boolean =>
    isWhole(field) && field in seen && !isEqual(value, seen[field as keyof TodoPatch])
  return Object.entries(from)
    .filter(isUnseen)
    .map(([field, value]) => ({ id, field, value, setter: setterIn(set, field) }))
}

/** An undo that takes back only what the undone entry did, to what that entry really replaced. All other entries stay as they are. */
export const inOrderOfLog = (entry: Entry, ledger: Ledger): Entry => {
  const { undoes, events } = entry
  if (undoes === undefined) return entry
  const isCorrected = (event: PlanEvent): event is TodoChanged => event.type === "todo-changed" && !!event.former
  return { ...entry, events: events.map((event) => (isCorrected(event) ? corrected(event, undoes, ledger) : event)) }
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
 * Whether the entry set the field, apart from changes that were taken back since. A person who took an agent's change back has set the
 * field, and what stood before is not known: then the undo says what is right.
 */
const leadsTo = (setter: Stamp, entry: string): boolean => {
  for (let stamp: Stamp | null | undefined = setter; stamp; stamp = stamp.former)
    if (stamp.entry === entry || (stamp.isUndo && stamp.former === undefined)) return true
  return false
}

const setterIn = (set: Readonly<Partial<Record<string, Stamp>>>, field: string): Stamp | null =>
  (Object.hasOwn(set, field) ? set[field] : undefined) ?? null

/** Each note is taken back by itself. */
const isWhole = (field: string): boolean => field !== "notes"

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
