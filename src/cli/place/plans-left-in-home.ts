/** What was kept in the home while a repository was not trusted, though the repository has plans. */
import { workFolderOf } from "../../board/project.ts"
import { changePlace } from "../../home/notes/session-places.ts"
import { markSettled, unsettledProjects } from "../../home/trust/trust.ts"
import type { PlanKey, PlanSummary, Store } from "../../stores/store.ts"
import { joinPlan } from "../../tracker/copy-plan.ts"
import { projectNameIn, reporter } from "../choose/plans.ts"
import type { Context } from "../command.ts"
import { homeOf, placeOf, storeOf } from "./place.ts"
import { contextIn, homeContext, isStoreNamed } from "./session-place.ts"

/**
 * An agent's session has its plans in one place: where this repository has some of it, those in the home become a part of them.
 * Returns the sessions, and whether nothing is left to be done. A plan that a person began stays in their home: its name is no sign
 * that it is the same one, and it is not to be committed unasked.
 */
export const joinPlansBegunTwice = async (context: Context): Promise<{ sessions: string[]; isWhole: boolean }> => {
  const { store, plans } = await plansInHome(context)
  if (!store || plans.length === 0) return { sessions: [], isWhole: store !== undefined }
  const into = await storeOf(context, { isQuiet: true })
  const { plans: kept } = await into.list()
  const joined = new Set<string>()
  let isWhole = true
  for (const plan of plans) {
    const { session, agent, agentType } = plan
    const others = kept.filter((other) => other.session === session)
    if (agentType === undefined || others.length === 0 || others.some((other) => other.agentType !== agentType))
      continue
    // Before the plan is gone from the home: an agent that writes in between must not begin it there again.
    changePlace(homeOf(context), { session, agentType }, { folder: workFolderOf(context.io.cwd), isInHome: false })
    const key = { session, agent }
    const how = { project: projectNameIn(context), now: context.io.now, onProblem: reporter(context) }
    if (await joinPlan({ store, from: key, into, to: key, ...how })) joined.add(session)
    else isWhole = false
  }
  return { sessions: [...joined], isWhole }
}

/** Completes what was interrupted after the person trusted a repository. */
export const settleLeftProjects = async (context: Context): Promise<void> => {
  for (const project of unsettledProjects(homeOf(context))) {
    try {
      const { isWhole } = await joinPlansBegunTwice(contextIn(context, project))
      if (isWhole) markSettled(homeOf(context), project)
    } catch {
      // One that cannot be settled now must not keep the others from it.
    }
  }
}

/** The plans in the home that a person began for this project: while plans are kept in the repository, no command looks there. */
export const personsPlansInHome = async (context: Context): Promise<readonly PlanKey[]> =>
  (await plansInHome(context)).plans.filter(({ agentType }) => agentType === undefined)

const plansInHome = async (context: Context): Promise<{ store?: Store; plans: readonly PlanSummary[] }> => {
  const { isInProject, isReadOnly } = placeOf(context)
  if (!isInProject || isReadOnly || isStoreNamed(context)) return { plans: [] }
  const inHome = homeContext(context)
  const store = await storeOf(inHome, { isQuiet: true })
  return { store, plans: (await store.list({ project: projectNameIn(inHome) })).plans }
}
