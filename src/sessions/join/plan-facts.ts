/** A list in short: what a listing says of it without reading it again. */
import {
  activeFormOf,
  activeTodo,
  isFinished,
  nextTodo,
  type Plan,
  type Progress,
  progressOf,
} from "../../plan/index.ts"

export type PlanSummary = { progress: Progress; todos: number; isFinished: boolean; current?: string }

export type PlanFacts = PlanSummary & {
  /** The same list has the same fingerprint, another one another. */
  fingerprint: string
  /** The same for what the todos are, how far they are and whose: lists in two places say the rest in different ways. */
  outline: string
}

export const summaryOf = (plan: Plan): PlanSummary => {
  const active = activeTodo(plan)
  const next = active ?? nextTodo(plan) ?? plan.todos.find(({ status }) => !isFinished(status))
  return {
    progress: progressOf(plan),
    todos: plan.todos.length,
    isFinished: next === undefined && plan.todos.length > 0,
    ...(next ? { current: active ? activeFormOf(active) : next.content } : {}),
  }
}
