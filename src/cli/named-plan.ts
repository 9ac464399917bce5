/** The plan a person means: one we keep, or one in another agent's session, which we keep from their first change on. */
import type { Tracker } from "../tracker.ts"
import type { Context } from "./command.ts"
import { isFollowing } from "./looks.ts"
import { findOrBeginPlan, findPlan, sessionNamed } from "./plans.ts"

/** The plan a command names, or the newest of this project, in step with the session it was taken over from. */
export const findKeptPlan = async (context: Context): Promise<Tracker | undefined> => {
  const tracker = await findPlan(context)
  if (tracker && isFollowing(tracker.ledger)) {
    const { catchUp } = await import("./kept-sessions.ts")
    await catchUp(context, tracker)
  }
  return tracker
}

/** The same for somebody who is about to change it, be it another agent's. It may be begun, if it can be. */
export const findPlanToChange = async (context: Context, mayBegin: boolean): Promise<Tracker | undefined> => {
  const kept = await findKeptPlan(context)
  if (kept) return kept
  const session = sessionNamed(context)
  if (session !== undefined) {
    const { openForeign } = await import("./kept-sessions.ts")
    const foreign = await openForeign(context, session, agentNamed(context))
    if (foreign) return foreign
  }
  return mayBegin ? findOrBeginPlan(context) : undefined
}

/** A session of another agent, by its id or how the id begins, with what we keep of it. */
export const findForeign = async (context: Context) => {
  const session = sessionNamed(context)
  if (session === undefined) return undefined
  const { foreignSession } = await import("./foreign.ts")
  const found = await foreignSession(context, session, agentNamed(context))
  // What lies under another root is only looked at.
  if (!found || context.values.root !== undefined) return found && { found, kept: undefined }
  const { keptFor } = await import("./kept-sessions.ts")
  return { found, kept: await keptFor(context, found) }
}

const agentNamed = ({ values }: Context): string => (typeof values.agent === "string" ? values.agent : "main")
