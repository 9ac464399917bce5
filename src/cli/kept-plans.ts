/** The plans in the store as they change: all of them in short, and those that somebody looks at or edits as trackers. */

import type { Problem } from "../plan/problem.ts"
import { warning } from "../plan/problem.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import { summarise } from "../stores/_summary.ts"
import type { PlanKey, PlanSummary, Store } from "../stores/store.ts"
import { openTracker } from "../tracker/open-tracker.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { openFound } from "./kept-sessions.ts"
import { nameOf } from "./listed.ts"

export type KeptPlans = {
  /** By name, see `nameOf`. */
  readonly summaries: ReadonlyMap<string, PlanSummary>
  /** The tracker of a plan, if it is open; whoever asks keeps it so for a while. */
  tracker(name: string): Tracker | undefined
  /** How often the plan of an open tracker has changed. */
  revision(name: string): number | undefined
  /** Opens a plan, or the one that begins for a session. It stays open as long as it is among the last ones asked for. */
  open(key: PlanKey | DiscoveredSession): Promise<Tracker>
  /** Reads again what a tracker knows by now. */
  update(tracker: Tracker): void
  close(): Promise<void>
}

export type KeptPlansOptions = {
  store: Store
  now: () => Date
  /** Called after every change in the store, by whomever. */
  onChange: () => void
  /** What is wrong with the store now; undefined when it is well. */
  onProblem: (problem: Problem | undefined) => void
  /** Told of what could not be read in a plan. */
  log: (problem: Problem) => void
}

/** A plan takes memory only while it is looked at. */
const mostOpen = 32

export const watchKeptPlans = async (options: KeptPlansOptions): Promise<KeptPlans> => {
  const { store, now, onChange, onProblem, log } = options
  const summaries = new Map<string, PlanSummary>()
  const opening = new Map<string, Promise<Tracker>>()
  const trackers = new Map<string, Tracker>()
  const revisions = new Map<string, number>()
  const told = new Set<string>()
  let reading: Promise<void> | undefined

  const readAll = async (): Promise<void> => {
    try {
      const { plans, problems } = await store.list()
      const before = new Map(summaries)
      summaries.clear()
      for (const plan of plans) {
        const known = before.get(nameOf(plan))
        summaries.set(nameOf(plan), known && isSame(known, plan) ? known : plan)
      }
      for (const tracker of trackers.values()) update(tracker)
      onProblem(problems[0])
    } catch (cause) {
      onProblem(warning("store-failed", messageOf(cause)))
    }
  }

  const update = (tracker: Tracker): void => {
    const name = nameOf(tracker.key)
    revisions.set(name, tracker.plan.revision)
    if (tracker.ledger.entries === 0) {
      summaries.delete(name)
      return
    }
    const summary = summarise(tracker.key, tracker)
    const known = summaries.get(name)
    if (!known || !isSame(known, summary)) summaries.set(name, summary)
  }

  /** What is open is read on from where it stands; only for the others all are listed anew. */
  const readTold = async (): Promise<void> => {
    while (told.size > 0) {
      const names = [...told]
      told.clear()
      for (const tracker of names.flatMap((name) => trackers.get(name) ?? [])) {
        await tracker.refresh().then(
          () => update(tracker),
          (cause) => onProblem(warning("store-failed", messageOf(cause))),
        )
      }
      if (names.some((name) => !trackers.has(name))) await readAll()
      onChange()
    }
  }

  const hear = (key: PlanKey): void => {
    told.add(nameOf(key))
    reading ??= readTold().finally(() => {
      reading = undefined
    })
  }

  const openOne = async (key: PlanKey | DiscoveredSession): Promise<Tracker> => {
    const { session, agent } = key
    const how = { store, now, onProblem: log }
    const tracker = await ("planPath" in key
      ? openFound({ ...how, found: key })
      : openTracker({ ...how, session, agent }))
    trackers.set(nameOf(key), tracker)
    revisions.set(nameOf(key), tracker.plan.revision)
    return tracker
  }

  const forgetOldest = (): void => {
    for (const [name, tracker] of [...trackers].slice(0, Math.max(0, trackers.size - mostOpen))) {
      for (const known of [trackers, opening, revisions]) known.delete(name)
      tracker.close().catch(() => {})
    }
  }

  await readAll()
  const stop = await store.watch(hear).catch((cause: unknown) => {
    onProblem(warning("store-failed", messageOf(cause)))
    return async () => {}
  })

  return {
    summaries,
    tracker(name) {
      const tracker = trackers.get(name)
      if (tracker) {
        trackers.delete(name)
        trackers.set(name, tracker)
      }
      return tracker
    },
    revision: (name) => revisions.get(name),
    async open(key) {
      const name = nameOf(key)
      const asked = opening.get(name) ?? openOne(key)
      opening.set(name, asked)
      try {
        const tracker = await asked
        forgetOldest()
        return tracker
      } catch (cause) {
        opening.delete(name)
        throw cause
      }
    },
    update,
    async close() {
      await stop()
      await reading
      await Promise.all([...trackers.values()].map((tracker) => tracker.close().catch(() => {})))
      await store.close()
    },
  }
}

const isSame = (one: PlanSummary, other: PlanSummary): boolean => JSON.stringify(one) === JSON.stringify(other)

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
