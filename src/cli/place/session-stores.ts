/** The stores of sessions whose plans are kept elsewhere than a command's own, such as in a repository the person is not in. */
import { byKey, isKeptFor, keyOf } from "../../board/joined-session.ts"
import type { FindStores } from "../../board/plan-places.ts"
import { trustedProjects } from "../../home/trust/trust.ts"
import { type HeadwayError, isHeadwayError } from "../../plan/headway-error.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { PlanKey, PlanSummary, Store } from "../../stores/store.ts"
import { reporter } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import { homeOf, storeOf } from "./place.ts"
import { contextsOfSessions } from "./session-place.ts"

/** A person's edit is kept with the session, as by the other commands, and not in the repository they are in. */
export const findStores =
  (context: Context, store: Store): FindStores =>
  async (sessions) => {
    const stores = new Map<string, Store | HeadwayError>()
    const contextOf = contextsOfSessions(context)
    const opened = new Map<Context, Store>()
    const storeAt = async (at: Context): Promise<Store> => {
      const there = opened.get(at) ?? (await storeOf(at, { isQuiet: true }))
      opened.set(at, there)
      return there
    }
    for (const session of sessions) {
      // A file that may have been copied from anywhere decides nothing.
      if (session.isElsewhere) continue
      try {
        const at = await contextOf(session)
        const there = at && (await storeAt(at))
        if (there && there !== store) stores.set(keyOf(session), there)
      } catch (cause) {
        if (!isHeadwayError(cause)) throw cause
        stores.set(keyOf(session), cause)
      }
    }
    return stores
  }

export type PlansAndSessions = {
  plans: readonly PlanSummary[]
  sessions: readonly DiscoveredSession[]
  /** Where these plans are kept. */
  store: Store
}

export type PlacedPlans = { plans: readonly PlanSummary[]; storeOf: (plan: PlanKey) => Store }

/**
 * These plans and those that are kept elsewhere for the sessions, each with its store. A session's plan that is in both counts as
 * it is where the session belongs, as on the board.
 */
export const withPlansElsewhere = async (
  context: Context,
  { plans, sessions, store }: PlansAndSessions,
): Promise<PlacedPlans> => {
  const here = { plans, storeOf: () => store }
  // Only repositories that are trusted keep plans, and a person who asks for the plans of one means those alone.
  if (sessions.length === 0 || context.values.project || trustedProjects(homeOf(context)).length === 0) return here
  const found = await findStores(context, store)(sessions)
  const seen = byKey(sessions)
  const others = new Map<string, PlanSummary>()
  const stores = new Map<string, Store>()
  for (const other of new Set(found.values())) {
    // A store that cannot be used says so when its plan is shown or changed.
    if (isHeadwayError(other)) continue
    const { plans: there, problems } = await other.list()
    problems.forEach(reporter(context))
    for (const plan of there) {
      const key = keyOf(plan)
      const session = seen.get(key)
      if (found.get(key) !== other || !session || !isKeptFor(plan, session)) continue
      others.set(key, plan)
      stores.set(key, other)
    }
  }
  if (others.size === 0) return here
  const all = [...byKey(plans), ...others]
  return { plans: [...new Map(all).values()], storeOf: (plan) => stores.get(keyOf(plan)) ?? store }
}
