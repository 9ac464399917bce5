/** The summaries of all plans of a remote store, kept up to date while its changes are noticed. */
import { keyText } from "../../../plan/plan-key.ts"
import type { PlanKey, PlanSummary, Store } from "../../store.ts"

export type LiveListing = {
  /** A plan may be another one now; without a key, any of them. */
  changed(key?: PlanKey): void
  hasChanged(): boolean
  /** Lists what changed again: the sessions that did, or all of them. */
  refresh(): Promise<void>
  /** Undefined where it was never listed, or is not kept up to date any more. */
  plans(): PlanSummary[] | undefined
  keep(plans: readonly PlanSummary[]): void
  drop(): void
}

export type LiveListingOptions = {
  opened: () => Promise<Store>
  /** A plan is listed differently; without a key, any of them may be. */
  notify: (key?: PlanKey) => void
}

/** Sessions that are listed one by one: with more of them, all are listed at once. */
const mostSessions = 50

export const createLiveListing = ({ opened, notify }: LiveListingOptions): LiveListing => {
  const sessions = new Set<string>()
  let isAllOld = false
  let listing: Map<string, PlanSummary> | undefined

  const forgetChanges = (): void => {
    sessions.clear()
    isAllOld = false
  }

  const listSession = async (remote: Store, session: string): Promise<void> => {
    const { plans } = await remote.list({ session })
    // Read after the wait: all of them may have been listed, or dropped, in the meantime.
    const into = listing ?? new Map()
    for (const [name, plan] of into) if (plan.session === session) into.delete(name)
    for (const plan of plans) into.set(keyText(plan), plan)
    for (const plan of plans) notify({ session, agent: plan.agent })
    if (plans.length === 0) notify()
  }

  return {
    changed(key) {
      // A user who may only read can send notifications as well, and name any number of plans in them.
      if (key && sessions.size < mostSessions) sessions.add(key.session)
      else isAllOld = true
    },
    hasChanged: () => sessions.size > 0,
    async refresh() {
      if (sessions.size === 0 && !isAllOld) return
      if (!listing) {
        forgetChanges()
        return notify()
      }
      const remote = await opened()
      if (isAllOld) {
        forgetChanges()
        listing = byName((await remote.list()).plans)
        return notify()
      }
      for (const session of [...sessions]) {
        sessions.delete(session)
        await listSession(remote, session)
      }
    },
    plans: () => listing && [...listing.values()],
    keep(plans) {
      listing = byName(plans)
    },
    drop() {
      listing = undefined
    },
  }
}

const byName = (plans: readonly PlanSummary[]): Map<string, PlanSummary> =>
  new Map(plans.map((plan) => [keyText(plan), plan]))
