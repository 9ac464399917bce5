/** Tracks the running appends of this process, so that it does not remove a plan it is writing to. */

const pending = new Map<string, Set<Promise<unknown>>>()

export const noteUnderWay = <Result>(name: string, action: Promise<Result>): Promise<Result> => {
  const all = pending.get(name) ?? new Set()
  pending.set(name, all.add(action))
  const done = (): void => {
    all.delete(action)
    if (all.size === 0 && pending.get(name) === all) pending.delete(name)
  }
  action.then(done, done)
  return action
}

/** Resolves when the running appends have ended, successfully or not. */
export const whenOver = async (name: string): Promise<void> => void (await Promise.allSettled(pending.get(name) ?? []))
