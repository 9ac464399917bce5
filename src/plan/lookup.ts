/** Fast lookups in a plan, using indexes of the draft that made it. */
import type { Plan, Todo, TodoStatus } from "./todo.ts"

export type Counts = Record<TodoStatus, number>

type Knowledge = {
  /** Undefined if it is no longer known and has to be searched for. */
  byId: (id: string) => Todo | undefined
  counts: Readonly<Counts>
}

const known = new WeakMap<object, Knowledge>()
const indexes = new WeakMap<Plan, Map<string, Todo>>()

export const rememberPlan = (plan: Plan, knowledge: Knowledge): void => {
  known.set(plan, knowledge)
}

export const isRemembered = (plan: Plan): boolean => known.has(plan)

/** The todo of our id. */
export const todoById = (plan: Plan, id: string): Todo | undefined => known.get(plan)?.byId(id) ?? indexOf(plan).get(id)

/** The text of a todo by our id, or the id itself if there is none. */
export const contentById = (plan: Plan, id: string): string => todoById(plan, id)?.content ?? id

/** How many todos are in each status. */
export const countsOf = (plan: { todos: readonly Todo[] }): Readonly<Counts> => {
  const counts = known.get(plan)?.counts
  if (counts) return counts
  const counted = noCounts()
  for (const { status } of plan.todos) counted[status] += 1
  return counted
}

export const noCounts = (): Counts => ({ pending: 0, in_progress: 0, blocked: 0, completed: 0, cancelled: 0 })

const indexOf = (plan: Plan): Map<string, Todo> => {
  const index = indexes.get(plan) ?? new Map(plan.todos.map((todo) => [todo.id, todo]))
  indexes.set(plan, index)
  return index
}
