/** Lets only so many actions run at once; the others wait in order. */

export type Slots = <Result>(action: () => Promise<Result>) => Promise<Result>

export const createSlots = (count: number): Slots => {
  const waiting: (() => void)[] = []
  let free = count
  return async (action) => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await action()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
