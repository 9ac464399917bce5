/** One row of the board as plain data, made from a session and the plan that is kept of it. */
import { activeTodo } from "../plan/index.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { AgentNames, SessionRow } from "../views/board/session.ts"
import { isAsleep, type Joined, type JoinedSession, keyOf } from "./joined-session.ts"
import { branchAt } from "./project.ts"

export type RowOptions = {
  key: string
  joined: Joined
  parent: string | undefined
  title: string | undefined
  /** The number of todos whose evidence contradicts them. */
  doubted: number
  /** Differs from that of every other row. */
  version: number
  labelOf: (project: string | undefined) => string
  agentNamesOf: (agentType: string) => AgentNames
}

export const createRow = (options: RowOptions): SessionRow => {
  const { key, joined, parent, title, doubted, version, labelOf, agentNamesOf } = options
  const { seen: from, session: one } = joined
  const { agentType, session, agent, project, state, planTool, progress, todos, updated } = one
  const { role, waitsFor, error, current, upcoming } = one
  const [branch, since] = [branchFor(one), sinceFor(one, from)]
  return {
    key,
    agentType,
    ...agentNamesOf(agentType),
    session,
    agent,
    ...(parent === undefined ? {} : { parent }),
    project: labelOf(project),
    ...(branch === undefined ? {} : { branch }),
    ...(title === undefined ? {} : { title }),
    ...(role === undefined ? {} : { role }),
    ...(one.machine === undefined ? {} : { who: whoText(one) }),
    ...(waitsFor ? { waitsFor } : {}),
    ...(error === undefined ? {} : { error }),
    state,
    planTool,
    // A person's edit is not activity of the agent, so its waiting time continues.
    updated: from?.updated ?? updated,
    progress,
    todos,
    ...(doubted > 0 ? { contradicted: doubted } : {}),
    ...(current === undefined ? {} : { current }),
    ...(upcoming ? { upcoming } : {}),
    ...(current === undefined || since === undefined ? {} : { currentSince: since }),
    isEditable: hasPlace(key, joined),
    version,
  }
}

/**
 * A row is read-only if another agent's plan already has its id, or if its file is a copy: changes and names could not
 * be stored.
 */
export const hasPlace = (key: string, { plan, seen, session }: Joined): boolean =>
  plan !== undefined || (key === keyOf(session) && !seen?.isElsewhere)

const whoText = ({ person = "", machine = "" }: JoinedSession): string => `${person}@${machine}`

/**
 * For an active agent the branch is read from the repository; for a stopped one it is the last branch in its session.
 */
const branchFor = ({ state, project, branch }: JoinedSession): string | undefined =>
  (project !== undefined && !isAsleep({ state }) ? branchAt(project) : undefined) ?? branch

/**
 * The start time of the todo in progress, from the session's list or the kept plan. Not read for sessions that are
 * over.
 */
const sinceFor = ({ state, currentSince }: JoinedSession, from: DiscoveredSession | undefined): string | undefined => {
  if (isAsleep({ state }) || !from?.summary) return currentSince
  const active = from.plan && activeTodo(from.plan)
  return (active && from.times[active.id]?.started) ?? currentSince
}
