/** The plan a person means: one we keep, or one in another agent's session, which we keep from their first change on. */
import { isFollowing } from "../board/follow-session.ts"
import { nameKey } from "../home/names.ts"
import { HeadwayError } from "../plan/headway-error.ts"
import type { Ledger } from "../plan/log/ledger.ts"
import { planInSight } from "../plan/put-away.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Context } from "./command.ts"
import { say } from "./output/say.ts"
import { type RootedContext, storeOf } from "./place.ts"
import { findOrBeginPlan, findPlan, namedAgent, namedSession, namesIn } from "./plans.ts"

/** The plan a command names, about to be changed by a person, be it another agent's. Where there is none it may begin. */
export const findPlanToChange = async (context: Context, mayBegin: boolean): Promise<Tracker | undefined> => {
  const own = await findOwnPlan(context)
  if (own) return own
  const session = namedSession(context)
  if (session !== undefined) {
    const { openNamedPlan } = await import("./sessions-here.ts")
    const other = await openNamedPlan(context, await storeOf(context), { session, agent: namedAgent(context) })
    if (other) return other
  }
  if (!mayBegin) return undefined
  const begun = await findOrBeginPlan(context)
  // A name that was mistyped must not begin a plan in silence.
  if (session !== undefined) sayWhenBegun(context, begun, session)
  return begun
}

const sayWhenBegun = ({ io }: Context, tracker: Tracker, session: string): void => {
  const stop = tracker.subscribe(() => {
    say(io, `there was no session ${session}; it was started now`)
    stop()
  })
}

/** A plan to look at: nothing is written for it but what keeps a plan of ours in step. */
export type Shown = Pick<Tracker, "plan" | "key"> & {
  /** Of a plan that we keep. */
  ledger?: Ledger
  /** What its session is called. */
  title?: string | undefined
}

/** The plan a command names, ours or another agent's, or the newest of this project. */
export const findPlanToShow = async (context: RootedContext): Promise<Shown | undefined> => {
  const { found, kept } = await findBoth(context)
  const named =
    context.values.root === undefined
      ? namesIn(context)
          .read()
          .get(nameKey(kept?.key ?? found ?? none))
      : undefined
  if (kept) {
    const { key, plan, ledger } = kept
    const title = named ?? found?.title ?? ledger.opened?.title ?? (await titleElsewhere(context, kept))
    return { key, plan: planInSight(plan, ledger), ledger, title }
  }
  if (!found) return undefined
  const { session, agent, agentType, planTool } = found
  const plan = await found.readPlan()
  if (plan) return { plan, key: { session, agent }, title: named ?? found.title }
  const why = planTool === "absent" ? "has no plan tool" : "has no plan yet"
  throw new HeadwayError("no-plan", `Session ${session} of ${agentType} ${why}.`)
}

const none = { session: "", agent: "" }

/** What another agent calls the session that we keep a plan for, read from its own file. */
const titleElsewhere = async ({ io }: Context, { key, ledger }: Tracker): Promise<string | undefined> => {
  const agentType = ledger.opened?.agentType
  if (agentType === undefined) return undefined
  const { findTitle } = await import("../sessions/find-title.ts")
  return findTitle({ ...key, agentType }, { env: io.env, home: io.home })
}

/** The same, if we keep it. */
export const findKeptPlan = async (context: RootedContext): Promise<Tracker | undefined> =>
  (await findBoth(context)).kept

const findBoth = async (context: RootedContext): Promise<{ kept?: Tracker | undefined; found?: DiscoveredSession }> => {
  const own = await findOwnPlan(context)
  const session = namedSession(context)
  if (own || session === undefined) return { kept: own }
  const { keptPlanHere, namedSessionHere } = await import("./sessions-here.ts")
  const found = await namedSessionHere(context, { session, agent: namedAgent(context) })
  if (!found) return {}
  // What is under another root is only looked at.
  if (context.values.root !== undefined) return { found }
  return { found, kept: await keptPlanHere(context, await storeOf(context), found) }
}

/** In step with the session it was taken over from. */
const findOwnPlan = async (context: Context): Promise<Tracker | undefined> => {
  const tracker = await findPlan(context)
  if (tracker && isFollowing(tracker.ledger)) {
    const { catchUpHere } = await import("./sessions-here.ts")
    await catchUpHere(context, tracker)
  }
  return tracker
}
