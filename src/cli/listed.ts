/** One line about an agent's plan, kept by us, seen in the agent's own session, or both: for listings and the board. */

import { stateOf } from "../sessions/activity.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { PlanSummary } from "../stores/store.ts"

/** As it is printed as JSON. */
export type Listed = Omit<PlanSummary, "parent"> & {
  agentType: string
  /** Kept by Headway itself. */
  isOwn: boolean
  /** The agent's own file. */
  path?: string
  state: DiscoveredSession["state"]
  planTool: DiscoveredSession["planTool"]
  parent?: { session?: string; agent: string; todo?: string } | undefined
}

export const listedOwn = (plan: PlanSummary, now: Date): Listed => ({
  ...plan,
  agentType: plan.agentType ?? "headway",
  isOwn: true,
  state: stateOf({ updated: plan.updated, isPlanFinished: plan.isFinished && plan.todos > 0 }, now),
  planTool: "present",
})

const listings = new WeakMap<DiscoveredSession, Listed>()

const nothing = { progress: { completed: 0, total: 0, percent: 0 }, todos: 0, isFinished: false }

/** Made once for each look at a session: a board asks for all of them with every change. */
export const listedFound = (found: DiscoveredSession): Listed => {
  const known = listings.get(found)
  if (known) return known
  const { agentType, session, agent, parent, project, path, updated, state, planTool, summary } = found
  const about = { ...(project === undefined ? {} : { project }), ...(parent ? { parent } : {}) }
  const made = {
    session,
    agent,
    agentType,
    isOwn: false,
    ...about,
    path,
    ...nothing,
    ...summary,
    updated,
    state,
    planTool,
  }
  listings.set(found, made)
  return made
}

/** One plan: what the agent does, and when, is seen in its session; what the plan says now is ours to know. */
export const listedBoth = (plan: PlanSummary, found: DiscoveredSession, now: Date): Listed => {
  const { current: _, ...seen } = listedFound(found)
  const { progress, todos, current } = plan
  const isFinished = plan.isFinished && todos > 0
  return {
    ...seen,
    isOwn: true,
    progress,
    todos,
    isFinished,
    state: stateWith(isFinished, found, now),
    ...(current === undefined ? {} : { current }),
    planTool: todos > 0 ? "present" : seen.planTool,
  }
}

/** An agent that has stopped is done only when nothing is left of the plan as it is with a person's edits. */
const stateWith = (isPlanFinished: boolean, found: DiscoveredSession, now: Date): Listed["state"] => {
  const { state, activity, updated, agent } = found
  if (state !== "finished" && state !== "waiting") return state
  return stateOf({ activity, updated, isPlanFinished, isSubAgent: agent !== "main" }, now)
}

/** All in one listing, the newest first. What we keep for a session and what the session shows is one plan. */
export const listedAll = (own: readonly PlanSummary[], foreign: readonly DiscoveredSession[], now: Date): Listed[] => {
  const seen = new Map(foreign.map((found) => [nameOf(found), found]))
  const ours = own.map((plan) => {
    const named = seen.get(nameOf(plan))
    const found = named && isOf(plan, named) ? named : undefined
    if (found) seen.delete(nameOf(plan))
    return found ? listedBoth(plan, found, now) : listedOwn(plan, now)
  })
  const others = foreign.filter((found) => seen.has(nameOf(found))).map(listedFound)
  return [...ours, ...others].sort((one, other) => (one.updated < other.updated ? 1 : -1))
}

/** The one name of an agent of a session, by which ours and seen ones are brought together. */
export const nameOf = ({ session, agent }: Pick<Listed, "session" | "agent">): string =>
  JSON.stringify([session, agent])

/** Whether a plan was kept for this very agent: a session that only has the same id is another's. */
export const isOf = ({ agentType }: { agentType?: string | undefined }, found: DiscoveredSession): boolean =>
  agentType === undefined || agentType === found.agentType

/** What has a list, or is going on. */
export const isOfInterest = ({ isOwn, todos, state }: Listed): boolean =>
  isOwn || todos > 0 || (state !== "idle" && state !== "finished")
