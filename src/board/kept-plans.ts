/** The plans in the store as they change: summaries of all, and trackers for those that are viewed or edited. */

import { messageOf } from "../plan/headway-error.ts"
import { type Problem, warning } from "../plan/problem.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import { type PlanKey, type PlanSummary, type Store, summarise } from "../stores/store.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { keyOf } from "./joined-session.ts"
import { createOpenPlans } from "./open-plans.ts"
import { createPlanPlaces, type FindStores } from "./plan-places.ts"

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

export const watchKeptPlans = async (options: KeptPlansOptions): Promise<KeptPlans> => {
  const { store, storesElsewhere, now, onChange, onProblem, log } = options
  const summaries = new Map<string, PlanSummary>()
  /** Undefined means all plans. */
  const changed = new Set<string | undefined>()
  let reading: Promise<void> | undefined
  /** A problem with the store counts what it concerns, such as undelivered changes, so it is reported again after every change. */
  let hasProblem = false

  const readAll = async (): Promise<void> => {
    try {
      const { plans: listed, problems } = await places.listAll()
      const before = new Map(summaries)
      summaries.clear()
      for (const plan of listed) {
        const known = before.get(keyOf(plan))
        summaries.set(keyOf(plan), known && isSame(known, plan) ? known : plan)
      }
      plans.all().forEach(update)
      hasProblem = problems.length > 0
      onProblem(problems[0])
    } catch (cause) {
      onProblem(warning("store-failed", messageOf(cause)))
    }
  }

  const update = (tracker: Tracker): void => {
    const key = keyOf(tracker.key)
    plans.update(tracker)
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
      const open = new Map(plans.all().map((tracker) => [keyOf(tracker.key), tracker]))
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

  const places = createPlanPlaces({ store, storesElsewhere, onChange: readSoon, onProblem })
  const plans = createOpenPlans({ storeOf: places.storeOf, now, log })

  await readAll()
  await places.watch(store)

  return {
    summaries,
    async place(sessions) {
      if (await places.place(sessions, plans.drop)) await readAll()
    },
    tracker: plans.tracker,
    revision: plans.revision,
    open: plans.open,
    update,
    async close() {
      await places.close()
      await reading
      await plans.close()
    },
  }
}

const isSame = (one: PlanSummary, other: PlanSummary): boolean => JSON.stringify(one) === JSON.stringify(other)
