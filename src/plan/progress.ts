/** How far a plan is: what is completed out of what still counts, and the todo being worked on. */

import { countsOf } from "./lookup.ts"
import { isFinished, type Todo, type TodoStatus } from "./todo.ts"

export type Progress = { completed: number; total: number; percent: number }

/** Cancelled todos count neither as done nor as left to do. */
export const progressOf = (plan: { todos: readonly Todo[] }): Progress => {
  const { completed, cancelled } = countsOf(plan)
  const total = plan.todos.length - cancelled
  return { completed, total, percent: total === 0 ? 0 : Math.round((completed / total) * 100) }
}

/** The first todo in progress, in plan order. */
export const activeTodo = (plan: { todos: readonly Todo[] }): Todo | undefined => firstOf(plan, "in_progress")

/** The first todo of a status, in plan order. */
export const firstOf = (plan: { todos: readonly Todo[] }, status: TodoStatus): Todo | undefined =>
  countsOf(plan)[status] === 0 ? undefined : plan.todos.find((todo) => todo.status === status)

/** The todo to begin next: the first pending one, in plan order, that waits for no open todo. */
export const nextTodo = (plan: { todos: readonly Todo[] }): Todo | undefined => firstReady(plan, "pending")

/** The todo to work on now: the first one in progress that waits for no open todo, else the one to begin next. */
export const readyTodo = (plan: { todos: readonly Todo[] }): Todo | undefined =>
  firstReady(plan, "in_progress") ?? nextTodo(plan)

const firstReady = (plan: { todos: readonly Todo[] }, wanted: TodoStatus): Todo | undefined => {
  if (countsOf(plan)[wanted] === 0) return undefined
  let open: ReadonlySet<string> | undefined
  const isOpen = (id: string): boolean => {
    open ??= new Set(plan.todos.flatMap((todo) => (isFinished(todo.status) ? [] : [todo.id])))
    return open.has(id)
  }
  return plan.todos.find(({ status, blockedBy = [] }) => status === wanted && !blockedBy.some(isOpen))
}
