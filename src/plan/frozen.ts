/** The plan as it is handed out: it shares its parts with the inside, so they must not be changed. */
import type { PlanEvent } from "./event.ts"
import type { Plan } from "./todo.ts"

export const frozen = (plan: Plan): Plan => {
  if (Object.isFrozen(plan)) return plan
  for (const todo of plan.todos) if (!Object.isFrozen(todo)) deepFreeze(todo)
  Object.freeze(plan.todos)
  Object.freeze(plan.phases)
  return Object.freeze(plan)
}

/** What happened, as it is handed out: the todos in it may be those of the plan. */
export const frozenEvents = (events: readonly PlanEvent[]): readonly PlanEvent[] => {
  for (const event of events) deepFreeze(event)
  return events
}

export const deepFreeze = <Value extends object>(value: Value): Value => {
  for (const part of Object.values(Object.freeze(value)))
    if (typeof part === "object" && part !== null) deepFreeze(part)
  return value
}
