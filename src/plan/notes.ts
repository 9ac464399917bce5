/** Notes as several writers keep them: what one adds or removes leaves what others wrote in the meantime as it is. */
import type { TodoPatch } from "./event.ts"

/** The patch with the notes a todo has after it. `seen` is what the writer knew of, `current` what there is now. */
export const withMergedNotes = (patch: TodoPatch, seen: readonly string[], current: readonly string[]): TodoPatch => {
  if (patch.notes === undefined || (patch.notes === null && seen.length === 0)) return patch
  const notes = mergedNotes(patch.notes ?? [], seen, current)
  return { ...patch, notes: notes.length > 0 ? notes : patch.notes && [] }
}

/** If a todo has many more notes than a change mentions, only this many are compared, from the end. */
const reach = 250

/** How many notes of a todo are compared for a change with this many: the cost of a small change does not depend on the total. */
export const notesInReach = (notes: readonly string[], count: number): readonly string[] =>
  notes.length > reach + 4 * count ? notes.slice(-reach) : notes

export type OwnChange = {
  isChanged: boolean
  /** The list after the change. */
  notes: readonly string[]
  /** The change in its short form. */
  from: readonly string[] | null
  to: readonly string[] | null
}

/**
 * Changes a list of notes in place, or a copy of it where others hold it too. Undefined for a change that has to be merged
 * and told with the whole list: one that does more than add, unless the list is far longer than what the change says.
 */
export const changeOwnNotes = (
  { notes: wanted }: TodoPatch,
  seen: readonly string[],
  current: readonly string[],
  isOwn: boolean,
): OwnChange | undefined => {
  if (wanted === undefined || (wanted === null && seen.length === 0)) return undefined
  const only = wanted ? addedTo(seen, wanted) : undefined
  const isLong = notesInReach(current, seen.length + (wanted?.length ?? 0)) !== current
  if (!isLong && !(isOwn && only && only.length > 0)) return undefined
  const added = only ?? without(wanted ?? [], seen)
  const places = only ? [] : placesOf(current, without(seen, wanted ?? []))
  if (added.length + places.length === 0) return { isChanged: false, notes: current, from: null, to: null }
  const notes = isOwn ? (current as string[]) : [...current]
  const removed = places.flatMap((place) => notes.splice(place, 1)).reverse()
  for (const note of added) notes.push(note)
  const to = added.length > 0 ? added : wanted && []
  return { isChanged: true, notes, from: removed.length > 0 ? removed : null, to }
}

/** The positions of the removed notes, the last first. */
const placesOf = (notes: readonly string[], gone: readonly string[]): number[] => {
  const counts = countsOf(gone)
  const places: number[] = []
  const start = Math.max(0, notes.length - reach)
  for (let place = notes.length - 1; place >= start && counts.size > 0; place -= 1) {
    if (takeOne(counts, notes[place] ?? "")) places.push(place)
  }
  return places
}

/**
 * A change of notes as it is told. Those that are only added to are told alone: with all that come before them, many
 * notes on one todo would take room in proportion to their number squared.
 */
export const briefNotes = (from: TodoPatch, to: TodoPatch): { from: TodoPatch; to: TodoPatch } => {
  const added = from.notes?.length && to.notes ? addedTo(from.notes, to.notes) : undefined
  return added ? { from: { ...from, notes: null }, to: { ...to, notes: added } } : { from, to }
}

/** Which notes a change adds and which it removes. */
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

/** Of notes that are the same, the later ones go. Notes before the first removed one are not compared. */
const without = (notes: readonly string[], gone: readonly string[]): string[] => {
  const counts = countsOf(gone)
  const kept: string[] = []
  let end = notes.length
  for (; end > 0 && counts.size > 0; end -= 1) {
    const note = notes[end - 1] ?? ""
    if (!takeOne(counts, note)) kept.push(note)
  }
  return [...notes.slice(0, end), ...kept.toReversed()]
}

const countsOf = (notes: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const note of notes) counts.set(note, (counts.get(note) ?? 0) + 1)
  return counts
}

/** Whether one of these notes was left. */
const takeOne = (counts: Map<string, number>, note: string): boolean => {
  const count = counts.get(note)
  if (count === undefined) return false
  if (count === 1) counts.delete(note)
  else counts.set(note, count - 1)
  return true
}
