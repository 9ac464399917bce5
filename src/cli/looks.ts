/** Keeps the plan we hold for a session of another agent in step with the list that session shows. */
import type { Ledger, PlanEvent } from "../plan/index.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { isOf } from "./listed.ts"

/** A look at a list, as the log names it: when it was said, and what it says. */
type Look = Pick<DiscoveredSession, "planned" | "print">

const word = "look"

/** Whether the plan was taken over from a session, so that the session may know more than we do. */
export const isFollowing = ({ calls }: Ledger): boolean => lastLook(calls) !== undefined

/**
 * Takes over what the session shows, unless that is known or out of date. A list that goes back to what it was before was
 * said at another time, so it is another look; where no times are said, the looks before it tell.
 */
export const followLook = async (tracker: Tracker, found: DiscoveredSession): Promise<readonly PlanEvent[]> => {
  if (found.print === undefined) return []
  await tracker.refresh()
  if (!isOf(tracker.ledger.opened ?? {}, found)) return []
  const mark = markFor(found, tracker.ledger)
  const plan = mark === undefined ? undefined : found.plan
  return mark !== undefined && plan ? tracker.mirror({ todos: plan.todos, phases: plan.phases, mark }) : []
}

/** Undefined when this look brings nothing new. */
const markFor = ({ planned = "", print = "" }: Look, { calls, entries, updated = "" }: Ledger): string | undefined => {
  const last = lastLook(calls)
  // A plan that is also fed in another way is ahead of its session, unless the session has spoken since.
  if (last === undefined) return entries === 0 || planned > updated ? markOf(planned, print) : undefined
  if (last.planned > planned || (last.planned === planned && last.print === print)) return undefined
  const mark = markOf(planned, print)
  // Somebody's older look came in behind this one: it must count once more, and for all who see that only once.
  return calls.has(mark) ? `${mark} ${calls.size}` : mark
}

const markOf = (planned: string, print: string): string => `${word} ${planned || "-"} ${print}`

const lastLook = (calls: ReadonlySet<string>): Required<Look> | undefined => {
  const last = [...calls].findLast((call) => call.startsWith(`${word} `))
  if (last === undefined) return undefined
  const [, planned = "", print = ""] = last.split(" ")
  return { planned: planned === "-" ? "" : planned, print }
}
