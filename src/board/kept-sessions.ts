/** The plans kept for other agents' sessions: started with a person's first change, then updated from the session. */
import { isAbsolute } from "node:path"
import { messageOf, type PlanOpened } from "../plan/index.ts"
import { type Problem, warning } from "../plan/problem.ts"
import type { DiscoveredSession } from "../sessions/discover.ts"
import { type PlanSummary, type Store, summarise } from "../stores/store.ts"
import { openTracker } from "../tracker/open-tracker.ts"
import type { Tracker } from "../tracker/tracker.ts"
import { followSession } from "./follow-session.ts"
import { byKey, keyOf } from "./joined-session.ts"
import { projectOf } from "./project.ts"

export type KeptOptions = { store: Store; now: () => Date; onProblem: (problem: Problem) => void }

/** The plan of a session. It may be empty: it starts with the first change. */
export const openPlanFor = (seen: DiscoveredSession, options: KeptOptions): Promise<Tracker> =>
  openTracker({ ...options, session: seen.session, agent: seen.agent, opened: openedBy(seen) })

/** What is recorded about an agent when its plan is first kept. */
const openedBy = ({
  agentType,
  project,
  parent,
  title,
}: DiscoveredSession): Pick<PlanOpened, "agentType" | "project" | "parent" | "title"> => ({
  agentType,
  // Clients remove their old files; the kept plan stays.
  ...(title === undefined ? {} : { title }),
  ...(project === undefined ? {} : { project: isAbsolute(project) ? projectOf(project) : project }),
  ...(parent ? { parent: { agent: parent.agent } } : {}),
})

/** Opens the plan of a session for a person's change. */
export const openPlanToChange = async (seen: DiscoveredSession, options: KeptOptions): Promise<Tracker> => {
  const tracker = await openPlanFor(seen, options)
  await followSession(tracker, seen, options.now())
  return tracker
}

/** The kept plan of a session, brought up to date; undefined if there is none. */
const keptPlanFor = async (seen: DiscoveredSession, options: KeptOptions): Promise<Tracker | undefined> => {
  const tracker = await openPlanFor(seen, options)
  if (tracker.ledger.entries === 0) {
    await tracker.close()
    return undefined
  }
  await catchUp(tracker, seen, options)
  return tracker
}

/** Imports what the session shows. If nothing can be written, the plan is shown as it was kept. */
export const catchUp = async (
  tracker: Tracker,
  seen: DiscoveredSession,
  { now, onProblem }: Pick<KeptOptions, "now" | "onProblem">,
): Promise<void> => {
  try {
    await followSession(tracker, seen, now())
  } catch (cause) {
    onProblem(warning("not-followed", `The plan may be older than its session: ${messageOf(cause)}`))
  }
}

/** Returns the plans, updated from sessions that have changed since. `optionsOf` says where each plan is kept. */
export const inStep = (
  plans: readonly PlanSummary[],
  sessions: readonly DiscoveredSession[],
  optionsOf: (plan: PlanSummary) => KeptOptions,
): Promise<PlanSummary[]> => {
  const seen = byKey(sessions)
  return Promise.all(
    plans.map(async (plan) => {
      const session = seen.get(keyOf(plan))
      if (!session) return plan
      const options = optionsOf(plan)
      const isAhead = mayBeAhead(session, plan, options.now().toISOString())
      const tracker = isAhead ? await keptPlanFor(session, options) : undefined
      await tracker?.close()
      return tracker ? summarise(tracker.key, tracker) : plan
    }),
  )
}

/**
 * A person's change says nothing about how far the agent's list was imported, nor does a plan from before the clock was set back
 * about which is newer.
 */
const mayBeAhead = ({ updated, planned = "" }: DiscoveredSession, plan: PlanSummary, now: string): boolean =>
  updated > plan.updated || planned > (plan.worked ?? "") || plan.updated > now
