/** Why something cannot be done with a remote store, and what an error says about the store and about other plans. */
import { HeadwayError, isHeadwayError } from "../../../plan/index.ts"

export const readOnly = (name: string): HeadwayError =>
  new HeadwayError("read-only", `${name} is read-only for you: its user may read plans but not change them.`)

export const awayError = (name: string, since: string, what: string): HeadwayError =>
  new HeadwayError("store-away", `${name} has been unreachable since ${since}, and without it ${what}.`)

/** Whether something is wrong with the log of one plan there, and others can be delivered all the same. */
export const isOfOnePlan = (cause: unknown): boolean => isHeadwayError(cause) && cause.code === "plan-stuck"

/** Whether this user has no right to it there. */
export const isForbidden = (cause: unknown): cause is Error => isHeadwayError(cause) && cause.code === "read-only"

/** Whether the remote store was reached, and only did not take something. */
export const wasReached = (cause: unknown): boolean => isOfOnePlan(cause) || isForbidden(cause)

/** Whether the error is about a single entry: the following entries may still be accepted. */
export const isRefusal = (cause: unknown): cause is Error => isHeadwayError(cause) && refusals.includes(cause.code)

const refusals = ["entry-too-long", "entry-refused"]
