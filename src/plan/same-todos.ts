/** Pairs the todos of two plans, for a plan that continues in another log. */
import { normalise } from "./text/wording.ts"
import type { Todo } from "./todo.ts"

/**
 * By id, the todo of the other plan with the same text. Among several with one text, the one with the same id; the others
 * pair in order, and none is paired twice.
 */
export const sameTodos = (from: readonly Todo[], to: readonly Todo[]): ReadonlyMap<string, Todo> => {
  const byId = new Map(to.map((todo) => [todo.id, todo]))
  const same = new Map<string, Todo>()
  for (const { id, content } of from) {
    const named = byId.get(id)
    if (named && normalise(named.content) === normalise(content)) same.set(id, named)
  }
  const open = new Map<string, Todo[]>()
  for (const todo of to.toReversed()) {
    if (same.has(todo.id)) continue
    const text = normalise(todo.content)
    const alike = open.get(text)
    if (alike) alike.push(todo)
    else open.set(text, [todo])
  }
  for (const { id, content } of from) {
    const next = same.has(id) ? undefined : open.get(normalise(content))?.pop()
    if (next) same.set(id, next)
  }
  return same
}
