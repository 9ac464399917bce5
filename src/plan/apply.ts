/** Applies events to a plan, purely: the same plan and events always give the same next plan. */
import { applyToDraft } from "./draft/apply-events.ts"
import { createDraft, planOf } from "./draft/draft.ts"
import type { PlanEvent, Settle } from "./event.ts"
import type { Plan } from "./todo.ts"

export type Applied = {
  plan: Plan
  /** The events that took effect, with true old values; empty if none did. */
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

/** New todos without an id get numbers above `highestId`, where earlier plans had todos that are gone. */
export const apply = (
  plan: Plan,
  events: readonly PlanEvent[],
  settle: Settle = {},
  { highestId }: { highestId?: number | undefined } = {},
): Applied => {
  const draft = createDraft(plan)
  if (highestId !== undefined) draft.highestId = highestId
  const happened = applyToDraft(draft, events, settle)
  return { plan: planOf(draft), events: happened }
}
