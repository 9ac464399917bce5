/** A plan that begins for a session that is older than it: a fork, or one whose plan is no longer kept. */
import { agentNamed } from "../../agents/index.ts"
import { followSession } from "../../board/follow-session.ts"
import type { PlanKey, Store } from "../../stores/store.ts"
import { copyPlan } from "../../tracker/copy-plan.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import type { Io } from "../io.ts"

export type BegunPlan = {
  store: Store
  tracker: Tracker
  agentType: string | undefined
  /** The project as plans name it: another one's plan is not copied. */
  project: string
  io: Pick<Io, "env" | "home">
}

/**
 * Gives an empty plan what the model has in sight as its list: a copy of the plan the session was forked from, where its
 * file only points to that one, else what the calls in its file lead to, with the same ids. Never fails.
 */
export const beginFromSession = async ({ store, tracker, agentType, project, io }: BegunPlan): Promise<void> => {
  if (tracker.ledger.entries > 0 || agentType === undefined) return
  try {
    const source = await agentNamed(agentType)?.sessions?.()
    if (!source) return
    const { findSession } = await import("../../sessions/find-session.ts")
    const { agent } = tracker.key
    const places = { source, env: io.env, home: io.home }
    const seen = await findSession(tracker.key, places)
    const { forkedFrom } = seen ?? {}
    const from = forkedFrom && { session: forkedFrom.session, agent }
    if (from && (await isOwn(store, from, { agentType, project }))) {
      await copyPlan({ store, from, to: tracker.key, until: forkedFrom.at })
      await tracker.refresh()
    }
    const shown = seen?.plan || !from ? seen : await findSession(from, places)
    if (tracker.ledger.entries === 0 && shown?.plan && shown.plan.todos.length > 0)
      await followSession(tracker, { ...shown, agentType, plan: shown.plan })
  } catch {
    // The plan begins with nothing then, as that of any new session.
  }
}

const isOwn = async (
  store: Store,
  { session, agent }: PlanKey,
  own: { agentType: string; project: string },
): Promise<boolean> => {
  const { plans } = await store.list({ session })
  return plans.some((plan) => plan.agent === agent && plan.agentType === own.agentType && plan.project === own.project)
}
