/** The plan a command shows, ours or another agent's: nothing is written, except to update a kept plan from its session. */
import { leavesSessions } from "../../agents/index.ts"
import type { Joined } from "../../board/joined-session.ts"
import { nameKey } from "../../home/names.ts"
import type { Entry } from "../../plan/event.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Ledger } from "../../plan/log/ledger.ts"
import { planInSight } from "../../plan/put-away.ts"
import { sanitise } from "../../plan/text/sanitise.ts"
import type { Plan } from "../../plan/todo.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { PlanKey } from "../../stores/store.ts"
import { type ReadPlan, readPlan } from "../../tracker/read-plan.ts"
import type { Context } from "../command.ts"
import { agentTitle } from "../output/session-names.ts"
import { storeOf } from "../place/place.ts"
import { namedAgent, namedSession, namesIn, reportAway, reporter } from "./plans.ts"
import { type Target, type TargetContext, type TargetOptions, targetOf } from "./target.ts"

export type Shown = {
  key: PlanKey
  plan: Plan
  /** Of a plan that we keep. */
  ledger?: Ledger
  /** What its session is called. */
  title?: string | undefined
  /** Its session in the agent's files. */
  seen?: DiscoveredSession | undefined
  /** All entries of a kept plan. */
  entries?: () => Promise<Entry[]>
}

/** Undefined if no session is named and this project has none. */
export const findPlanToShow = async (context: TargetContext, options?: TargetOptions): Promise<Shown | undefined> => {
  const read = await readNamedPlan(context)
  if (read) return shownFrom(context, read, undefined)
  const { findTargetInStep } = await import("./named-plan.ts")
  const target = await findTargetInStep(context, options)
  return target && planOfTarget(context, target)
}

/** The plan of a session of a listing. If the kept one cannot be used, it is the agent's own list. */
export const planOfJoined = async (context: TargetContext, joined: Joined): Promise<Shown | undefined> => {
  const { targetInStep } = await import("./named-plan.ts")
  const { session, agent } = joined.plan ?? joined.session
  const key = { session, agent }
  const target = await targetOf(context, { ...joined, key })
    .then((found) => targetInStep(context, found))
    .catch(() => ({ key, seen: joined.seen }))
  return planOfTarget(context, target)
}

const planOfTarget = async (context: TargetContext, { key, kept, seen }: Target): Promise<Shown | undefined> => {
  if (kept) return shownFrom(context, kept, seen)
  if (!seen) return undefined
  const { session, agent, agentType, planTool } = seen
  const plan = await seen.readPlan()
  if (plan) return { plan, key: { session, agent }, title: titleGiven(context, key) ?? seen.title, seen }
  const why = planTool === "absent" ? "has no plan tool" : "has no plan"
  const title = titleGiven(context, key) ?? seen.title
  const agentName = agentTitle(agentType)
  const name =
    title === undefined ? `Session ${session} of ${agentName}` : `"${sanitise(title)}" (${agentName} ${session})`
  throw new HeadwayError("no-plan", `${name} ${why}.`)
}

/**
 * A kept plan named by its id, as programs do: it is only read, and no session is looked for. Not one whose agent leaves session
 * files, which may have a newer list, nor one whose published list has to be repaired.
 */
const readNamedPlan = async (context: TargetContext): Promise<ReadPlan | undefined> => {
  const session = namedSession(context)
  if (session === undefined) return undefined
  const store = await storeOf(context)
  const key = { session, agent: namedAgent(context) }
  const read = await readPlan(store, key)
  if (!read || leavesSessions(read.ledger.opened?.agentType)) return undefined
  if (store.publish && !store.isPublished?.(key, read.plan)) return undefined
  read.problems.forEach(reporter(context))
  await reportAway(context, store)
  return read
}

const shownFrom = async (
  context: TargetContext,
  { key, plan, ledger, entries }: Omit<ReadPlan, "problems">,
  seen: DiscoveredSession | undefined,
): Promise<Shown> => {
  const title =
    titleGiven(context, key) ?? seen?.title ?? ledger.opened?.title ?? (await titleElsewhere(context, key, ledger))
  return { key, plan: planInSight(plan, ledger), ledger, title, seen, entries }
}

/** The title a person gave to the session. */
const titleGiven = (context: TargetContext, key: PlanKey): string | undefined =>
  context.values.root === undefined ? namesIn(context).read().get(nameKey(key)) : undefined

/** The agent's title for the session of a kept plan, read from the agent's file. */
const titleElsewhere = async ({ io }: Context, key: PlanKey, { opened }: Ledger): Promise<string | undefined> => {
  const agentType = opened?.agentType
  if (agentType === undefined) return undefined
  const { findTitle } = await import("../../sessions/lookup/find-title.ts")
  return findTitle({ ...key, agentType }, { env: io.env, home: io.home })
}
