/** Adds, moves and removes the phases of a draft. */

import type { Place, PlanEvent } from "../event.ts"
import type { Draft } from "./draft.ts"

export const addPhase = (draft: Draft, name: string, after: Place | undefined): PlanEvent[] => {
  const { phases } = draft
  const isPlace = after === "" || (after !== undefined && after !== name && phases.has(after))
  const was = phases.has(name) ? phases.before(name) : undefined
  if (name === "" || (was !== undefined && (!isPlace || after === was))) return []
  const moved = (): Place => {
    phases.remove(name)
    const place = isPlace ? after : phases.last()
    phases.put(name, place)
    return place
  }
  const place = draft.work ? draft.work.movePhase(name, moved) : moved()
  return [{ type: "phase-added", name, after: place, ...(was === undefined ? {} : { was }) }]
}

/** A phase is added with its first todo, as a separate event, so that undoing that also removes the phase. */
export const openPhase = (draft: Draft, name: string | undefined): PlanEvent[] =>
  name === undefined || draft.phases.has(name) ? [] : addPhase(draft, name, undefined)

export const removePhase = (draft: Draft, name: string): PlanEvent[] => {
  if (!draft.phases.has(name) || draft.phases.isUsed(name)) return []
  const was = draft.phases.before(name)
  draft.phases.remove(name)
  return [{ type: "phase-removed", name, was }]
}
