/**
 * The tracker with the usual defaults: it tells the agent about a person's changes in Headway's words, and keeps an
 * error log.
 */
import { editNotice } from "../guidance/edit-notice.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import { openTracker as open, type Tracker, type TrackerOptions } from "./tracker.ts"

export const openTracker = async (options: TrackerOptions): Promise<Tracker> => {
  assertUsable(options)
  return open({ editNotice, ...(await logging(options)), ...options })
}

/** Without types, a program may leave out an option, or forget to wait for the store. */
const assertUsable = ({ store, session }: { store?: unknown; session?: unknown }): void => {
  if (typeof store !== "object" || store === null || !("load" in store))
    throw new HeadwayError("usage", 'openTracker needs a store: { store: await openStore("file:"), … }')
  if (typeof session !== "string" || session === "")
    throw new HeadwayError("usage", 'openTracker needs the name of a session: { session: "my-session", … }')
}

/**
 * Without a listener, problems go to the error log of the home that has the plans. It is loaded on demand, because a
 * host without files may not have the modules to write them.
 */
const logging = async ({ store, now, onProblem }: TrackerOptions): Promise<Pick<TrackerOptions, "onProblem">> => {
  if (store.home === undefined || onProblem !== undefined) return {}
  const { createErrorSink } = await import("../home/error-log.ts")
  const sink = createErrorSink({ home: store.home, ...(now ? { now } : {}) })
  return {
    onProblem: ({ code, message }) => {
      // A model's mistakes are already in the reply.
      if (code !== "call-refused") sink(new HeadwayError(code, message))
    },
  }
}
