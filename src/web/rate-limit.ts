/** A rate limit per caller: a burst, and then a number of requests per second. */
import { createRecent } from "../board/recent.ts"

export type RateLimitOptions = {
  /** At once, after a while of silence. */
  burst: number
  /** From then on, in a second. */
  perSecond: number
  /** In milliseconds. */
  now: () => number
}

/** Undefined lets the request in; else in how many seconds it may be tried again. */
export type RateLimit = (caller: string) => number | undefined

/** The most callers remembered. A forgotten one starts afresh. */
const mostCallers = 1_000

export const createRateLimit = ({ burst, perSecond, now }: RateLimitOptions): RateLimit => {
  const callers = createRecent<string, { left: number; at: number }>(mostCallers)
  return (caller) => {
    const time = now()
    const known = callers.get(caller)
    const left = known ? Math.min(burst, known.left + (Math.max(0, time - known.at) / 1000) * perSecond) : burst
    const isIn = left >= 1
    callers.set(caller, { left: isIn ? left - 1 : left, at: time })
    return isIn ? undefined : Math.ceil((1 - left) / perSecond)
  }
}
