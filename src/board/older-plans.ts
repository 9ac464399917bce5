/** Kept plans that a listing only counts: old plans of sessions that have no other plan and no files. */
import type { OlderSessions } from "../sessions/discover.ts"
import { waitingFor } from "../sessions/join/activity.ts"
import type { PlanSummary } from "../stores/store.ts"

export type OlderPlans = Pick<OlderSessions, "before" | "least"> & {
  now: Date
  /** The number of plans of each session, see `countPlans`. */
  counts: ReadonlyMap<string, number>
  /** The ids of sessions found in agents' files; their plans are joined with these sessions. */
  seen: ReadonlySet<string>
}

/** Counts the plans of each session. */
export const countPlans = (plans: readonly PlanSummary[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { session } of plans) counts.set(session, (counts.get(session) ?? 0) + 1)
  return counts
}

/** Returns the plans to show, the newest first, and the number of those that are only counted. */
export const withoutOlder = (
  plans: readonly PlanSummary[],
  { before, least, now, counts, seen }: OlderPlans,
): { plans: PlanSummary[]; older: number } => {
  // The state of an agent changes with time for as long as it may be waiting for the person.
  const isOver = isBefore(Math.min(before, now.getTime() - waitingFor))
  const kept: PlanSummary[] = []
  const old: PlanSummary[] = []
  for (const plan of plans) {
    const { session, agent, updated, worked } = plan
    const isAlone = agent === "main" && counts.get(session) === 1 && !seen.has(session)
    const isOld = isAlone && isOver(updated) && (worked === undefined || worked === updated || isOver(worked))
    if (isOld) old.push(plan)
    else kept.push(plan)
  }
  // Keep all plans of the same time: a listing decides between them by name.
  const since = newestTimes(old, least)[least - 1]
  for (const plan of old) if (least > 0 && (since === undefined || plan.updated >= since)) kept.push(plan)
  return { plans: kept.sort(newestFirst), older: plans.length - kept.length }
}

const newestFirst = (one: PlanSummary, other: PlanSummary): number =>
  one.updated < other.updated ? 1 : one.updated > other.updated ? -1 : 0

/** Returns the times of the newest plans. Sorting thousands of plans to get a few would be slow. */
const newestTimes = (plans: readonly PlanSummary[], count: number): string[] => {
  const newest: string[] = []
  for (const { updated } of plans) {
    const last = newest[count - 1]
    if (last !== undefined && updated <= last) continue
    const at = newest.findIndex((time) => updated > time)
    newest.splice(at < 0 ? newest.length : at, 0, updated)
    newest.length = Math.min(newest.length, count)
  }
  return newest
}

/** Whether a time is before the limit. Times in our own format are compared as text, because parsing thousands is slow. */
const isBefore = (limit: number): ((time: string) => boolean) => {
  const text = new Date(Math.max(limit, 0)).toISOString()
  return (time) => (usual.test(time) && limit >= 0 ? time < text : Date.parse(time) < limit)
}

const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
