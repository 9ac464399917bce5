/** Holds the sessions found now, and updates the plans kept for them as they change. */
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { PlanSummary } from "../stores/store.ts"
import { followSession } from "./follow-session.ts"
import { keyOf } from "./joined-session.ts"
import type { KeptPlans } from "./kept-plans.ts"

export type FollowedSessions = {
  /** By key, see `keyOf`. */
  readonly seen: ReadonlyMap<string, DiscoveredSession>
  /** Receives all current sessions, and which of them have changed. */
  take(all: readonly DiscoveredSession[], changed: readonly DiscoveredSession[]): void
  /** Resolves when every plan is up to date with the sessions received so far. */
  settled(): Promise<unknown>
}

export type FollowedSessionsOptions = {
  kept: Pick<KeptPlans, "summaries" | "open" | "update">
  now: () => Date
  /** Called when plans have been updated. */
  onFollowed: () => void
  onFailed: (cause: unknown) => void
}

export const createFollowedSessions = (options: FollowedSessionsOptions): FollowedSessions => {
  const { kept, now, onFollowed, onFailed } = options
  const seen = new Map<string, DiscoveredSession>()
  const following = new Map<string, Promise<unknown>>()

  /** Lists of one session are imported in order. */
  const follow = (session: DiscoveredSession): Promise<unknown> => {
    const key = keyOf(session)
    const turn = (following.get(key) ?? Promise.resolve())
      .then(async () => {
        const tracker = await kept.open(session)
        await followSession(tracker, session, now())
        kept.update(tracker)
      })
      .catch(onFailed)
    following.set(key, turn)
    return turn
  }

  const forgetOthers = (all: readonly DiscoveredSession[]): void => {
    const keys = new Set(all.map(keyOf))
    for (const key of seen.keys()) {
      if (keys.has(key)) continue
      seen.delete(key)
      following.delete(key)
    }
  }

  return {
    seen,
    take(all, changed) {
      const toFollow = changed.filter((session) => {
        const before = seen.get(keyOf(session))
        seen.set(keyOf(session), session)
        return isWorthFollowing(session, before, kept.summaries.get(keyOf(session)), now())
      })
      if (seen.size > all.length) forgetOthers(all)
      if (toFollow.length > 0) Promise.all(toFollow.map(follow)).then(onFollowed)
    },
    settled: () => Promise.all(following.values()),
  }
}

/** Whether a session may have news for its kept plan: always if its list has changed. */
const isWorthFollowing = (
  { planned = "", fingerprint, state }: DiscoveredSession,
  before: DiscoveredSession | undefined,
  plan: PlanSummary | undefined,
  now: Date,
): boolean => {
  if (!plan || fingerprint === undefined) return false
  if (before) return before.fingerprint !== fingerprint || (before.planned ?? "") !== planned
  const isSetBack = plan.updated > now.toISOString()
  return planned > (plan.worked ?? "") || isSetBack || state === "working" || state === "waiting"
}
