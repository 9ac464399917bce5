/** The tracker as most hosts want it: it tells the agent in our words what a person changed, and keeps an error log. */
import { editNotice } from "../guidance/edit-notice.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import { openTracker as open, type Tracker, type TrackerOptions } from "./tracker.ts"

export const openTracker = async (options: TrackerOptions): Promise<Tracker> =>
  open({ editNotice, ...(await logging(options)), ...options })

/**
 * Where a host does not listen for problems, they go to the error log of the home that the plans are kept in. It is loaded only there: a host
 * without files may have no module that writes them.
 */
const logging = async ({ store, now, onProblem }: TrackerOptions): Promise<Pick<TrackerOptions, "onProblem">> => {
  if (store.home === undefined || onProblem !== undefined) return {}
  const { createErrorSink } = await import("../home/error-log.ts")
  const sink = createErrorSink({ home: store.home, ...(now ? { now } : {}) })
  return {
    onProblem: ({ code, message }) => {
      // What a model got wrong is in the reply already.
      if (code !== "call-refused") sink(new HeadwayError(code, message))
    },
  }
}
