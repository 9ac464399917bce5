/** The names of the board's rows: the session's title, for a sub-agent also its kind. */
import { type DisplayName, displayNames, type Nameable } from "../display-names.ts"
import type { BoardEntry } from "./list.ts"
import type { BoardSession } from "./session.ts"

/** A list is never changed in place, so a result computed for one stays valid. */
const cache = new WeakMap<readonly BoardEntry[], ReadonlyMap<BoardSession, DisplayName>>()

/** The session's name, unambiguous among the listed sessions; folded and filtered ones are not considered. */
export const sessionTitle = (session: BoardSession, listed: readonly BoardEntry[]): string => {
  const names =
    cache.get(listed) ?? displayNames(listed.flatMap((entry) => (entry.kind === "session" ? entry.session : [])))
  cache.set(listed, names)
  return nameIn(session, names.get(session) ?? displayNames([session]).get(session) ?? { name: session.session })
}

/** A name and its id as one text. Only the name is ever cut. */
export const nameIn = (one: Nameable, { name, id }: DisplayName): string => {
  const { role = "" } = one
  const hasRole = isSubAgent(one) && role.trim() !== "" && role !== name
  return `${id === undefined ? "" : `${id} `}${hasRole ? `${role}: ` : ""}${name}`
}

export const isSubAgent = ({ agent }: Pick<BoardSession, "agent">): boolean => agent.trim() !== "" && agent !== "main"

type NamedAgent = Pick<BoardSession, "agentName" | "agentShortName" | "agentType">

/** The agent's full name. */
export const agentOf = ({ agentName, agentType }: NamedAgent): string => agentName ?? agentType

/** The agent's short name. */
export const agentInAWord = (session: NamedAgent): string => session.agentShortName ?? agentOf(session)

/** The last folder of a project's path, whole. The path is untrusted: a session may claim any. */
export const placeOf = ({ project }: Pick<BoardSession, "project">): string =>
  /(?<![^/\\])([^/\\]+)[/\\]*$/.exec(project)?.[1] ?? project

/** Deeper nesting would push the names off the screen. */
const deepest = 4

/** The indentation of an agent's name with this many ancestors. The number is untrusted, so it is capped. */
export const indentOf = (depth: number): string => "  ".repeat(Math.min(depth, deepest))
