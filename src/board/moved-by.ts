/** Moves a todo within its plan as shown: one up or down, also into the next phase, or to where it was dropped. */
import type { Plan, PlanEvent, Todo } from "../plan/index.ts"
import { changeTodo } from "../plan/list/diff.ts"
import { phaseGroups } from "../views/plan/phases.ts"

/** Returns nothing if it cannot move any further. */
export const movedBy = (todo: Todo, plan: Plan, by: -1 | 1): PlanEvent[] => {
  const groups = phaseGroups(plan)
  const at = groups.findIndex(({ todos }) => todos.some(({ id }) => id === todo.id))
  const { todos = [] } = groups[at] ?? {}
  const neighbour = todos[todos.findIndex(({ id }) => id === todo.id) + by]
  if (neighbour) return placed(todo, plan, by < 0 ? before(neighbour, plan) : neighbour.id)
  const next = groups[at + by]
  if (at < 0 || !next) return []
  return inPhase(todo, plan, next.name ?? "", by < 0 ? next.todos.at(-1)?.id : undefined)
}

/**
 * Moves it after another todo and into its phase; without one, to the start of a phase (`""` for none) or of the plan.
 * Returns nothing if it is already there.
 */
export const movedTo = (todo: Todo, plan: Plan, place: { after?: Todo | undefined; phase?: string | undefined }) => {
  const { after, phase } = place
  if (after?.id === todo.id) return []
  const first = phaseGroups(plan).find(({ todos }) => todos.length > 0)
  return inPhase(todo, plan, phase ?? (after ? after.phase : first?.name) ?? "", after?.id)
}

/** After a todo that is shown in the phase, or at its start. */
const inPhase = (todo: Todo, plan: Plan, phase: string, after: string | undefined): PlanEvent[] => {
  const [first] = plan.todos.filter((one) => (one.phase ?? "") === phase)
  // If the phase has no todos, any position in the list will do.
  const place = after ?? (first && first.id !== todo.id ? before(first, plan) : undefined)
  const isInPhase = (todo.phase ?? "") === phase
  return [...(place === undefined ? [] : placed(todo, plan, place)), ...(isInPhase ? [] : changeTodo(todo, { phase }))]
}

const placed = ({ id }: Todo, plan: Plan, after: string): PlanEvent[] => {
  const isThere = after === id || after === before({ id }, plan)
  return isThere ? [] : [{ type: "todo-moved", id, after }]
}

/** The todo before this one in the list; empty at the start. */
const before = ({ id }: Pick<Todo, "id">, { todos }: Plan): string =>
  todos[todos.findIndex((todo) => todo.id === id) - 1]?.id ?? ""
