/** Plans in one line of a listing each, and which of them are listed. */
import { activeTodo, atHand, type Fold, isFinished, planInSight, progressOf, sanitise } from "../plan/index.ts"
import type { PlanFilter, PlanKey, PlanSummary } from "./store.ts"

export const summarise = (key: PlanKey, fold: Pick<Fold, "plan" | "ledger">): PlanSummary => {
  const { ledger } = fold
  const plan = planInSight(fold.plan, ledger)
  const { opened } = ledger
  const active = activeTodo(plan)
  const since = active && ledger.todos.get(active.id)?.since
  return {
    session: key.session,
    agent: key.agent,
    ...(opened?.agentType ? { agentType: opened.agentType } : {}),
    ...(opened?.project ? { project: opened.project } : {}),
    ...(opened?.parent ? { parent: opened.parent } : {}),
    ...(opened?.title ? { title: sanitise(opened.title.slice(0, longestTitle)) } : {}),
    progress: progressOf(plan),
    ...atHand(plan),
    ...(active && since !== undefined ? { currentSince: since } : {}),
    isFinished: plan.todos.every(({ status }) => isFinished(status)),
    todos: plan.todos.length,
    updated: ledger.updated ?? "",
    ...(ledger.worked === undefined ? {} : { worked: ledger.worked }),
    ...(ledger.from ? { person: sanitise(ledger.from.person), machine: sanitise(ledger.from.machine) } : {}),
  }
}

/** In characters. Every listing reads it. */
const longestTitle = 200

/** The plans that match a filter, most recently changed first. */
export const selectPlans = (plans: readonly PlanSummary[], filter: PlanFilter = {}): PlanSummary[] => {
  const { project, session, since, limit, isUnsorted = false } = filter
  const earliest = since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since)
  const isWanted = (plan: PlanSummary): boolean =>
    (project === undefined || plan.project === project) &&
    (session === undefined || plan.session === session) &&
    (since === undefined || Date.parse(plan.updated) >= earliest)
  const wanted = plans.filter(isWanted)
  return isUnsorted && limit === undefined ? wanted : wanted.sort(byTime).slice(0, limit)
}

const byTime = (one: PlanSummary, other: PlanSummary): number =>
  one.updated < other.updated ? 1 : one.updated > other.updated ? -1 : 0
