/** Tracks the running appends of this process, so that it does not remove a plan it is writing to. */

export type UnderWay = {
  /** `plan` is the digest of its key. */
  note<Result>(plan: string, action: Promise<Result>): Promise<Result>
  /** Resolves when the running appends have ended, successfully or not. */
  over(plan: string): Promise<void>
}

/** By place, because a process may have opened it twice. */
const places = new Map<string, Map<string, Set<Promise<unknown>>>>()

export const underWayAt = (place: string): UnderWay => {
  const pending = places.get(place) ?? new Map<string, Set<Promise<unknown>>>()
  places.set(place, pending)
  return {
    note(plan, action) {
      const all = pending.get(plan) ?? new Set()
      pending.set(plan, all.add(action))
      const done = (): void => {
        all.delete(action)
        if (all.size === 0 && pending.get(plan) === all) pending.delete(plan)
      }
      action.then(done, done)
      return action
    },
    over: async (plan) => void (await Promise.allSettled(pending.get(plan) ?? [])),
  }
}
