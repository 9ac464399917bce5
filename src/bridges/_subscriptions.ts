/** The plans a client wants to hear of when they change, by the addresses it gave; so many and no more. */
import type { Tracker } from "../tracker/tracker.ts"

export type Subscriptions = {
  /** False when there are too many already. Throws what `open` throws, and then keeps nothing. */
  add(uri: string, open: () => Promise<Tracker>): Promise<boolean>
  remove(uri: string): Promise<void>
  close(): Promise<void>
}

export const createSubscriptions = (most: number, onChange: (uri: string) => void): Subscriptions => {
  const stops = new Map<string, Promise<() => Promise<void>>>()

  const follow = async (uri: string, open: () => Promise<Tracker>): Promise<() => Promise<void>> => {
    const tracker = await open()
    const unsubscribe = tracker.subscribe(() => onChange(uri))
    const unfollow = await tracker.follow()
    return async () => {
      unsubscribe()
      await unfollow()
    }
  }

  const remove = async (uri: string): Promise<void> => {
    const stop = stops.get(uri)
    stops.delete(uri)
    await (await stop)?.()
  }

  return {
    async add(uri, open) {
      if (stops.has(uri)) return true
      if (stops.size >= most) return false
      const stop = follow(uri, open)
      stops.set(uri, stop)
      try {
        await stop
      } catch (cause) {
        stops.delete(uri)
        throw cause
      }
      return true
    },
    remove,
    async close() {
      await Promise.allSettled([...stops.keys()].map(remove))
    },
  }
}
