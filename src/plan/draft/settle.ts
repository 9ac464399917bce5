/** What must hold once an entry is applied: one todo in progress at most, or at least. */

import type { PlanEvent, Settle } from "../event.ts"
import { change } from "./change.ts"
import { type Draft, workOf } from "./draft.ts"

/** `heedsHeld`: a status that is held is not settled otherwise. */
export const settling = (
  draft: Draft,
  { oneActive = false, autoStart = false }: Settle,
  heedsHeld: boolean,
): PlanEvent[] => {
  // Most changes leave one todo in progress, or nothing to begin.
  const { in_progress: begun, pending } = draft.counts
  const isSettled = begun === 1 || (begun === 0 ? !autoStart || pending === 0 : !oneActive)
  if ((!oneActive && !autoStart) || isSettled) return []
  const work = workOf(draft)
  if (begun === 0) {
    const next = work.next(!heedsHeld)
    return next ? change(draft, next.id, { status: "in_progress" }) : []
  }
  const active = work.active(!heedsHeld)
  // One that is held stays in progress in any case: then none of the others does.
  const others = heedsHeld && work.hasHeldActive ? active : active.slice(1)
  return others.flatMap(({ id }) => change(draft, id, { status: "pending" }))
}
