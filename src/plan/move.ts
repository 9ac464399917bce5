/** A plan that goes on in another session: what its arrival there changes. */
import { diff } from "./diff.ts"
import type { Entry, PlanEvent } from "./event.ts"
import type { Ledger } from "./ledger.ts"
import { normalise } from "./text.ts"
import type { Plan, Todo } from "./todo.ts"

type Known = { plan: Plan; ledger: Ledger }

/**
 * What to write where a plan arrives from another session; undefined once it has arrived. Of several processes that bring
 * it at once the first in the log does, because they all make the same call of it; the others ask again.
 */
export const arrivalOf = (
  moved: Known,
  from: string,
  { plan, ledger }: Known,
): (Pick<Entry, "events"> & { via: NonNullable<Entry["via"]> }) | undefined => {
  // What was done here since it arrived stays: then only what is missing comes.
  const isHere = ledger.moved?.from === from
  const events = isHere ? missing(moved.plan, plan, ledger) : broughtInLine(moved, plan)
  if (isHere && events.length === 0) return undefined
  const via = { dialect: "moved", tool: "session", callId: nextCall(from, ledger) }
  return { via, events: [{ type: "plan-moved", from }, ...events] }
}

/** A plan that has gone on elsewhere changes what is still the same, and takes along what it removed; what others wrote here stays. */
const broughtInLine = (moved: Known, plan: Plan): PlanEvent[] => {
  const phases = [...new Set([...moved.plan.phases, ...plan.phases])]
  const { events } = diff(plan, moved.plan.todos, { mode: "patch", phases })
  const gone = plan.todos.filter(({ id, content }) => moved.ledger.removed.get(id)?.todo.content === content)
  return [...gone.map((todo): PlanEvent => ({ type: "todo-removed", todo })), ...events]
}

/** The same for all who see the same log, and never one that is in it. */
const nextCall = (from: string, { calls, moves }: Ledger): string => {
  const call = (number: number): string => `moved ${number} from ${from}`
  let number = moves
  while (calls.has(call(number))) number += 1
  return call(number)
}

/** The todos that no todo here is, or was before it was reworded or removed. */
const missing = (moved: Plan, plan: Plan, ledger: Ledger): PlanEvent[] => {
  const removed = [...ledger.removed.values()].map(({ todo }) => todo.content)
  const known = new Set([...plan.todos.map(({ content }) => content), ...removed].map(normalise))
  const isKnown = ({ id, content }: Todo): boolean =>
    known.has(normalise(content)) || ledger.todos.get(id)?.set.content !== undefined
  return moved.todos.flatMap((todo): PlanEvent[] => (isKnown(todo) ? [] : [{ type: "todo-added", todo }]))
}
