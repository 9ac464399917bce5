/** The part of a plan that a vocabulary can express: a todo with a status it lacks gets a weaker one or is left out. */
import { inPhaseOrder, type Plan, type Problem, type Todo, type TodoStatus } from "../plan/index.ts"
import { type Limits, withinLimits } from "./_within-limits.ts"
import type { Carries } from "./dialect.ts"

/**
 * In a vocabulary without these statuses, a blocked todo becomes pending, and a cancelled one is left out, because
 * "completed" would be wrong. What exceeds the tool's limits is shortened or left out, and reported in `problems`.
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
  const whole = todos.length === plan.todos.length ? todos : withoutLeftOut(todos)
  const kept = withinLimits(oneActive ? withOneActive(whole) : whole, { ...limits, fields }, problems)
  return kept.length === whole.length ? kept : withoutLeftOut(kept)
}

/** Drops blockers that were left out, because their ids could be mistaken for others. */
const withoutLeftOut = (todos: readonly Todo[]): Todo[] => {
  const ids = new Set(todos.map(({ id }) => id))
  return todos.map(({ blockedBy, ...todo }) => {
    const left = blockedBy?.filter((id) => ids.has(id)) ?? []
    return left.length > 0 ? { ...todo, blockedBy: left } : todo
  })
}

/** Keeps only the first todo in progress; the others become pending. */
const withOneActive = (todos: readonly Todo[]): Todo[] => {
  const first = todos.find(({ status }) => status === "in_progress")
  return todos.map((todo) => (todo.status === "in_progress" && todo !== first ? { ...todo, status: "pending" } : todo))
}
