/** The part of a plan that a vocabulary can express: a status it has no word for becomes a weaker one or is left out, never misreported. */
import { inPhaseOrder, type Plan, type Todo, type TodoStatus } from "../plan/index.ts"
import type { Carries } from "./dialect.ts"

/** Blocked becomes pending where there is no such word; cancelled is left out, because "completed" would be a lie. */
export const expressible = (plan: Plan, { statuses, oneActive }: Pick<Carries, "statuses" | "oneActive">): Todo[] => {
  const can = new Set<TodoStatus>(statuses)
  const todos = inPhaseOrder(plan).flatMap((todo): Todo[] => {
    if (can.has(todo.status)) return [todo]
    return todo.status === "cancelled" ? [] : [{ ...todo, status: "pending" }]
  })
  return oneActive ? withOneActive(todos) : todos
}

/** Only the first todo in progress may say so. */
const withOneActive = (todos: readonly Todo[]): Todo[] => {
  const first = todos.find(({ status }) => status === "in_progress")
  return todos.map((todo) => (todo.status === "in_progress" && todo !== first ? { ...todo, status: "pending" } : todo))
}
