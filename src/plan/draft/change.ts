/** Changes the fields of one todo, and returns the actual changes. */

import type { PlanEvent, TodoPatch } from "../event.ts"
import { briefNotes, changeOwnNotes, withMergedNotes } from "../notes.ts"
import type { Todo } from "../todo.ts"
import { type Draft, replace } from "./draft.ts"
import { openPhase } from "./phases.ts"

/** The fields a change may set, and whether it may also take them away. */
const isOptional: Record<keyof TodoPatch, boolean> = {
  content: false,
  status: false,
  activeForm: true,
  phase: true,
  notes: true,
  description: true,
  priority: true,
  blockedBy: true,
  owner: true,
  reason: true,
  waitsFor: true,
  extra: true,
}

const isField = (name: string): name is keyof TodoPatch => Object.hasOwn(isOptional, name)

/** `seen` is what the writer knew of the fields. */
export const change = (draft: Draft, id: string, patch: TodoPatch, seen?: TodoPatch): PlanEvent[] => {
  const link = draft.links.get(id)
  if (!link) return []
  const from: Record<string, unknown> = {}
  const changed: Record<string, unknown> = {}
  const todo: Record<string, unknown> = { ...link.item }
  const inPlace = patch.notes === undefined ? undefined : changeNotesInPlace(draft, link.item, patch, seen)
  if (inPlace?.isChanged) {
    from.notes = inPlace.from
    changed.notes = inPlace.to
    todo.notes = inPlace.notes
  }
  const to = inPlace ? withoutNotes(patch) : withMergedNotes(patch, seen?.notes ?? [], link.item.notes ?? [])
  let isChanged = inPlace?.isChanged === true
  // Every change of every log comes this way: no list of its fields is made.
  for (const field in to) {
    const given = to[field as keyof TodoPatch]
    const value = field === "phase" && given === "" ? null : given
    if (!isField(field) || value === undefined || (value === null && !isOptional[field])) continue
    const before = todo[field] ?? null
    if (isSame(before, value)) continue
    from[field] = before
    changed[field] = value
    isChanged = true
    if (value === null) delete todo[field]
    else todo[field] = value
  }
  if (!isChanged) return []
  replace(draft, link, todo as Todo)
  const opened = openPhase(draft, link.item.phase)
  const told = inPlace ? { from, to: changed } : briefNotes(from as TodoPatch, changed as TodoPatch)
  // Told in brief, the whole list is known to the draft alone.
  const { notes } = link.item
  if (notes && told.to.notes !== undefined && told.to.notes !== notes) draft.ownNotes.add(notes)
  return [...opened, { type: "todo-changed", id, ...told }]
}

const changeNotesInPlace = (draft: Draft, { notes = [] }: Todo, patch: TodoPatch, seen?: TodoPatch) =>
  changeOwnNotes(patch, seen?.notes ?? [], notes, draft.ownNotes.has(notes))

const withoutNotes = ({ notes: _, ...others }: TodoPatch): TodoPatch => others

const isSame = (one: unknown, other: unknown): boolean => {
  if (one === other || typeof one !== "object" || one === null) return one === other
  if (!Array.isArray(one) || !Array.isArray(other)) return JSON.stringify(one) === JSON.stringify(other)
  // One by one: texts that stay are the same value, however long they are.
  return one.length === other.length && one.every((part, index) => part === other[index])
}
