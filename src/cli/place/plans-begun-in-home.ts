/** The plans of a repository that began in the person's home, before the repository kept plans. */
import { byKey } from "../../board/joined-session.ts"
import type { PlanSummary } from "../../stores/store.ts"
import { projectNameIn } from "../choose/plans.ts"
import { placeOf, type RootedContext, storeOf } from "./place.ts"
import { homeContext, isStoreNamed } from "./session-place.ts"

/** These plans of a repository and those, the newest first. One that is in both places counts as it is in the repository. */
export const withPlansBegunInHome = async (
  context: RootedContext,
  plans: readonly PlanSummary[],
): Promise<readonly PlanSummary[]> => {
  const older = await plansBegunInHome(context)
  if (older.length === 0) return plans
  return [...byKey([...older, ...plans]).values()].toSorted((one, other) => (one.updated < other.updated ? 1 : -1))
}

/** Those of agents' sessions: a session has one plan, and goes on with it there. */
const plansBegunInHome = async (context: RootedContext): Promise<PlanSummary[]> => {
  if (context.values.root || isStoreNamed(context)) return []
  const { isInProject, isReadOnly } = placeOf(context)
  if (!isInProject || isReadOnly) return []
  const inHome = homeContext(context)
  const { plans } = await (await storeOf(inHome)).list({ project: projectNameIn(inHome) })
  return plans.filter(({ agentType }) => agentType !== undefined)
}
