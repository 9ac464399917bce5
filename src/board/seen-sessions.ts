/** The sessions of all agents on this machine as they are now. */
import type { Problem } from "../plan/problem.ts"
import {
  type DiscoveredSession,
  type DiscoverOptions,
  discover,
  discoverRecent,
  type OlderSessions,
} from "../sessions/discover.ts"

/** Where agents keep their sessions, and where the index of them is kept. */
export type SessionPlaces = Pick<
  DiscoverOptions,
  "sources" | "env" | "home" | "paths" | "only" | "index" | "readClientState"
>

/** Anything that cannot be read is skipped and reported in `problems`. */
export const lookForSessions = async (
  places: SessionPlaces,
  now: Date,
): Promise<{ sessions: DiscoveredSession[]; problems: Problem[] }> => {
  const problems: Problem[] = []
  const sessions = await discover({ ...places, now, onProblem: (problem) => problems.push(problem) })
  return { sessions, problems }
}

/** The same, with only a few of the sessions that were last active long ago; `older` says how many of them are left out. */
export const lookForRecentSessions = async (
  places: SessionPlaces,
  now: Date,
  older: OlderSessions,
): Promise<{ sessions: DiscoveredSession[]; older: number; problems: Problem[] }> => {
  const problems: Problem[] = []
  const found = await discoverRecent({ ...places, now, older, onProblem: (problem) => problems.push(problem) })
  return { ...found, problems }
}
