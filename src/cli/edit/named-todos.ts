/** The todos a person means on a command line: one by all its words, or several by their ids or texts. */
import {
  findTarget,
  HeadwayError,
  nativeIdOf,
  nearest,
  normalise,
  type Plan,
  sanitise,
  type Target,
  type Todo,
} from "../../plan/index.ts"

/** The one todo a person means; otherwise a sentence that says which could be meant. */
export const theTodo = (plan: Plan, words: string): Todo => {
  if (words === "")
    throw new HeadwayError("usage", 'Name a todo: its id, its text, or a part of it. "headway show" lists them.')
  const target = findTarget(plan, words)
  if (target.kind === "found") return target.todo
  throw unclear(plan, words, target)
}

/**
 * Several ids are several todos, and so are several texts, each in quotes. Any other words are those of one todo, as people
 * type them without quotes: one of them alone never names a todo of its own.
 */
export const theTodos = (plan: Plan, words: readonly string[]): Todo[] => {
  const all = words.join(" ")
  if (words.length < 2) return [theTodo(plan, all)]
  const each = (): Todo[] => [...new Set(words.map((word) => theTodo(plan, word)))]
  if (words.every((word) => isId(plan, word))) return each()
  const target = findTarget(plan, all)
  if (target.kind === "found") return [target.todo]
  if (words.every((word) => isId(plan, word) || isText(plan, word) || isNumber(word))) return each()
  throw unclear(plan, all, target)
}

/** The words after the id of a todo, if they name no todo themselves, neither together with the id nor alone. */
export const wordsAfterTodo = (
  plan: Plan,
  [id = "", ...rest]: readonly string[],
): { todo: Todo; words: string } | undefined => {
  const words = rest.join(" ")
  if (words === "" || !isId(plan, id) || findTarget(plan, `${id} ${words}`).kind !== "missing") return
  const target = findTarget(plan, id)
  const isTodo = [...rest, words].some((one) => findTarget(plan, one).kind !== "missing")
  return target.kind === "found" && !isTodo ? { todo: target.todo, words: sanitise(words) } : undefined
}

const isId = (plan: Plan, word: string): boolean => {
  const id = word.replace(/^#/, "")
  return plan.todos.some((todo) => todo.id === id || nativeIdOf(todo) === id)
}

/** Meant as an id, also where no todo has it. */
const isNumber = (word: string): boolean => /^#?\d+$/.test(word)

/** What was in quotes, or is all that a todo says. */
const isText = (plan: Plan, word: string): boolean =>
  /\s/.test(word) || plan.todos.some(({ content }) => normalise(content) === normalise(word))

const unclear = (plan: Plan, words: string, target: Exclude<Target, { kind: "found" }>): HeadwayError => {
  const candidates = target.kind === "ambiguous" ? target.candidates : nearest(plan, words)
  const list = candidates.slice(0, 10).map(({ id, content }) => `\n  ${id}  ${content}`)
  const missing = list.length > 0 ? `Similar ones are:${list.join("")}` : 'See "headway show".'
  const text =
    target.kind === "ambiguous"
      ? `Several todos match "${words}":${list.join("")}`
      : `There is no todo "${words}". ${missing}`
  return new HeadwayError(`${target.kind}-todo`, text)
}
