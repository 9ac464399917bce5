/** Notes as several writers keep them: what one adds or takes away leaves alone what came from others meanwhile. */
import type { TodoPatch } from "./event.ts"

/** The patch with the notes a todo has after it. `seen` is what the writer knew of, `current` what there is now. */
export const withMergedNotes = (patch: TodoPatch, seen: readonly string[], current: readonly string[]): TodoPatch => {
  if (patch.notes === undefined || (patch.notes === null && seen.length === 0)) return patch
  const notes = mergedNotes(patch.notes ?? [], seen, current)
  return { ...patch, notes: notes.length > 0 ? notes : patch.notes && [] }
}

/** What a patch adds to the notes its writer knew of; undefined where it does anything else to them. */
export const addedNotes = ({ notes }: TodoPatch, seen: readonly string[]): string[] | undefined =>
  notes ? addedTo(seen, notes) : undefined

/**
 * A change of notes as it is told. Those that are only added to are told alone: with all that stand before them, many
 * notes on one todo would take room in proportion to their number squared.
 */
export const briefNotes = (from: TodoPatch, to: TodoPatch): { from: TodoPatch; to: TodoPatch } => {
  const added = from.notes?.length && to.notes ? addedTo(from.notes, to.notes) : undefined
  return added ? { from: { ...from, notes: null }, to: { ...to, notes: added } } : { from, to }
}

/** Which notes a change adds and which it takes away. */
export const notesBetween = (
  old: readonly string[],
  notes: readonly string[],
): { added: readonly string[]; gone: readonly string[] } => ({ added: without(notes, old), gone: without(old, notes) })

const addedTo = (old: readonly string[], notes: readonly string[]): string[] | undefined =>
  old.every((note, index) => notes[index] === note) ? notes.slice(old.length) : undefined

const mergedNotes = (wanted: readonly string[], seen: readonly string[], current: readonly string[]): string[] => {
  const added = addedTo(seen, wanted)
  if (added) return [...current, ...added]
  if (addedTo(seen, current)?.length === 0) return [...wanted]
  return [...without(current, without(seen, wanted)), ...without(wanted, seen)]
}

/** Of notes that are the same, the later ones go. What stands before the first that goes is not looked at. */
const without = (notes: readonly string[], gone: readonly string[]): string[] => {
  const counts = new Map<string, number>()
  for (const note of gone) counts.set(note, (counts.get(note) ?? 0) + 1)
  const kept: string[] = []
  let end = notes.length
  for (; end > 0 && counts.size > 0; end -= 1) {
    const note = notes[end - 1] ?? ""
    const count = counts.get(note)
    if (count === undefined) kept.push(note)
    else if (count === 1) counts.delete(note)
    else counts.set(note, count - 1)
  }
  return [...notes.slice(0, end), ...kept.toReversed()]
}
