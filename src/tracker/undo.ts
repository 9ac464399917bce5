/** Undoes one change of a plan as a new entry. */
import { frozenEvents } from "../plan/frozen.ts"
import { type Actor, entryVersion, lastUndoable, replay, undoing, wouldChange } from "../plan/index.ts"
import type { PlanLog } from "./log.ts"
import type { Undone } from "./tracker.ts"

export type UndoOptions = {
  /** The entry to undo. @default the last change by an actor of the same kind */
  entryId: string | undefined
  now: () => Date
  newId: () => string
}

/** Returns undefined if there is no such change. If nothing of it can be undone, nothing is recorded. */
export const undo = async (
  log: PlanLog,
  by: Actor,
  { entryId, now, newId }: UndoOptions,
): Promise<Undone | undefined> => {
  await log.catchUp()
  const which = entryId === undefined ? { by: by.kind, id: by.id } : { entry: entryId }
  const replayed = replay(await log.entries())
  const last = lastUndoable(replayed.happenings, which)
  if (!last) return undefined
  const { events, left } = undoing(replayed, last)
  const part = { id: newId(), at: now().toISOString(), by, events, undoes: last.entry.id }
  const isEffective = wouldChange(replayed, { v: entryVersion, ...part })
  const happened = isEffective ? await log.commit(part) : []
  return { undone: last.entry, events: frozenEvents(happened), left }
}
