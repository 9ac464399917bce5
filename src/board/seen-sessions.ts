/** The sessions of all agents on this machine as they are now, and the one that a person names. */
import { HeadwayError } from "../plan/headway-error.ts"
import type { Problem } from "../plan/problem.ts"
import { type DiscoveredSession, type DiscoverOptions, discover } from "../sessions/discover.ts"
import type { PlanKey } from "../stores/store.ts"

/** Where agents keep their sessions, and where we keep what was read of them. */
export type SessionPlaces = Pick<DiscoverOptions, "sources" | "env" | "home" | "paths" | "index" | "lookAtClient">

/** Everything that cannot be read is skipped, and told in `problems`. */
export const lookForSessions = async (
  places: SessionPlaces,
  now: Date,
): Promise<{ sessions: DiscoveredSession[]; problems: Problem[] }> => {
  const problems: Problem[] = []
  const sessions = await discover({ ...places, now, onProblem: (problem) => problems.push(problem) })
  return { sessions, problems }
}

/**
 * The agent of the session that has this id, or of the only one whose id begins so; undefined when there is none. Throws
 * when several sessions begin so.
 */
export const sessionNamed = <One extends PlanKey>(
  sessions: readonly One[],
  { session, agent }: PlanKey,
): One | undefined => {
  const candidates = sessions.filter((one) => one.agent.startsWith(agent))
  const exact = candidates.filter((one) => one.session === session)
  const named = exact.length > 0 ? exact : candidates.filter((one) => one.session.startsWith(session))
  const [first, ...others] = new Set(named.map((one) => one.session))
  if (first === undefined || others.length === 0) return named[0]
  const list = [first, ...others].slice(0, 10).map((one) => `\n  ${one}`)
  throw new HeadwayError("ambiguous-session", `Several sessions begin with "${session}":${list.join("")}`)
}
