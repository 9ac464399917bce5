/** The open plans of the board: a tracker for each of the most recently used ones. */
import type { Problem } from "../plan/problem.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { PlanKey, Store } from "../stores/store.ts"
import { openTracker } from "../tracker/open-tracker.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { keyOf } from "./joined-session.ts"
import { openPlanFor } from "./kept-sessions.ts"
import { createRecent } from "./recent.ts"

export type OpenPlansOptions = {
  storeOf: (plan: PlanKey) => Promise<Store>
  now: () => Date
  /** Called for what could not be read in a plan. */
  log: (problem: Problem) => void
}

export type OpenPlans = {
  all(): Tracker[]
  /** Returns the tracker of a plan if it is open, and keeps it open for a while. */
  tracker(key: string): Tracker | undefined
  /** The number of changes of an open tracker's plan. */
  revision(key: string): number | undefined
  /** Opens a plan, or starts one for a session. */
  open(plan: PlanKey | DiscoveredSession): Promise<Tracker>
  /** To be called after a tracker has read or written. */
  update(tracker: Tracker): void
  /** Closes a plan, which is somewhere else now. */
  drop(key: string): Promise<void>
  close(): Promise<void>
}

/** A plan takes memory only while it is viewed. */
const mostOpen = 32

export const createOpenPlans = ({ storeOf, now, log }: OpenPlansOptions): OpenPlans => {
  const opening = new Map<string, Promise<Tracker>>()
  const revisions = new Map<string, number>()
  const trackers = createRecent<string, Tracker>(mostOpen, (tracker) => {
    opening.delete(keyOf(tracker.key))
    revisions.delete(keyOf(tracker.key))
    tracker.close().catch(() => {})
  })

  const openOne = async (plan: PlanKey | DiscoveredSession): Promise<Tracker> => {
    const { session, agent } = plan
    const how = { store: await storeOf(plan), now, onProblem: log }
    const tracker = await ("planPath" in plan ? openPlanFor(plan, how) : openTracker({ ...how, session, agent }))
    revisions.set(keyOf(plan), tracker.plan.revision)
    trackers.set(keyOf(plan), tracker)
    return tracker
  }

  return {
    all: () => trackers.values(),
    tracker: trackers.get,
    revision: (key) => revisions.get(key),
    async open(plan) {
      const key = keyOf(plan)
      const asked = opening.get(key) ?? openOne(plan)
      opening.set(key, asked)
      try {
        return await asked
      } catch (cause) {
        opening.delete(key)
        throw cause
      }
    },
    update: (tracker) => void revisions.set(keyOf(tracker.key), tracker.plan.revision),
    async drop(key) {
      const open = trackers.get(key)
      trackers.delete(key)
      opening.delete(key)
      await open?.close().catch(() => {})
    },
    async close() {
      await Promise.all(trackers.values().map((tracker) => tracker.close().catch(() => {})))
    },
  }
}
