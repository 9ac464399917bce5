/** A finished list: the agent starts with an empty one, while a person still sees the finished one. */
import type { PlanEvent } from "./event.ts"
import type { Ledger } from "./log/ledger.ts"
import { inverse } from "./log/undo.ts"
import type { Plan, Todo } from "./todo.ts"

/** The plan as a person sees it: the current list or, if an agent has finished all of it, the finished one. */
export const planInSight = (plan: Plan, { finished, removed }: Ledger): Plan => {
  if (!finished || plan.todos.length > 0) return plan
  const todos = finished.todos.flatMap((id): Todo[] => {
    const todo = removed.get(id)?.todo
    return todo ? [todo] : []
  })
  return { ...plan, todos, phases: finished.phases }
}

/** A person's change to the plan they see: one to a list that was put away brings that list back first. */
export const changeInSight = (
  plan: Plan,
  ledger: Ledger,
  decide: (inSight: Plan, ledger: Ledger) => readonly PlanEvent[],
): readonly PlanEvent[] => {
  const inSight = planInSight(plan, ledger)
  const events = decide(inSight, ledger)
  if (inSight === plan) return events
  const ids = new Set(inSight.todos.map(({ id }) => id))
  if (!events.some((event) => namesOneOf(event, ids))) return events
  return [...inverse([{ type: "plan-cleared", todos: [...inSight.todos], phases: [...inSight.phases] }]), ...events]
}

const namesOneOf = (event: PlanEvent, ids: ReadonlySet<string>): boolean => {
  if ("id" in event && ids.has(event.id)) return true
  if (event.type === "plan-cleared") return event.todos.some(({ id }) => ids.has(id))
  if (event.type === "todo-removed") return ids.has(event.todo.id)
  return event.type === "todo-added" && event.after !== undefined && ids.has(event.after)
}
