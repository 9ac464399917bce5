/** A list in short: what a listing says of it without reading it again. */
import { activeFormOf, activeTodo, isFinished, nextTodo, type Plan, type Progress, progressOf } from "../plan/index.ts"

export type PlanFacts = {
  progress: Progress
  todos: number
  isFinished: boolean
  current?: string
  /** The same list has the same fingerprint, another one another. */
  fingerprint: string
}

export const summaryOf = (plan: Plan): Omit<PlanFacts, "fingerprint"> => {
  const active = activeTodo(plan)
  const next = active ?? nextTodo(plan) ?? plan.todos.find(({ status }) => !isFinished(status))
  return {
    progress: progressOf(plan),
    todos: plan.todos.length,
    isFinished: next === undefined && plan.todos.length > 0,
    ...(next ? { current: active ? activeFormOf(active) : next.content } : {}),
  }
}
