/** The plan a person means: a kept one, or one in another agent's session, which is kept from their first change on. */
import { isFollowing } from "../../board/follow-session.ts"
import { HeadwayError } from "../../plan/headway-error.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { say } from "../output/say.ts"
import { storeOf } from "../place/place.ts"
import { beginNewPlan, beginPlan, namedAgent, namedSession, newestSession, openKeptPlan } from "./plans.ts"
import { findTarget, type Target, type TargetContext, type TargetOptions } from "./target.ts"

/** Opens the plan of a command for a person's change, even another agent's. If there is none, it may be started. */
export const findPlanToChange = async (context: TargetContext, mayBegin: boolean): Promise<Tracker | undefined> => {
  const target = await findTarget(context, { mayBegin })
  const there = target && (await openTarget(context, target))
  if (there || !mayBegin) return there
  return target ? beginPlan(target.at ?? context, target.key) : beginNewPlan(context)
}

/** The same for an existing plan, with its session in the agent's files, if there is one. */
export const findPlanAndSession = async (
  context: TargetContext,
): Promise<({ tracker: Tracker } & Pick<Target, "seen">) | undefined> => {
  const target = await findTarget(context)
  const tracker = target && (await openTarget(context, target))
  return tracker && { tracker, seen: target?.seen }
}

/** The plan that a call is written to. A program without a session gets a new one. */
export const findPlanToWrite = async (context: TargetContext): Promise<Tracker> => {
  if (namedSession(context) !== undefined) return (await findPlanToChange(context, true)) ?? beginNewPlan(context)
  const newest = await findNewestKept(context)
  const agentType = newest?.ledger.opened?.agentType
  if (newest && agentType !== undefined) {
    const { agentTitle } = await import("../output/session-names.ts")
    say(context.io, `the newest session of this project is ${newest.key.session} (${agentTitle(agentType)})`)
  }
  return newest ?? beginNewPlan(context)
}

/** What a command is about, with its kept plan updated from its session. */
export const findTargetInStep = async (
  context: TargetContext,
  options?: TargetOptions,
): Promise<Target | undefined> => {
  const target = await findTarget(context, options)
  return target && targetInStep(context, target)
}

export const targetInStep = async (context: TargetContext, target: Target): Promise<Target> => ({
  ...target,
  kept: await inStep(context, target),
})

/** The plan a command is about, if we keep it. */
export const findKeptPlan = async (context: TargetContext): Promise<Tracker | undefined> => {
  const target = await findTargetInStep(context)
  if (target?.kept || !target?.seen) return target?.kept
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
  return openSeenPlan(target.at ?? context, target.seen)
}

/** The kept plan, updated from its session. */
const inStep = async (context: TargetContext, { kept, seen }: Target): Promise<Tracker | undefined> => {
  if (kept && (seen || isFollowing(kept.ledger))) {
    const { catchUpHere } = await import("./sessions-here.ts")
    await catchUpHere(context, kept, seen)
  }
  return kept
}
