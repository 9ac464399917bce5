/** Kept plans that a listing only counts: those that are over, of sessions of which nothing else is known. */
import type { OlderSessions } from "../sessions/discover.ts"
import { waitingFor } from "../sessions/join/activity.ts"
import type { PlanSummary } from "../stores/store.ts"

export type OlderPlans = Pick<OlderSessions, "before" | "least"> & {
  now: Date
  /** How many plans each session has, see `countPlans`. */
  counts: ReadonlyMap<string, number>
  /** Ids of sessions that are seen in the files of agents: their plans are joined with them. */
  seen: ReadonlySet<string>
}

/** How many plans there are of each session. */
export const countPlans = (plans: readonly PlanSummary[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { session } of plans) counts.set(session, (counts.get(session) ?? 0) + 1)
  return counts
}

/** The plans without those that are only counted, the newest first, and how many these are. */
export const withoutOlder = (
  plans: readonly PlanSummary[],
  { before, least, now, counts, seen }: OlderPlans,
): { plans: PlanSummary[]; older: number } => {
  // Time changes the state of an agent for as long as it may wait for the person.
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
  // Which of those of the same time a listing shows is decided by their names.
  const since = newestTimes(old, least)[least - 1]
  for (const plan of old) if (least > 0 && (since === undefined || plan.updated >= since)) kept.push(plan)
  return { plans: kept.sort(newestFirst), older: plans.length - kept.length }
}

const newestFirst = (one: PlanSummary, other: PlanSummary): number =>
  one.updated < other.updated ? 1 : one.updated > other.updated ? -1 : 0

/** The times of the newest, at most so many: to sort thousands of plans for the first few would take longer than all else. */
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

/** Whether a time is before another one. Times as we write them need not be read for that, and there are thousands. */
const isBefore = (limit: number): ((time: string) => boolean) => {
  const text = new Date(Math.max(limit, 0)).toISOString()
  return (time) => (usual.test(time) && limit >= 0 ? time < text : Date.parse(time) < limit)
}

const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/
