/** Which todos still concern the agent and the screen: finished ones leave the view, never the plan. */
import type { Ledger } from "./log/ledger.ts"
import { isFinished, type Plan, type Todo } from "./todo.ts"

/** The working list: what was finished before the plan was resumed in a later session remains only in the history. */
export const workingTodos = ({ todos }: Plan, ledger: Ledger): readonly Todo[] => {
  const { behind } = ledger
  return behind.size === 0 ? todos : todos.filter(({ id, status }) => !isFinished(status) || !behind.has(id))
}

/** The same as a plan: a phase is left out with its todos if none of them remains. */
export const workingPlan = (plan: Plan, ledger: Ledger): Plan => withTodos(plan, workingTodos(plan, ledger))

/** The plan with only these of its todos. A phase that never had any stays. */
export const withTodos = (plan: Plan, todos: readonly Todo[]): Plan => {
  if (todos === plan.todos) return plan
  const shown = new Set(todos.map(({ phase }) => phase))
  const used = new Set(plan.todos.map(({ phase }) => phase))
  return { ...plan, todos, phases: plan.phases.filter((name) => shown.has(name) || !used.has(name)) }
}

/** How long finished todos stay visible, in seconds. */
export const defaultClearDelay = 60

/**
 * The visible list: finished todos leave it after a delay, in seconds. Negative: never; 0: at once.
 */
export const visibleTodos = (
  plan: Plan,
  ledger: Ledger,
  now: Date,
  clearDelay = defaultClearDelay,
): readonly Todo[] => {
  const working = workingTodos(plan, ledger)
  if (clearDelay < 0) return working
  const since = ({ id }: Todo): number => Date.parse(ledger.todos.get(id)?.since ?? "") || 0
  return working.filter((todo) => !isFinished(todo.status) || now.getTime() - since(todo) < clearDelay * 1000)
}
