/** Runs actions one after the other, in the order they were asked for. */

/** What an action returns or throws goes to its own caller; the next one runs in either case. */
export type InOrder = <Result>(action: () => Promise<Result>) => Promise<Result>

export const createInOrder = (): InOrder => {
  let last: Promise<unknown> = Promise.resolve()
  return (action) => {
    const result = last.then(action)
    last = result.catch(() => {})
    return result
  }
}
