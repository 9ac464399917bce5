/** How far a plan is: what is completed out of what still counts, and the todo being worked on. */

import type { Todo } from "./todo.ts"

export type Progress = { completed: number; total: number; percent: number }

/** Cancelled todos count neither as done nor as left to do. */
export const progressOf = (plan: { todos: readonly Todo[] }): Progress => {
  const counted = plan.todos.filter((todo) => todo.status !== "cancelled")
  const completed = counted.filter((todo) => todo.status === "completed").length
  const total = counted.length
  return { completed, total, percent: total === 0 ? 0 : Math.round((completed / total) * 100) }
}

/** The first todo in progress, in plan order. */
export const activeTodo = (plan: { todos: readonly Todo[] }): Todo | undefined =>
  plan.todos.find((todo) => todo.status === "in_progress")
