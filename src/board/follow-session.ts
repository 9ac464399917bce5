/** Updates the plan kept for another agent's session from the list that the session shows. */
import { type Entry, fold, type Ledger, type PlanEvent, planInSight } from "../plan/index.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import { fingerprintOf } from "../sessions/fingerprint.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { isKeptFor } from "./joined-session.ts"

/** A list as seen in a session: when it was written there, and a fingerprint of its content. */
type SeenList = Pick<DiscoveredSession, "planned" | "fingerprint">

type SessionTimes = Pick<DiscoveredSession, "times" | "said">

/** The prefix of the call ids under which the log records imported lists. */
const callIdPrefix = "look"

/** Whether a call id denotes an imported list rather than a call. */
export const isImportedList = (callId: string): boolean => callId.startsWith(`${callIdPrefix} `)

/** Whether the plan was imported from a session, so that the session may have newer data. */
export const isFollowing = ({ calls }: Ledger): boolean => lastTaken(calls) !== undefined

/** The time of the latest list that was imported from the session; empty if there is none. */
export const importedUntil = ({ calls }: Pick<Ledger, "calls">): string =>
  [...calls].reduce((latest, callId) => {
    const { planned = "" } = lastTaken([callId]) ?? {}
    return planned > latest ? planned : latest
  }, "")

/**
 * Imports the list that the session shows, unless it is already known or outdated. A list that returns to an earlier
 * content has another time, so it is imported again; if no times are known, it is compared with the last imported list.
 */
export const followSession = async (
  tracker: Tracker,
  seen: SeenList & Pick<DiscoveredSession, "agentType" | "isElsewhere" | "readPlan"> & Partial<SessionTimes>,
  now: Date,
): Promise<readonly PlanEvent[]> => {
  if (seen.fingerprint === undefined) return []
  await tracker.refresh()
  // A plan without entries is started for this session.
  if (!isKeptFor(tracker.ledger.opened ?? seen, seen)) return []
  const callId = callIdFor(seen, tracker.ledger, now.toISOString())
  if (callId === undefined) return []
  // That a list has nothing new is recorded too: after a person's next change, it would seem to have.
  if (!(await hasNews(seen, tracker))) return tracker.mirror({ callId, at: seen.planned })
  const plan = await seen.readPlan()
  if (!plan) return []
  const { todos, phases } = plan
  return tracker.mirror({ todos, phases, callId, at: seen.planned, times: seen.times, said: seen.said })
}

/**
 * Adds the tasks of the session that the plan does not have, because the calls that made them were missed. The plan may be ahead of the
 * session otherwise. The session counts as not imported yet: what else it shows is imported when it is next looked at.
 */
export const addMissed = async (
  tracker: Tracker,
  { planned, fingerprint, readPlan, times }: SeenList & Pick<DiscoveredSession, "readPlan" | "times">,
): Promise<readonly PlanEvent[]> => {
  const plan = await readPlan()
  const callId = `${callIdPrefix} - missed ${fingerprint}`
  return plan ? tracker.mirror({ ...plan, callId, at: planned, times, isForMissed: true }) : []
}

/**
 * Whether the session shows another list than the plan has, and than it showed last or the agent's own entries lead to. Otherwise the
 * agent has only read its list since, or repeated it, and what a person changed in the meantime stays.
 */
const hasNews = async ({ fingerprint }: SeenList, tracker: Tracker): Promise<boolean> => {
  const isShown = ({ plan, ledger }: Pick<Tracker, "plan" | "ledger">): boolean =>
    fingerprintOf(planInSight(plan, ledger)) === fingerprint
  if (isShown(tracker)) return false
  const entries = await tracker.entries()
  const last = entries.findLast(({ by }) => by.kind === "agent")?.via?.callId
  if (last !== undefined && isImportedList(last)) return lastTaken([last])?.fingerprint !== fingerprint
  const isOfPerson = ({ by }: Entry): boolean => by.kind === "person" || by.kind === "other"
  return !isShown(fold(entries.filter((entry) => !isOfPerson(entry))))
}

/** The call id to record a list under, or undefined if the list has nothing new. */
const callIdFor = (
  { planned = "", fingerprint = "" }: SeenList,
  { calls, entries, worked = "", lastWork = "" }: Ledger,
  now: string,
): string | undefined => {
  const last = lastTaken(calls)
  const callId = callIdOf(planned, fingerprint)
  // A plan that its agent also writes by other means is ahead of its session, unless the session has a newer list. If the clock
  // was set back since the latest of those entries, the last one in the log counts.
  if (last === undefined) return entries === 0 || planned > (worked > now ? lastWork : worked) ? callId : undefined
  if (last.planned === planned && last.fingerprint === fingerprint) return undefined
  // From before the clock was set back.
  if (planned > now && calls.has(callId)) return undefined
  if (last.planned > planned) {
    // If the clock was set back since, this list may be the newer one, unless it was imported before.
    return last.planned > now && planned !== "" && !calls.has(callId) ? callId : undefined
  }
  // Another process imported an older list after this one, so this one must be imported again, but only once for all
  // processes.
  return calls.has(callId) ? `${callId} ${calls.size}` : callId
}

const callIdOf = (planned: string, fingerprint: string): string => `${callIdPrefix} ${planned || "-"} ${fingerprint}`

const lastTaken = (calls: Iterable<string>): Required<SeenList> | undefined => {
  const last = [...calls].findLast(isImportedList)
  if (last === undefined) return undefined
  const [, planned = "", fingerprint = ""] = last.split(" ")
  return { planned: planned === "-" ? "" : planned, fingerprint }
}
