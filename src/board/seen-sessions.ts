/** The sessions of all agents on this machine as they are now. */
import type { Problem } from "../plan/problem.ts"
import { type DiscoveredSession, type DiscoverOptions, discover } from "../sessions/discover.ts"

/** Where agents keep their sessions, and where the index of them is kept. */
export type SessionPlaces = Pick<DiscoverOptions, "sources" | "env" | "home" | "paths" | "index" | "lookAtClient">

/** Anything that cannot be read is skipped and reported in `problems`. */
export const lookForSessions = async (
  places: SessionPlaces,
  now: Date,
): Promise<{ sessions: DiscoveredSession[]; problems: Problem[] }> => {
  const problems: Problem[] = []
  const sessions = await discover({ ...places, now, onProblem: (problem) => problems.push(problem) })
  return { sessions, problems }
}
