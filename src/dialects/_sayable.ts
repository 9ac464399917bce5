/** What of a plan a vocabulary can say: a status it has no word for is softened or left out, never misreported. */
import { inPhaseOrder, type Plan, type Todo, type TodoStatus } from "../plan/index.ts"
import type { Carries } from "./dialect.ts"

/** Blocked becomes pending where there is no such word; cancelled is left out, because "completed" would be a lie. */
export const sayable = (plan: Plan, { statuses }: Pick<Carries, "statuses">): readonly Todo[] => {
  const can = new Set<TodoStatus>(statuses)
  return inPhaseOrder(plan).flatMap((todo): Todo[] => {
    if (can.has(todo.status)) return [todo]
    return todo.status === "cancelled" ? [] : [{ ...todo, status: "pending" }]
  })
}
