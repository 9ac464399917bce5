/** Runs the calls of one turn in order, and in parallel only calls that allow it (behaviour C26). */

export type Queued<Result> = {
  isConcurrencySafe: boolean
  /** Must not reject. */
  run(): Promise<Result>
}

/**
 * Returns the results in the order of the calls. A call that must not run in parallel runs after all earlier ones and
 * before all later ones.
 */
export const runQueue = async <Result>(calls: readonly Queued<Result>[]): Promise<Result[]> => {
  const results: Result[] = []
  for (const group of groupsOf(calls)) results.push(...(await Promise.all(group.map((call) => call.run()))))
  return results
}

const groupsOf = <Result>(calls: readonly Queued<Result>[]): Queued<Result>[][] => {
  const groups: Queued<Result>[][] = []
  let isOpen = false
  for (const call of calls) {
    if (call.isConcurrencySafe && isOpen) groups.at(-1)?.push(call)
    else groups.push([call])
    isOpen = call.isConcurrencySafe
  }
  return groups
}
