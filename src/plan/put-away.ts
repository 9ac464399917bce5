/** A finished list: the agent starts with an empty one, while a person still sees the finished one. */
import { isPlanChange, type PlanEvent } from "./event.ts"
import type { Difference } from "./list/diff.ts"
import type { Ledger, TodoRecord } from "./log/ledger.ts"
import { inverse } from "./log/undo.ts"
import type { Plan, Todo } from "./todo.ts"

/** The plan as a person sees it: the current list or, if an agent has finished all of it, the finished one. */
export const planInSight = (plan: Plan, { finished, removed }: Ledger): Plan => {
  if (!finished || plan.todos.length > 0) return plan
  const todos = finished.todos.flatMap((id): Todo[] => {
    const todo = removed.get(id)?.todo
    return todo ? [todo] : []
  })
  return { ...plan, todos, phases: finished.phases }
}

/** A person's change to the plan they see. If that is a list that was put away, it is brought back first. */
export const changeInSight = (
  plan: Plan,
  ledger: Ledger,
  decide: (inSight: Plan, ledger: Ledger) => readonly PlanEvent[],
): readonly PlanEvent[] => {
  const inSight = planInSight(plan, ledger)
  const events = decide(inSight, ledger)
  return inSight === plan || !events.some(isPlanChange) ? events : [...broughtBack(inSight), ...events]
}

/**
 * Compares an agent's whole list with the one that was put away too, because it may continue that one. Todos that it names
 * come back as they were, with their ids, their notes and a person's words.
 */
export const listInSight = (
  plan: Plan,
  ledger: Ledger,
  compare: (inSight: Plan, ledger: Ledger) => Difference,
): Difference => {
  const inSight = planInSight(plan, ledger)
  if (inSight === plan) return compare(plan, ledger)
  const difference = compare(inSight, ledgerInSight(ledger))
  const gone = new Set(difference.events.flatMap((event) => (event.type === "todo-removed" ? [event.todo.id] : [])))
  const todos = inSight.todos.filter(({ id }) => !gone.has(id))
  if (todos.length === 0) return compare(plan, ledger)
  // If the same finished list is sent again, it stays put away.
  if (difference.events.length === 0) return difference
  const events = difference.events.filter(({ type }) => type !== "todo-removed")
  return { ...difference, events: [...broughtBack({ ...inSight, todos }), ...events] }
}

const broughtBack = ({ todos, phases }: Plan): PlanEvent[] =>
  inverse([{ type: "plan-cleared", todos: [...todos], phases: [...phases] }])

/** Restores what is known about the todos of a finished list. */
const ledgerInSight = (ledger: Ledger): Ledger => {
  const removed = new Map(ledger.removed)
  const todos = new Map<string, TodoRecord>(ledger.todos)
  for (const id of ledger.finished?.todos ?? []) {
    const record = removed.get(id)?.record
    removed.delete(id)
    if (record) todos.set(id, record)
  }
  return { ...ledger, todos, removed }
}
