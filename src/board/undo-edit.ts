/** Takes back the last thing a person did to a plan, whatever its agent has done since. */
import { type Actor, type Entry, lastUndoable, type PlanEvent, replay } from "../plan/index.ts"
import type { Tracker } from "../tracker/tracker.ts"

/** Undefined when no person did anything that is not taken back already. */
export const undoEdit = async (
  tracker: Tracker,
  by: Actor,
): Promise<{ undone: Entry; events: readonly PlanEvent[] } | undefined> => {
  const { happenings } = replay(await tracker.entries())
  const last = lastUndoable(happenings.filter(({ entry }) => entry.by.kind === "person"))
  return last && tracker.undo(by, last.entry.id)
}
