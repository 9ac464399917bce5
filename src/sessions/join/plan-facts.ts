/** The summary of a list, for listings that do not read it again. */
import { type AtHand, atHand, isFinished, type Plan, type Progress, progressOf } from "../../plan/index.ts"

export type PlanSummary = { progress: Progress; todos: number; isFinished: boolean } & AtHand

export type PlanFacts = PlanSummary & {
  /** Equal lists have equal fingerprints. */
  fingerprint: string
  /** A fingerprint of text, status and owner only, because two copies of a list may differ in the rest. */
  outline: string
}

export const summaryOf = (plan: Plan): PlanSummary => ({
  progress: progressOf(plan),
  todos: plan.todos.length,
  isFinished: plan.todos.length > 0 && plan.todos.every(({ status }) => isFinished(status)),
  ...atHand(plan),
})
