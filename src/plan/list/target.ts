/** Finds the todo a person means: by id, by its text, or by a part of it that no other todo has. */
import { todoById } from "../lookup.ts"
import { normalise } from "../text/wording.ts"
import { nativeIdOf, type Plan, type Todo } from "../todo.ts"

export type Target =
  | { kind: "found"; todo: Todo }
  /** Several could be meant; the person has to say more. */
  | { kind: "ambiguous"; candidates: Todo[] }
  | { kind: "missing" }

export const findTarget = (plan: Plan, words: string): Target => {
  const id = words.replace(/^#/, "")
  // Our id first: it is the one that is shown.
  const named = todoById(plan, id) ?? plan.todos.find((todo) => nativeIdOf(todo) === id)
  if (named) return { kind: "found", todo: named }
  const text = normalise(words)
  if (text === "") return { kind: "missing" }
  for (const matches of [
    (content: string) => content === words,
    (content: string) => normalise(content) === text,
    (content: string) => normalise(content).includes(text),
  ]) {
    const candidates = plan.todos.filter(({ content }) => matches(content))
    const [todo] = candidates
    if (todo) return candidates.length === 1 ? { kind: "found", todo } : { kind: "ambiguous", candidates }
  }
  return { kind: "missing" }
}
