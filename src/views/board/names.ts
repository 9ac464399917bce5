/** The names of the board's rows: the session's title, for a sub-agent also its kind. */
import { type DisplayName, displayNames, type Nameable } from "../display-names.ts"
import type { BoardEntry } from "./list.ts"
import type { BoardSession } from "./session.ts"

/** A list is never changed in place, so a result computed for one stays valid. */
const known = new WeakMap<readonly BoardEntry[], ReadonlyMap<BoardSession, DisplayName>>()

/** The name of a session among those that are listed: folded or filtered sessions do not count. */
export const sessionTitle = (session: BoardSession, listed: readonly BoardEntry[]): string => {
  const names =
    known.get(listed) ?? displayNames(listed.flatMap((entry) => (entry.kind === "session" ? entry.session : [])))
  known.set(listed, names)
  return nameIn(session, names.get(session) ?? displayNames([session]).get(session) ?? { name: session.session })
}

/** A name as one text. If it is cut, the id that distinguishes it stays. */
export const nameIn = (one: Nameable, { name, id }: DisplayName): string => {
  const { role = "" } = one
  const hasRole = isSubAgent(one) && role.trim() !== "" && role !== name
  return `${id === undefined ? "" : `${id} `}${hasRole ? `${role}: ` : ""}${name}`
}

export const isSubAgent = ({ agent }: Pick<BoardSession, "agent">): boolean => agent.trim() !== "" && agent !== "main"

type NamedAgent = Pick<BoardSession, "agentName" | "agentShortName" | "agentType">

/** The agent, by its full name. */
export const agentOf = ({ agentName, agentType }: NamedAgent): string => agentName ?? agentType

/** The agent, in a word. */
export const agentInAWord = (session: NamedAgent): string => session.agentShortName ?? agentOf(session)

/** A project in a word: the last folder of its path, of which only whole names are tried: a session may claim any path. */
export const placeOf = ({ project }: Pick<BoardSession, "project">): string =>
  /(?<![^/\\])([^/\\]+)[/\\]*$/.exec(project)?.[1] ?? project

/** Deeper nesting would push the names off the screen. */
const deepest = 4

/** The indentation of an agent's name with this many ancestors: a database may claim any number. */
export const indentOf = (depth: number): string => "  ".repeat(Math.min(depth, deepest))
