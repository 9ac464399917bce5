/** The summary of one agent's session: its kept plan joined with what the agent's own files say. */

import { isAbsolute } from "node:path"
import { keyText } from "../plan/plan-key.ts"
import { activityReportedBy, type ReadClientState } from "../sessions/clients.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import { type StateDetails, stateOf, type WaitsFor, waitingFor } from "../sessions/join/activity.ts"
import type { PlanKey, PlanSummary } from "../stores/store.ts"
import { projectOf } from "./project.ts"

/** The shape that `headway list --json` prints. */
export type JoinedSession = Omit<PlanSummary, "parent"> & {
  agentType: string
  /** Kept by Headway itself. */
  isOwn: boolean
  /** The agent's own file. */
  path?: string
  /** The branch of its repository, as the session names it. */
  branch?: string
  /** What the session is about, for a person. */
  title?: string
  /** What kind of sub-agent it is. */
  role?: string
  state: DiscoveredSession["state"]
  /** With `waiting`: what it waits for. */
  waitsFor?: WaitsFor
  /** With `failed`: what went wrong. */
  error?: string
  planTool: DiscoveredSession["planTool"]
  parent?: { session?: string; agent: string; todo?: string } | undefined
}

/** A session with its sources: a kept plan, a session found on disk, or both. */
export type Joined = {
  plan?: PlanSummary | undefined
  seen?: DiscoveredSession | undefined
  session: JoinedSession
}

/** All sessions by unique key. A kept plan and the session it belongs to make one row. */
export const joinSessions = (
  plans: ReadonlyMap<string, PlanSummary>,
  seen: ReadonlyMap<string, DiscoveredSession>,
  now: Date,
  readClientState?: ReadClientState,
): Map<string, Joined> => {
  const joined = new Map<string, Joined>()
  const starts = [...seen.values()].filter(({ isStart }) => isStart)
  const known = new Set<DiscoveredSession>()
  for (const [key, plan] of plans) {
    const named = seen.get(key) ?? begunBy(plan, starts)
    if (named && isKeptFor(plan, named)) {
      joined.set(key, { plan, seen: named, session: fromBoth(plan, named, now) })
      known.add(named)
    } else joined.set(key, { plan, session: fromPlan(plan, now, readClientState) })
  }
  for (const [key, one] of seen) {
    if (known.has(one)) continue
    const ours = joined.get(key)
    // Only the id matches: the plan belongs to another agent.
    joined.set(ours ? otherKeyOf(one) : key, { seen: one, session: fromSeen(one) })
  }
  return joined
}

/** The session of this project whose file only has the beginning of its id, if that matches this plan's session. */
const begunBy = (plan: PlanSummary, starts: readonly DiscoveredSession[]): DiscoveredSession | undefined => {
  const { session, agent, agentType } = plan
  const isBegun = (one: DiscoveredSession): boolean =>
    one.agentType === agentType && one.agent === agent && session.startsWith(one.session) && isOfProject(plan, one)
  const begun = starts.filter(isBegun)
  return begun.length === 1 ? begun[0] : undefined
}

/** If either has no folder, they may belong together. */
const isOfProject = ({ project }: PlanSummary, seen: DiscoveredSession): boolean =>
  project === undefined ||
  seen.project === undefined ||
  !isAbsolute(project) ||
  !isAbsolute(seen.project) ||
  projectOf(seen.project) === project

/** All of them in one list, newest first. */
export const listSessions = (
  plans: readonly PlanSummary[],
  seen: readonly DiscoveredSession[],
  now: Date,
  readClientState?: ReadClientState,
): JoinedSession[] => {
  // A store lists its plans newest first.
  if (seen.length === 0) return plans.map((plan) => fromPlan(plan, now, readClientState))
  const joined = joinSessions(byKey(plans), byKey(seen), now, readClientState)
  return Array.from(joined.values(), ({ session }) => session).sort((one, other) =>
    one.updated < other.updated ? 1 : -1,
  )
}

/** The same with the titles that people gave them. */
export const withNames = (sessions: JoinedSession[], names: ReadonlyMap<string, string>): JoinedSession[] =>
  names.size === 0
    ? sessions
    : sessions.map((one) => {
        const title = names.get(keyOf(one))
        return title === undefined ? one : { ...one, title }
      })

/** The key by which kept plans and found sessions are joined. */
export const keyOf = keyText

const otherKeyOf = ({ session, agent, agentType }: DiscoveredSession): string =>
  JSON.stringify([session, agent, agentType])

export const byKey = <One extends PlanKey>(all: readonly One[]): Map<string, One> =>
  new Map(all.map((one) => [keyOf(one), one]))

/**
 * Whether a plan was kept for exactly this agent. Another session may have the same id by accident or claim it, as any
 * file outside the agent's own folders can.
 */
export const isKeptFor = (
  { agentType }: { agentType?: string | undefined },
  seen: Pick<DiscoveredSession, "agentType" | "isElsewhere">,
): boolean => agentType === seen.agentType && !seen.isElsewhere

/** It has a list, is active, or failed recently. */
export const isOfInterest = ({ isOwn, todos, state, updated }: JoinedSession, now: Date): boolean => {
  if (isOwn || todos > 0 || isGoingOn(state)) return true
  return (state === "ended" || state === "failed") && now.getTime() - Date.parse(updated) < ofInterestFor
}

const isGoingOn = (state: JoinedSession["state"]): boolean =>
  state === "working" || state === "waiting" || state === "stalled"

/** In milliseconds: three days. */
const ofInterestFor = 3 * 24 * 60 * 60_000

