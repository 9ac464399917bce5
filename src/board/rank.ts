/** The order of rows: they keep their places while agents work in parallel; new and restarted ones come first. */
import { isAsleep, type Joined, type JoinedSession } from "./joined-session.ts"

/** The keys of these sessions in their order. `before` is what a row was made from the last time. */
export type Rank = (joined: ReadonlyMap<string, Joined>, before: (key: string) => JoinedSession | undefined) => string[]

export const createRank = (): Rank => {
  const ranks = new Map<string, number>()
  let highest = 0
  return (joined, before) => {
    const risen = [...joined].filter(([key, { session }]) => {
      const last = before(key)
      return !ranks.has(key) || (last && isAsleep(last) && session.state === "working")
    })
    for (const [key] of risen.sort(([, one], [, other]) => (one.session.updated > other.session.updated ? 1 : -1))) {
      highest += 1
      ranks.set(key, highest)
    }
    return [...joined.keys()].sort((one, other) => (ranks.get(other) ?? 0) - (ranks.get(one) ?? 0))
  }
}
