/** The tracker as most hosts want it: one that tells the agent, in our words, what a person changed by hand. */
import { editNotice } from "../guidance/edit-notice.ts"
import { openTracker as open, type Tracker, type TrackerOptions } from "./tracker.ts"

export const openTracker = (options: TrackerOptions): Promise<Tracker> => open({ editNotice, ...options })
