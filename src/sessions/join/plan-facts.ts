/** The summary of a list, for listings that do not read it again. */
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
  /** Equal lists have equal fingerprints. */
  fingerprint: string
  /** A fingerprint of text, status and owner only, because two copies of a list may differ in the rest. */
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
