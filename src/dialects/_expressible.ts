/** The part of a plan that a vocabulary can express: a status it has no word for becomes a weaker one or is left out, never misreported. */
import { inPhaseOrder, type Plan, type Problem, type Todo, type TodoStatus } from "../plan/index.ts"
import { type Limits, withinLimits } from "./_within-limits.ts"
import type { Carries } from "./dialect.ts"

/**
 * Blocked becomes pending where there is no such word; cancelled is left out, because "completed" would be a lie. What is
 * beyond the limits of the tool is shortened or left out, and told in `problems`.
 */
export const expressible = (
  plan: Pick<Plan, "todos" | "phases">,
  { statuses, fields, oneActive }: Pick<Carries, "statuses" | "fields" | "oneActive">,
  limits: Omit<Limits, "fields">,
  problems: Problem[] = [],
): readonly Todo[] => {
  const can = new Set<TodoStatus>(statuses)
  const todos = inPhaseOrder(plan).flatMap((todo): Todo[] => {
    if (can.has(todo.status)) return [todo]
    return todo.status === "cancelled" ? [] : [{ ...todo, status: "pending" }]
  })
  return withinLimits(oneActive ? withOneActive(todos) : todos, { ...limits, fields }, problems)
}

/** Only the first todo in progress may say so. */
const withOneActive = (todos: readonly Todo[]): Todo[] => {
  const first = todos.find(({ status }) => status === "in_progress")
  return todos.map((todo) => (todo.status === "in_progress" && todo !== first ? { ...todo, status: "pending" } : todo))
}
