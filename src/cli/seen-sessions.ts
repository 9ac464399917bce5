/** The sessions that are seen now; plans we keep for some of them are brought in step as they go on. */
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { KeptPlans } from "./kept-plans.ts"
import { nameOf } from "./listed.ts"
import { followLook } from "./looks.ts"

export type SeenSessions = {
  /** By name, see `nameOf`. */
  readonly found: ReadonlyMap<string, DiscoveredSession>
  /** Takes the next look at all sessions. */
  take(all: readonly DiscoveredSession[], changed: readonly DiscoveredSession[]): void
  /** Resolves when every plan is in step with what was taken so far. */
  settled(): Promise<unknown>
}

export type SeenSessionsOptions = {
  kept: Pick<KeptPlans, "summaries" | "open" | "update">
  /** Called when plans are in step again. */
  onFollowed: () => void
  onFailed: (cause: unknown) => void
}

export const createSeenSessions = ({ kept, onFollowed, onFailed }: SeenSessionsOptions): SeenSessions => {
  const found = new Map<string, DiscoveredSession>()
  const following = new Map<string, Promise<unknown>>()

  /** One look at a session after the other. */
  const follow = (session: DiscoveredSession): Promise<unknown> => {
    const name = nameOf(session)
    const turn = (following.get(name) ?? Promise.resolve())
      .then(async () => {
        const tracker = await kept.open(session)
        await followLook(tracker, session)
        kept.update(tracker)
      })
      .catch(onFailed)
    following.set(name, turn)
    return turn
  }

  const forgetOthers = (all: readonly DiscoveredSession[]): void => {
    const names = new Set(all.map(nameOf))
    for (const name of found.keys()) {
      if (names.has(name)) continue
      found.delete(name)
      following.delete(name)
    }
  }

  return {
    found,
    take(all, changed) {
      const toFollow = changed.filter((session) => {
        const before = found.get(nameOf(session))
        found.set(nameOf(session), session)
        return isWorthFollowing(session, before, kept.summaries.get(nameOf(session))?.updated)
      })
      if (found.size > all.length) forgetOthers(all)
      if (toFollow.length > 0) Promise.all(toFollow.map(follow)).then(onFollowed)
    },
    settled: () => Promise.all(following.values()),
  }
}

/** Whether a session may say more than the plan we keep for it: always when its list is another one than before. */
const isWorthFollowing = (
  { planned = "", print, state }: DiscoveredSession,
  before: DiscoveredSession | undefined,
  updated: string | undefined,
): boolean => {
  if (updated === undefined || print === undefined) return false
  if (before) return before.print !== print || (before.planned ?? "") !== planned
  return planned > updated || state === "working" || state === "waiting"
}
