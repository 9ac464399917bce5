/** The plans in the store as they change: summaries of all, and trackers for those that are viewed or edited. */

import { messageOf } from "../plan/headway-error.ts"
import { type Problem, warning } from "../plan/problem.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import { type PlanKey, type PlanSummary, type Store, summarise } from "../stores/store.ts"
import { openTracker } from "../tracker/open-tracker.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { keyOf } from "./joined-session.ts"
import { openPlanFor } from "./kept-sessions.ts"
import { createRecent } from "./recent.ts"

export type KeptPlans = {
  /** By key, see `keyOf`. */
  readonly summaries: ReadonlyMap<string, PlanSummary>
  /** Returns the tracker of a plan if it is open, and keeps it open for a while. */
  tracker(key: string): Tracker | undefined
  /** The number of changes of an open tracker's plan. */
  revision(key: string): number | undefined
  /** Opens a plan, or starts one for a session. It stays open while it is among the most recently used. */
  open(plan: PlanKey | DiscoveredSession): Promise<Tracker>
  /** Updates the summary from a tracker. */
  update(tracker: Tracker): void
  close(): Promise<void>
}

export type KeptPlansOptions = {
  /** Closed by the caller, after the plans. */
  store: Store
  now: () => Date
  /** Called after every change in the store. */
  onChange: () => void
  /** The current problem with the store, if any. */
  onProblem: (problem: Problem | undefined) => void
  /** Called for what could not be read in a plan. */
  log: (problem: Problem) => void
}

/** A plan takes memory only while it is viewed. */
const mostOpen = 32

export const watchKeptPlans = async (options: KeptPlansOptions): Promise<KeptPlans> => {
  const { store, now, onChange, onProblem, log } = options
  const summaries = new Map<string, PlanSummary>()
  const opening = new Map<string, Promise<Tracker>>()
  const revisions = new Map<string, number>()
  const trackers = createRecent<string, Tracker>(mostOpen, (tracker) => {
    opening.delete(keyOf(tracker.key))
    revisions.delete(keyOf(tracker.key))
    tracker.close().catch(() => {})
  })
  /** Undefined stands for all plans. */
  const changed = new Set<string | undefined>()
  let reading: Promise<void> | undefined

  const readAll = async (): Promise<void> => {
    try {
      const { plans, problems } = await store.list()
      const before = new Map(summaries)
      summaries.clear()
      for (const plan of plans) {
        const known = before.get(keyOf(plan))
        summaries.set(keyOf(plan), known && isSame(known, plan) ? known : plan)
      }
      trackers.values().forEach(update)
      onProblem(problems[0])
    } catch (cause) {
      onProblem(warning("store-failed", messageOf(cause)))
    }
  }

  const update = (tracker: Tracker): void => {
    const key = keyOf(tracker.key)
    revisions.set(key, tracker.plan.revision)
    if (tracker.ledger.entries === 0) {
      summaries.delete(key)
      return
    }
    const summary = summarise(tracker.key, tracker)
    const known = summaries.get(key)
    if (!known || !isSame(known, summary)) summaries.set(key, summary)
  }

  /** Open plans are read from their last position; a new listing is needed only for the others. */
  const readChanged = async (): Promise<void> => {
    while (changed.size > 0) {
      const keys = [...changed]
      changed.clear()
      const open = new Map(trackers.values().map((tracker) => [keyOf(tracker.key), tracker]))
      const toRead = keys.includes(undefined) ? [...open.values()] : keys.flatMap((key) => open.get(key ?? "") ?? [])
      for (const tracker of toRead) {
        await tracker.refresh().then(
          () => update(tracker),
          (cause) => onProblem(warning("store-failed", messageOf(cause))),
        )
      }
      if (keys.some((key) => key === undefined || !open.has(key))) await readAll()
      onChange()
    }
  }

  const readSoon = (plan?: PlanKey): void => {
    changed.add(plan && keyOf(plan))
    reading ??= readChanged().finally(() => {
      reading = undefined
    })
  }

  const openOne = async (plan: PlanKey | DiscoveredSession): Promise<Tracker> => {
    const { session, agent } = plan
    const how = { store, now, onProblem: log }
    const tracker = await ("planPath" in plan ? openPlanFor(plan, how) : openTracker({ ...how, session, agent }))
    revisions.set(keyOf(plan), tracker.plan.revision)
    trackers.set(keyOf(plan), tracker)
    return tracker
  }

  await readAll()
  const stop = await store.watch(readSoon, onProblem).catch((cause: unknown) => {
    onProblem(warning("store-failed", messageOf(cause)))
    return async () => {}
  })

  return {
    summaries,
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
    update,
    async close() {
      await stop()
      await reading
      await Promise.all(trackers.values().map((tracker) => tracker.close().catch(() => {})))
    },
  }
}

const isSame = (one: PlanSummary, other: PlanSummary): boolean => JSON.stringify(one) === JSON.stringify(other)
