/** The tracker as most hosts want it: it tells the agent in our words what a person changed, and keeps an error log. */
import { editNotice } from "../guidance/edit-notice.ts"
import { createErrorSink } from "../home/error-log.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import { openTracker as open, type Tracker, type TrackerOptions } from "./tracker.ts"

export const openTracker = (options: TrackerOptions): Promise<Tracker> =>
  open({ editNotice, ...logging(options), ...options })

/** Where a host does not listen for problems, they go to the error log of the home that the plans are kept in. */
const logging = ({ store, now }: TrackerOptions): Pick<TrackerOptions, "onProblem"> => {
  if (store.home === undefined) return {}
  const sink = createErrorSink({ home: store.home, ...(now ? { now } : {}) })
  return {
    onProblem: ({ code, message }) => {
      // What a model got wrong is in the reply already.
      if (code !== "call-refused") sink(new HeadwayError(code, message))
    },
  }
}
