/** A todo one place up or down as its plan is shown: within its phase, and from the edge of a phase into the next one. */
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
  // Without todos in the other phase, any place in the list is the right one.
  const edge = by < 0 ? next.todos.at(-1) : next.todos[0]
  const place = edge && (by < 0 ? edge.id : before(edge, plan))
  return [...(place === undefined ? [] : placed(todo, plan, place)), ...changeTodo(todo, { phase: next.name ?? "" })]
}

const placed = ({ id }: Todo, plan: Plan, after: string): PlanEvent[] => {
  const isThere = after === id || after === before({ id }, plan)
  return isThere ? [] : [{ type: "todo-moved", id, after }]
}

/** What comes before a todo in the list; empty at its start. */
const before = ({ id }: Pick<Todo, "id">, { todos }: Plan): string =>
  todos[todos.findIndex((todo) => todo.id === id) - 1]?.id ?? ""
