/** A plan in one line of a listing. */
import { activeFormOf, activeTodo, type Fold, isFinished, nextTodo, progressOf } from "../plan/index.ts"
import type { PlanKey, PlanSummary } from "./store.ts"

export const summarise = (key: PlanKey, { plan, ledger }: Pick<Fold, "plan" | "ledger">): PlanSummary => {
  const { opened } = ledger
  const active = activeTodo(plan)
  const next = active ?? nextTodo(plan) ?? plan.todos.find(({ status }) => !isFinished(status))
  return {
    session: key.session,
    agent: key.agent,
    ...(opened?.agentType ? { agentType: opened.agentType } : {}),
    ...(opened?.project ? { project: opened.project } : {}),
    ...(opened?.parent ? { parent: opened.parent } : {}),
    progress: progressOf(plan),
    ...(next ? { current: active ? activeFormOf(active) : next.content } : {}),
    isFinished: next === undefined,
    todos: plan.todos.length,
    updated: ledger.updated ?? "",
  }
}
