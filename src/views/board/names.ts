/** What the rows of the board are called: by what the session is about, a sub-agent also by its kind. */
import { type DisplayName, displayNames, type Nameable } from "../display-names.ts"
import type { BoardSession } from "./session.ts"

type Sessions = readonly BoardSession[]

/** Sources give another array after every change, so what was worked out for one stays true. */
const known = new WeakMap<Sessions, ReadonlyMap<BoardSession, DisplayName>>()

/** The name of a session among all that are on the board. */
export const nameOf = (session: BoardSession, sessions: Sessions): string => {
  const names = known.get(sessions) ?? displayNames(sessions)
  known.set(sessions, names)
  return nameIn(session, names.get(session) ?? { name: session.session })
}

/** A name in one piece. Where it is cut, the id that tells it apart stays. */
export const nameIn = (one: Nameable, { name, id }: DisplayName): string => {
  const { role = "" } = one
  const hasRole = isSubAgent(one) && role.trim() !== "" && role !== name
  return `${id === undefined ? "" : `${id} `}${hasRole ? `${role}: ` : ""}${name}`
}

export const isSubAgent = ({ agent }: Pick<BoardSession, "agent">): boolean => agent.trim() !== "" && agent !== "main"

/** The agent, in a word. */
export const agentOf = ({ agentName, agentType }: Pick<BoardSession, "agentName" | "agentType">): string =>
  agentName ?? agentType

/** A project in a word: the last folder of its path. */
export const placeOf = ({ project }: Pick<BoardSession, "project">): string =>
  /([^/\\]+)[/\\]*$/.exec(project)?.[1] ?? project
