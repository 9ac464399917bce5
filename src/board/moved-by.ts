/** A todo in another place of its plan as that is shown: one up or down, also into the next phase, or where a person let it go. */
import type { Plan, PlanEvent, Todo } from "../plan/index.ts"
import { changeTodo } from "../plan/list/diff.ts"
import { phaseGroups } from "../views/phases.ts"

/** Nothing where there is no place to go to. */
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

/** Behind another todo and into its phase; without one first in a phase, `""` for none, or before all others. Nothing where it is there already. */
export const movedTo = (todo: Todo, plan: Plan, place: { after?: Todo | undefined; phase?: string | undefined }) => {
  const { after, phase } = place
  if (after?.id === todo.id) return []
  const first = phaseGroups(plan).find(({ todos }) => todos.length > 0)
  return inPhase(todo, plan, phase ?? (after ? after.phase : first?.name) ?? "", after?.id)
}

/** Behind a todo that is shown in the phase, or first in it. */
const inPhase = (todo: Todo, plan: Plan, phase: string, after: string | undefined): PlanEvent[] => {
  const [first] = plan.todos.filter((one) => (one.phase ?? "") === phase)
  // Without todos in the phase, any place in the list is the right one.
  const place = after ?? (first && first.id !== todo.id ? before(first, plan) : undefined)
  const isInPhase = (todo.phase ?? "") === phase
  return [...(place === undefined ? [] : placed(todo, plan, place)), ...(isInPhase ? [] : changeTodo(todo, { phase }))]
}

const placed = ({ id }: Todo, plan: Plan, after: string): PlanEvent[] => {
  const isThere = after === id || after === before({ id }, plan)
  return isThere ? [] : [{ type: "todo-moved", id, after }]
}

/** What comes before a todo in the list; empty at its start. */
const before = ({ id }: Pick<Todo, "id">, { todos }: Plan): string =>
  todos[todos.findIndex((todo) => todo.id === id) - 1]?.id ?? ""
