/** The plans a client has subscribed to, by address; limited in number. */
import type { Plan } from "../../plan/index.ts"
import type { Tracker } from "../../tracker/tracker.ts"

export type Subscriptions = {
  /** Returns false if there are too many. Errors of `open` are passed on, and nothing is kept. */
  add(uri: string, open: () => Promise<Tracker>): Promise<boolean>
  /** Takes back one subscription. A plan that was subscribed to several times is followed until the last is taken back. */
  remove(uri: string): Promise<void>
  close(): Promise<void>
}

/** `stop` resolves once the plan is followed. */
type Followed = { count: number; stop: Promise<() => Promise<void>> }

export const createSubscriptions = (most: number, onChange: (uri: string) => void): Subscriptions => {
  const all = new Map<string, Followed>()

  const follow = async (uri: string, open: () => Promise<Tracker>): Promise<() => Promise<void>> => {
    const tracker = await open()
    let told: Plan | undefined
    const unsubscribe = tracker.subscribe(({ plan }) => {
      // Changes that were read together come with the same plan.
      if (plan !== told) onChange(uri)
      told = plan
    })
    const unfollow = await tracker.follow()
    return async () => {
      unsubscribe()
      await unfollow()
    }
  }

  const end = async (uri: string, followed: Followed): Promise<void> => {
    all.delete(uri)
    await (await followed.stop)()
  }

  return {
    async add(uri, open) {
      if (!all.has(uri) && all.size >= most) return false
      const followed = all.get(uri) ?? { count: 0, stop: follow(uri, open) }
      followed.count += 1
      all.set(uri, followed)
      try {
        await followed.stop
      } catch (cause) {
        if (all.get(uri) === followed) all.delete(uri)
        throw cause
      }
      return true
    },
    async remove(uri) {
      const followed = all.get(uri)
      if (!followed) return
      followed.count -= 1
      if (followed.count === 0) await end(uri, followed)
    },
    async close() {
      await Promise.allSettled([...all].map(([uri, followed]) => end(uri, followed)))
    },
  }
}
