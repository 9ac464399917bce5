/** Which of an agent's files can say something about one session, going by their names. */
import type { Found } from "../walk.ts"
import { mayHold } from "./session-signals.ts"

/** One agent of a session, `main` or a sub-agent. */
export type Whom = { session: string; agent: string }

/** Files with its id, databases, notes of processes, and lists that several sessions may share. */
export const filesAbout = ({ session, agent }: Whom, all: readonly Found[]): Found[] => {
  // Some sub-agents' files have only the id of the sub-agent in their names.
  const ids = agent === "main" ? [session] : [session, agent]
  const sessions = new Set(all.map(({ place, whose }) => (place.reading.as === "lines" ? whose.session : undefined)))
  // A list in a folder that is not named after a session is the list of a team.
  const isShared = ({ place, whose }: Found): boolean => place.reading.as === "folder" && !sessions.has(whose.session)
  const isNamed = (found: Found): boolean => ids.some((id) => mayHold(found, id))
  return all.filter((found) => found.place.isNote || isShared(found) || isNamed(found))
}
