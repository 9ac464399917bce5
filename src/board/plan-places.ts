/** In which stores the plans of the board are: in the main one, or in one elsewhere for some sessions. */
import { type HeadwayError, isHeadwayError, messageOf } from "../plan/headway-error.ts"
import { type Problem, warning } from "../plan/problem.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { PlanKey, PlanSummary, Store } from "../stores/store.ts"
import { keyOf } from "./joined-session.ts"

/** By key: the stores of those sessions whose plans are kept elsewhere, or why such a store cannot be used. */
export type FindStores = (sessions: readonly DiscoveredSession[]) => Promise<ReadonlyMap<string, Store | HeadwayError>>

export type PlanPlacesOptions = {
  store: Store
  storesElsewhere: FindStores | undefined
  /** Called after every change in a store; without a plan if any may have changed. */
  onChange: (plan?: PlanKey) => void
  onProblem: (problem: Problem | undefined) => void
}

export type PlanPlaces = {
  /** The plans in the store, and of those elsewhere the ones of sessions that belong there: these count before the others. */
  listAll(): Promise<{ plans: PlanSummary[]; problems: Problem[] }>
  /** The store for a plan. A plan that is in the main store already, and not elsewhere, stays there. */
  storeOf(plan: PlanKey): Promise<Store>
  /** Finds out where the plans of these sessions are kept. Returns whether any of them is now in another place. */
  place(sessions: readonly DiscoveredSession[], onMoved: (key: string) => Promise<void>): Promise<boolean>
  /** Begins to watch a store. */
  watch(from: Store): Promise<void>
  close(): Promise<void>
}

export const createPlanPlaces = ({ store, storesElsewhere, onChange, onProblem }: PlanPlacesOptions): PlanPlaces => {
  /** The places of sessions whose plans are kept elsewhere. */
  const elsewhere = new Map<string, Store | HeadwayError>()
  const stops = new Map<Store, () => Promise<void>>()

  const watch = async (from: Store): Promise<void> => {
    // Set first: two that find the same store at once watch it once.
    stops.set(from, async () => {})
    const stop = await from.watch(onChange, onProblem).catch((cause: unknown) => {
      onProblem(warning("store-failed", messageOf(cause)))
      return async () => {}
    })
    stops.set(from, stop)
  }

  return {
    watch,
    async listAll() {
      const { plans, problems } = await store.list()
      for (const other of stops.keys()) {
        if (other === store) continue
        const there = await other.list()
        plans.push(...there.plans.filter((plan) => elsewhere.get(keyOf(plan)) === other))
        problems.push(...there.problems)
      }
      return { plans, problems }
    },
    async storeOf({ session, agent }) {
      const key = { session, agent }
      const other = elsewhere.get(keyOf(key))
      if (!other) return store
      if (isHeadwayError(other)) throw other
      const isHere = (await other.position(key)) === undefined && (await store.position(key)) !== undefined
      return isHere ? store : other
    },
    async place(sessions, onMoved) {
      if (!storesElsewhere || sessions.length === 0) return false
      const found = await storesElsewhere(sessions)
      let isChanged = false
      for (const session of sessions) {
        const key = keyOf(session)
        const other = found.get(key)
        if (isSamePlace(other, elsewhere.get(key))) continue
        if (other) elsewhere.set(key, other)
        else elsewhere.delete(key)
        isChanged = true
        await onMoved(key)
        if (other && !isHeadwayError(other) && !stops.has(other)) await watch(other)
      }
      return isChanged
    },
    async close() {
      await Promise.all(Array.from(stops.values(), (stop) => stop()))
    },
  }
}

const isSamePlace = (one: Store | HeadwayError | undefined, other: Store | HeadwayError | undefined): boolean =>
  one === other || (isHeadwayError(one) && isHeadwayError(other) && one.message === other.message)
