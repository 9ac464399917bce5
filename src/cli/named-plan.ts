/** The plan a person means: a kept one, or one in another agent's session, which is kept from their first change on. */
import { isFollowing } from "../board/follow-session.ts"
import { nameKey } from "../home/names.ts"
import type { Entry } from "../plan/event.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Ledger } from "../plan/log/ledger.ts"
import { planInSight } from "../plan/put-away.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Context } from "./command.ts"
import { storeOf } from "./place.ts"
import { beginNewPlan, beginPlan, namedAgent, namedSession, namesIn, newestSession, openKeptPlan } from "./plans.ts"
import { findTarget, type Target, type TargetContext, type TargetOptions } from "./target.ts"

/** Opens the plan of a command for a person's change, even another agent's. If there is none, it may be started. */
export const findPlanToChange = async (context: TargetContext, mayBegin: boolean): Promise<Tracker | undefined> => {
  const target = await findTarget(context, { mayBegin })
  const there = target && (await openTarget(context, target))
  if (there || !mayBegin) return there
  return target ? beginPlan(context, target.key) : beginNewPlan(context)
}

/** The plan that a call is written to. A program without a session gets a new one. */
export const findPlanToWrite = async (context: TargetContext): Promise<Tracker> =>
  (namedSession(context) === undefined ? await findNewestKept(context) : await findPlanToChange(context, true)) ??
  beginNewPlan(context)

/** A plan to show: nothing is written, except to update a kept plan. */
export type Shown = Pick<Tracker, "plan" | "key"> & {
  /** Of a plan that we keep. */
  ledger?: Ledger
  /** What its session is called. */
  title?: string | undefined
  /** Its session in the agent's files. */
  seen?: DiscoveredSession | undefined
  /** All entries of a kept plan. */
  entries?: () => Promise<Entry[]>
}

/** The plan a command is about, ours or another agent's. */
export const findPlanToShow = async (context: TargetContext, options?: TargetOptions): Promise<Shown | undefined> => {
  const target = await findTarget(context, options)
  if (!target) return undefined
  const { key, seen } = target
  const named = context.values.root === undefined ? namesIn(context).read().get(nameKey(key)) : undefined
  const kept = await inStep(context, target)
  if (kept) {
    const { plan, ledger } = kept
    const title = named ?? seen?.title ?? ledger.opened?.title ?? (await titleElsewhere(context, kept))
    return { key: kept.key, plan: planInSight(plan, ledger), ledger, title, seen, entries: kept.entries }
  }
  if (!seen) return undefined
  const { session, agent, agentType, planTool } = seen
  const plan = await seen.readPlan()
  if (plan) return { plan, key: { session, agent }, title: named ?? seen.title, seen }
  const why = planTool === "absent" ? "has no plan tool" : "has no plan yet"
  throw new HeadwayError("no-plan", `Session ${session} of ${agentType} ${why}.`)
}

/** The agent's title for the session of a kept plan, read from the agent's file. */
const titleElsewhere = async ({ io }: Context, { key, ledger }: Tracker): Promise<string | undefined> => {
  const agentType = ledger.opened?.agentType
  if (agentType === undefined) return undefined
  const { findTitle } = await import("../sessions/lookup/find-title.ts")
  return findTitle({ ...key, agentType }, { env: io.env, home: io.home })
}

/** The same, if we keep it. */
export const findKeptPlan = async (context: TargetContext): Promise<Tracker | undefined> => {
  const target = await findTarget(context)
  const kept = target && (await inStep(context, target))
  if (kept || !target?.seen) return kept
  throw new HeadwayError(
    "not-kept",
    `Headway does not keep the plan of session ${target.key.session} yet, so it has no history. It begins with your first change.`,
  )
}

/** The newest of those we keep in this project. */
export const findNewestKept = async (context: TargetContext): Promise<Tracker | undefined> => {
  const agent = namedAgent(context)
  const session = await newestSession(context, await storeOf(context), agent)
  const kept = session === undefined ? undefined : await openKeptPlan(context, { session, agent })
  return kept && inStep(context, { key: kept.key, kept })
}

/** The existing kept plan, or a session whose plan is kept from now on. */
const openTarget = async (context: TargetContext, target: Target): Promise<Tracker | undefined> => {
  const kept = await inStep(context, target)
  if (kept || !target.seen) return kept
  const { openSeenPlan } = await import("./sessions-here.ts")
  return openSeenPlan(context, target.seen)
}

/** The kept plan, updated from its session. */
const inStep = async (context: TargetContext, { kept, seen }: Target): Promise<Tracker | undefined> => {
  if (kept && (seen || isFollowing(kept.ledger))) {
    const { catchUpHere } = await import("./sessions-here.ts")
    await catchUpHere(context, kept, seen)
  }
  return kept
}
