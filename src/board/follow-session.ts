/** Brings the plan we keep for a session of another agent in step with the list that the session shows. */
import type { Ledger, PlanEvent } from "../plan/index.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { isKeptFor } from "./joined-session.ts"

/** A list as it was seen in a session: when it was written there, and a fingerprint of what it says. */
type SeenList = Pick<DiscoveredSession, "planned" | "fingerprint">

/** The first word of the call ids under which the log records the lists taken over. */
const callIdPrefix = "look"

/** Whether a call id stands for a list that was taken over, and not for a call. */
export const isLook = (callId: string): boolean => callId.startsWith(`${callIdPrefix} `)

/** Whether the plan was taken over from a session, so that the session may know more than we do. */
export const isFollowing = ({ calls }: Ledger): boolean => lastTaken(calls) !== undefined

/**
 * Takes over what the session shows, unless that is known or out of date. A list that goes back to what it was before was
 * written at another time, so it is taken over again; where no times are known, the list taken over last decides.
 */
export const followSession = async (
  tracker: Tracker,
  seen: SeenList & Pick<DiscoveredSession, "agentType" | "isElsewhere" | "readPlan">,
): Promise<readonly PlanEvent[]> => {
  if (seen.fingerprint === undefined) return []
  await tracker.refresh()
  // A plan that is not begun yet begins for this session.
  if (!isKeptFor(tracker.ledger.opened ?? seen, seen)) return []
  const callId = callIdFor(seen, tracker.ledger)
  const plan = callId === undefined ? undefined : await seen.readPlan()
  return callId !== undefined && plan ? tracker.mirror({ todos: plan.todos, phases: plan.phases, callId }) : []
}

/** The call id to record a list under; undefined when the list brings nothing new. */
const callIdFor = (
  { planned = "", fingerprint = "" }: SeenList,
  { calls, entries, updated = "" }: Ledger,
): string | undefined => {
  const last = lastTaken(calls)
  // A plan that is also written in another way is ahead of its session, unless the session has a newer list.
  if (last === undefined) return entries === 0 || planned > updated ? callIdOf(planned, fingerprint) : undefined
  if (last.planned > planned || (last.planned === planned && last.fingerprint === fingerprint)) return undefined
  const callId = callIdOf(planned, fingerprint)
  // Another process took over an older list after this one: this one must count again, but once for all who see it.
  return calls.has(callId) ? `${callId} ${calls.size}` : callId
}

const callIdOf = (planned: string, fingerprint: string): string => `${callIdPrefix} ${planned || "-"} ${fingerprint}`

const lastTaken = (calls: ReadonlySet<string>): Required<SeenList> | undefined => {
  const last = [...calls].findLast(isLook)
  if (last === undefined) return undefined
  const [, planned = "", fingerprint = ""] = last.split(" ")
  return { planned: planned === "-" ? "" : planned, fingerprint }
}
