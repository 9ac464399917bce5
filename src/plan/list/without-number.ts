/** Takes the agent's own number from a todo. */
import type { PlanEvent } from "../event.ts"
import { nativeIdOf, type Todo } from "../todo.ts"

/** For a todo whose number now means another one. */
export const withoutNumber = (todo: Todo): PlanEvent[] => {
  if (nativeIdOf(todo) === undefined) return []
  const { nativeId: _, ...others } = todo.extra ?? {}
  const extra = Object.keys(others).length > 0 ? others : null
  return [{ type: "todo-changed", id: todo.id, from: { extra: todo.extra ?? null }, to: { extra } }]
}