/** Copied field by field: spreading ten thousand plans would cost a tenth of the time that listing takes. */
const fromPlan = (plan: PlanSummary, now: Date, readClientState?: ReadClientState): JoinedSession => {
  const { session, agent, updated, progress, todos, isFinished, agentType = "headway" } = plan
  const { state, waitsFor, error } = planState(plan, now, readClientState)
  const one: JoinedSession = {
    session,
    agent,
    updated,
    progress,
    todos,
    isFinished,
    agentType,
    isOwn: true,
    state,
    planTool: "present",
  }
  if (plan.project !== undefined) one.project = plan.project
  if (plan.current !== undefined) one.current = plan.current
  if (plan.upcoming) one.upcoming = plan.upcoming
  if (plan.currentSince !== undefined) one.currentSince = plan.currentSince
  if (plan.parent) one.parent = plan.parent
  if (plan.title !== undefined) one.title = plan.title
  if (plan.unread !== undefined) one.unread = plan.unread
  if (plan.person !== undefined) one.person = plan.person
  if (plan.machine !== undefined) one.machine = plan.machine
  if (waitsFor) one.waitsFor = waitsFor
  if (error !== undefined) one.error = error
  return one
}

/** The state of an agent without visible files: from its last write to the plan, and its process. */
const planState = (plan: PlanSummary, now: Date, readClientState: ReadClientState | undefined): StateDetails => {
  const { session, agent, agentType, project, updated, worked, isFinished, todos } = plan
  const about = {
    updated,
    isPlanFinished: isFinished && todos > 0,
    hasWorkLeft: !isFinished && todos > 0,
    isSubAgent: agent !== "main",
  }
  // If only a person wrote the plan, no agent is working on it.
  if (worked === undefined) return stateOf(about, now)
  const activity = { kind: "tool", at: worked } as const
  const isRecent = now.getTime() - Date.parse(worked) < waitingFor
  const client =
    isRecent && agentType !== undefined
      ? readClientState?.({ agentType, session, project, updated: worked }, now)
      : undefined
  const reported = client && activityReportedBy(client, activity, (named) => named === agent)
  const isEnded = client?.isEnded === true || reported === "ended"
  if (reported || isEnded)
    return stateOf({ ...about, activity: reported && reported !== "ended" ? reported : activity, isEnded }, now)
  if (about.isPlanFinished) return { state: "finished" }
  const details = stateOf({ ...about, activity }, now)
  // A plan without recent writes does not mean that its agent has stalled.
  return details.state === "stalled" ? { state: "idle" } : details
}

const known = new WeakMap<DiscoveredSession, JoinedSession>()

const noPlan = { progress: { completed: 0, total: 0, percent: 0 }, todos: 0, isFinished: false }

/** Computed once for each state of a session, because a board asks for all sessions with every change. */
const fromSeen = (seen: DiscoveredSession): JoinedSession => {
  const made = known.get(seen)
  if (made) return made
  const { agentType, session, agent, parent, project, path, updated, state, planTool, summary } = seen
  const { title, role, waitsFor, error, branch } = seen
  const about = {
    ...(project === undefined ? {} : { project }),
    ...(parent ? { parent } : {}),
    ...(branch === undefined ? {} : { branch }),
    ...(title === undefined ? {} : { title }),
    ...(role === undefined ? {} : { role }),
    ...(waitsFor ? { waitsFor } : {}),
    ...(error === undefined ? {} : { error }),
  }
  const one = {
    session,
    agent,
    agentType,
    isOwn: false,
    ...about,
    path,
    ...noPlan,
    ...summary,
    updated,
    state,
    planTool,
  }
  known.set(seen, one)
  return one
}

/** Activity and times come from the session; the plan's content comes from what we keep. */
const fromBoth = (plan: PlanSummary, seen: DiscoveredSession, now: Date): JoinedSession => {
  const { current: _, upcoming: __, state: ___, waitsFor: ____, error: _____, ...rest } = fromSeen(seen)
  const { session, progress, todos, current, upcoming, currentSince, person, machine } = plan
  const isFinished = plan.isFinished && todos > 0
  return {
    ...(plan.title === undefined ? {} : { title: plan.title }),
    ...rest,
    session,
    isOwn: true,
    progress,
    todos,
    isFinished,
    ...joinedState(plan, seen, now),
    ...(current === undefined ? {} : { current }),
    ...(upcoming ? { upcoming } : {}),
    ...(currentSince === undefined ? {} : { currentSince }),
    ...(person === undefined ? {} : { person }),
    ...(machine === undefined ? {} : { machine }),
    planTool: todos > 0 ? "present" : rest.planTool,
  }
}

/** A stopped agent is finished only if nothing is left in the plan, including a person's edits. */
const joinedState = ({ isFinished, todos }: PlanSummary, seen: DiscoveredSession, now: Date): StateDetails => {
  const { state, waitsFor, error, facts, updated, agent } = seen
  const isAtRest = state === "finished" || state === "ended" || (state === "waiting" && waitsFor?.kind === "turn")
  if (!isAtRest) return { state, ...(waitsFor ? { waitsFor } : {}), ...(error === undefined ? {} : { error }) }
  const isPlanFinished = isFinished && todos > 0
  const hasWorkLeft = !isFinished && todos > 0
  return stateOf({ ...facts, updated, isPlanFinished, hasWorkLeft, isSubAgent: agent !== "main" }, now)
}

/** Whether the agent is at rest. Its row does not move up until it works again. */
export const isAsleep = ({ state }: Pick<JoinedSession, "state">): boolean => asleep.includes(state)

const asleep: readonly JoinedSession["state"][] = ["idle", "finished", "ended", "failed"]
