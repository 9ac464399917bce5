/** The plans in the store as they change: summaries of all, and trackers for those that are viewed or edited. */

import { type HeadwayError, isHeadwayError, messageOf } from "../plan/headway-error.ts"
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
  /** Finds out where the plans of these sessions are kept. To be called before such a plan is opened. */
  place(sessions: readonly DiscoveredSession[]): Promise<void>
  /** Opens a plan, or starts one for a session. It stays open while it is among the most recently used. */
  open(plan: PlanKey | DiscoveredSession): Promise<Tracker>
  /** Updates the summary from a tracker. */
  update(tracker: Tracker): void
  close(): Promise<void>
}

/** By key: the stores of those sessions whose plans are kept elsewhere, or why such a store cannot be used. */
export type FindStores = (sessions: readonly DiscoveredSession[]) => Promise<ReadonlyMap<string, Store | HeadwayError>>

export type KeptPlansOptions = {
  /** Closed by the caller, after the plans. */
  store: Store
  /** See the options of the board. */
  storesElsewhere?: FindStores | undefined
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
  const { store, storesElsewhere, now, onChange, onProblem, log } = options
  const summaries = new Map<string, PlanSummary>()
  const opening = new Map<string, Promise<Tracker>>()
  const revisions = new Map<string, number>()
  const trackers = createRecent<string, Tracker>(mostOpen, (tracker) => {
    opening.delete(keyOf(tracker.key))
    revisions.delete(keyOf(tracker.key))
    tracker.close().catch(() => {})
  })
  /** Undefined means all plans. */
  const changed = new Set<string | undefined>()
  let reading: Promise<void> | undefined
  /** The places of sessions whose plans are kept elsewhere. */
  const elsewhere = new Map<string, Store | HeadwayError>()
  const stops = new Map<Store, () => Promise<void>>()

  /** The plans in the store, and of those elsewhere the ones of sessions that belong there: these count before the others. */
  const listAll = async (): Promise<{ plans: PlanSummary[]; problems: Problem[] }> => {
    const { plans, problems } = await store.list()
    for (const other of stops.keys()) {
      if (other === store) continue
      const there = await other.list()
      plans.push(...there.plans.filter((plan) => elsewhere.get(keyOf(plan)) === other))
      problems.push(...there.problems)
    }
    return { plans, problems }
  }

  /** A problem with the store counts what it concerns, such as undelivered changes, so it is reported again after every change. */
  let hasProblem = false

  const readAll = async (): Promise<void> => {
    try {
      const { plans, problems } = await listAll()
      const before = new Map(summaries)
      summaries.clear()
      for (const plan of plans) {
        const known = before.get(keyOf(plan))
        summaries.set(keyOf(plan), known && isSame(known, plan) ? known : plan)
      }
      trackers.values().forEach(update)
      hasProblem = problems.length > 0
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
      if (hasProblem || keys.some((key) => key === undefined || !open.has(key))) await readAll()
      onChange()
    }
  }

  const readSoon = (plan?: PlanKey): void => {
    changed.add(plan && keyOf(plan))
    reading ??= readChanged().finally(() => {
      reading = undefined
    })
  }

  /** A plan that is here already, and not there, stays here. */
  const storeOf = async ({ session, agent }: PlanKey): Promise<Store> => {
    const key = { session, agent }
    const other = elsewhere.get(keyOf(key))
    if (!other) return store
    if (isHeadwayError(other)) throw other
    const isHere = (await other.position(key)) === undefined && (await store.position(key)) !== undefined
    return isHere ? store : other
  }

  const openOne = async (plan: PlanKey | DiscoveredSession): Promise<Tracker> => {
    const { session, agent } = plan
    const how = { store: await storeOf(plan), now, onProblem: log }
    const tracker = await ("planPath" in plan ? openPlanFor(plan, how) : openTracker({ ...how, session, agent }))
    revisions.set(keyOf(plan), tracker.plan.revision)
    trackers.set(keyOf(plan), tracker)
    return tracker
  }

  const watch = async (from: Store): Promise<void> => {
    // Set first: two that find the same store at once watch it once.
    stops.set(from, async () => {})
    const stop = await from.watch(readSoon, onProblem).catch((cause: unknown) => {
      onProblem(warning("store-failed", messageOf(cause)))
      return async () => {}
    })
    stops.set(from, stop)
  }

  const place = async (sessions: readonly DiscoveredSession[]): Promise<void> => {
    if (!storesElsewhere || sessions.length === 0) return
    const found = await storesElsewhere(sessions)
    let isChanged = false
    for (const session of sessions) {
      const key = keyOf(session)
      const other = found.get(key)
      if (isSamePlace(other, elsewhere.get(key))) continue
      if (other) elsewhere.set(key, other)
      else elsewhere.delete(key)
      isChanged = true
      const open = trackers.get(key)
      trackers.delete(key)
      opening.delete(key)
      await open?.close().catch(() => {})
      if (other && !isHeadwayError(other) && !stops.has(other)) await watch(other)
    }
    if (isChanged) await readAll()
  }

  await readAll()
  await watch(store)

  return {
    summaries,
    place,
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
      await Promise.all(Array.from(stops.values(), (stop) => stop()))
      await reading
      await Promise.all(trackers.values().map((tracker) => tracker.close().catch(() => {})))
    },
  }
}

const isSamePlace = (one: Store | HeadwayError | undefined, other: Store | HeadwayError | undefined): boolean =>
  one === other || (isHeadwayError(one) && isHeadwayError(other) && one.message === other.message)

const isSame = (one: PlanSummary, other: PlanSummary): boolean => JSON.stringify(one) === JSON.stringify(other)
