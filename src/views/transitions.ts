/** What changed between two states of an agent's list, one line for each todo: for output that only ever grows. */
import type { Todo } from "../plan/todo.ts"
import { transitionLine } from "./changes.ts"

/** SPEC G6. A todo that is new, or has another wording, is told with its status; one that is gone as removed. */
export const transitionsOf = (before: readonly Todo[], after: readonly Todo[]): string[] => {
  const known = new Map(before.map((todo) => [todo.id, todo]))
  const there = new Set(after.map(({ id }) => id))
  return [
    ...before.flatMap(({ id, content }) => (there.has(id) ? [] : [transitionLine(content, "removed")])),
    ...after.flatMap(({ id, content, status }) => {
      const old = known.get(id)
      return old?.status === status && old.content === content ? [] : [transitionLine(content, status)]
    }),
  ]
}
