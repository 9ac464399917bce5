/** The changes between two states of an agent's list, one line per todo, for append-only output. */
import type { Todo } from "../../plan/todo.ts"
import { transitionLine } from "../changes.ts"

/** Behaviour G6. A new or reworded todo is listed with its status, a missing one as removed. */
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
