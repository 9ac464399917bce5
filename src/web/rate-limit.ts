/** A rate limit per caller: a burst, and then a number of requests per second. */
import { createRecent } from "../board/recent.ts"

export type RateLimitOptions = {
  /** How many requests are allowed at once, after a quiet time. */
  burst: number
  /** How many requests per second are allowed after the burst. */
  perSecond: number
  /** In milliseconds. */
  now: () => number
}

/** Returns undefined to allow the request, otherwise the seconds after which the caller may try again. */
export type RateLimit = (caller: string) => number | undefined

/** The most callers remembered. A forgotten caller starts with a full burst. */
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
