/** Which todos still concern the agent and the screen: finished ones leave the view, never the plan. */
import type { Ledger } from "./log/ledger.ts"
import { isFinished, type Plan, type Todo } from "./todo.ts"

/** The working list: what was finished before the plan was resumed in a later session stays behind in history. */
export const workingTodos = ({ todos }: Plan, ledger: Ledger): readonly Todo[] => {
  const { behind } = ledger
  return behind.size === 0 ? todos : todos.filter(({ id, status }) => !isFinished(status) || !behind.has(id))
}

/** How long finished todos stay in sight, in seconds. */
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
