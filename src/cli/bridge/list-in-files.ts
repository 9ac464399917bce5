/** Updates the plan of an agent that stops from the list in its own session files, if its calls do not tell all of it. */
import { addMissed, followSession } from "../../board/follow-session.ts"
import { messageOf } from "../../plan/headway-error.ts"
import { warning } from "../../plan/problem.ts"
import type { DiscoveredSession } from "../../sessions/discover.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { reporter } from "../choose/plans.ts"
import { joinedPlan } from "../choose/sessions-here.ts"
import type { Context } from "../command.ts"

/** If the files cannot be read, the plan stays as the agent's calls have made it. */
export const followListInFiles = (context: Context, tracker: Tracker): Promise<void> =>
  withSession(context, tracker, async (seen) => {
    const now = context.io.now()
    // The agent has stopped, so the list is newer than all of its calls, including those that hooks recorded since.
    await followSession(tracker, { ...seen, planned: now.toISOString() }, now)
  })

/** Adds the todos that the plan does not have, because the calls that made them were missed. */
export const addMissedInFiles = (context: Context, tracker: Tracker): Promise<void> =>
  withSession(context, tracker, async (seen) => {
    await addMissed(tracker, seen)
  })

const withSession = async (
  context: Context,
  tracker: Tracker,
  act: (seen: DiscoveredSession) => Promise<void>,
): Promise<void> => {
  try {
    const seen = (await joinedPlan(context, tracker))?.seen
    if (seen) await act(seen)
  } catch (cause) {
    reporter(context)(warning("not-followed", `The plan may be older than its session: ${messageOf(cause)}`))
  }
}
