/** The plans we keep for sessions of other agents: begun with a person's first change, then in step with the session. */
import { isAbsolute } from "node:path"
import type { PlanOpened } from "../plan/index.ts"
import { type Problem, warning } from "../plan/problem.ts"
import { summarise } from "../stores/_summary.ts"
import type { PlanSummary, Store } from "../stores/store.ts"
import { openTracker } from "../tracker/open-tracker.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { Context } from "./command.ts"
import { type ForeignSession, foreignSession, foreignSessions } from "./foreign.ts"
import { nameOf } from "./listed.ts"
import { followLook } from "./looks.ts"
import { storeOf } from "./place.ts"
import { reporter } from "./plans.ts"
import { projectOf } from "./project.ts"

type OpenOptions = { store: Store; found: ForeignSession; now: () => Date; onProblem: (problem: Problem) => void }

/** The plan of a session. There may be nothing in it yet: it begins with the first change. */
export const openFound = ({ found, ...options }: OpenOptions): Promise<Tracker> =>
  openTracker({ ...options, session: found.session, agent: found.agent, opened: openedBy(found) })

/** What is written down of an agent when we begin to keep its plan. */
const openedBy = ({
  agentType,
  project,
  parent,
}: ForeignSession): Pick<PlanOpened, "agentType" | "project" | "parent"> => ({
  agentType,
  ...(project === undefined ? {} : { project: isAbsolute(project) ? projectOf(project) : project }),
  ...(parent ? { parent: { agent: parent.agent } } : {}),
})

/** The plan of the session somebody names by the beginning of its id, about to be changed by them. */
export const openForeign = async (context: Context, session: string, agent: string): Promise<Tracker | undefined> => {
  const found = await foreignSession(context, session, agent)
  if (!found) return undefined
  const tracker = await openHere(context, found)
  await followLook(tracker, found)
  return tracker
}

/** The plan we keep for a session, in step with it; undefined when we keep none. */
export const keptFor = async (context: Context, found: ForeignSession): Promise<Tracker | undefined> => {
  const tracker = await openHere(context, found)
  if (tracker.ledger.entries === 0) return undefined
  await follow(context, tracker, found)
  return tracker
}

const openHere = async (context: Context, found: ForeignSession): Promise<Tracker> =>
  openFound({ store: await storeOf(context), found, now: context.io.now, onProblem: reporter(context) })

/** Reads on in the session a plan was taken over from, if it is still there. */
export const catchUp = async (context: Context, tracker: Tracker): Promise<void> => {
  const found = (await foreignSessions(context)).find((one) => nameOf(one) === nameOf(tracker.key))
  if (found) await follow(context, tracker, found)
}

/** Whoever only wants to look gets to see what is kept, even where nothing can be written. */
const follow = async (context: Context, tracker: Tracker, found: ForeignSession): Promise<void> => {
  try {
    await followLook(tracker, found)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    reporter(context)(warning("not-followed", `The plan may be older than the session shows: ${why}`))
  }
}

/** The same plans, those of sessions that have gone on since in step with them. */
export const inStep = (
  context: Context,
  plans: readonly PlanSummary[],
  foreign: readonly ForeignSession[],
): Promise<PlanSummary[]> => {
  const seen = new Map(foreign.map((found) => [nameOf(found), found]))
  return Promise.all(
    plans.map(async (plan) => {
      const found = seen.get(nameOf(plan))
      const tracker = found && found.updated > plan.updated ? await keptFor(context, found) : undefined
      await tracker?.close()
      return tracker ? summarise(tracker.key, tracker) : plan
    }),
  )
}
