/** Applies events to a plan, purely: the same plan and events always give the same next plan. */
import { applyToDraft } from "./draft/apply-events.ts"
import { createDraft, planOf } from "./draft/draft.ts"
import type { PlanEvent, Settle } from "./event.ts"
import type { Plan } from "./todo.ts"

export type Applied = {
  plan: Plan
  /** What really happened, with true old values; empty when nothing did. */
  events: PlanEvent[]
}

/** For several lists of events, each on what the ones before it left: the plan is taken apart only once. */
export const applyInTurn = (plan: Plan): ((events: readonly PlanEvent[]) => Applied) => {
  const draft = createDraft(plan)
  return (events) => {
    const happened = applyToDraft(draft, events)
    return { plan: planOf(draft), events: happened }
  }
}

export const apply = (plan: Plan, events: readonly PlanEvent[], settle: Settle = {}): Applied => {
  const draft = createDraft(plan)
  const happened = applyToDraft(draft, events, settle)
  return { plan: planOf(draft), events: happened }
}
