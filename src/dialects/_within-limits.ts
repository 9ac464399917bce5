/** Fits a plan into the limits of a tool: long texts are shortened, excess todos left out, and both are reported. */
import { activeFormOf, isFinished, limits, type Problem, type Rules, type Todo, warning } from "../plan/index.ts"
import type { Carries } from "./dialect.ts"

export type Limits = Pick<Rules, "maxTodos" | "maxLength"> & {
  /** The fields that the vocabulary has besides a todo's text. Only these are checked. */
  fields: Carries["fields"]
  /** The most characters in a call that contains the whole list. @default no limit: each todo has its own call */
  maxInput?: number
}

/**
 * Half of the longest readable input, because field names, quotes and marks need room too, differently in each
 * vocabulary.
 */
export const oneCall = { maxInput: limits.input / 2 }

/** Fits the todos into the limits, and adds every change to `problems`. */
export const withinLimits = (todos: readonly Todo[], own: Limits, problems: Problem[]): readonly Todo[] => {
  const few = fewer(shortened(todos, own, problems), own, problems)
  return own.fields.includes("phase") ? withFewPhases(few, problems) : few
}

/** Shortens a text without cutting through a surrogate pair. */
export const cutTo = (text: string, most: number): string => {
  if (text.length <= most) return text
  const head = text.slice(0, Math.max(0, most - 1))
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`
}

const shortened = (todos: readonly Todo[], { maxLength, fields }: Limits, problems: Problem[]): readonly Todo[] => {
  const saysActiveForm = fields.includes("activeForm")
  let count = 0
  const short = todos.map((todo) => {
    const changed = {
      ...(todo.content.length > maxLength ? { content: cutTo(todo.content, maxLength) } : {}),
      // Without an active form, one is derived from the content, and is longer than the content.
      ...(saysActiveForm && activeFormOf(todo).length > maxLength
        ? { activeForm: cutTo(activeFormOf(todo), maxLength) }
        : {}),
      ...shortDetails(todo, fields),
    }
    if (Object.keys(changed).some((field) => field !== "activeForm" || todo.activeForm !== undefined)) count += 1
    return Object.keys(changed).length > 0 ? { ...todo, ...changed } : todo
  })
  if (count > 0)
    problems.push(warning("shortened", `${todosText(count)} shortened: the text is too long for this tool.`))
  return short
}

const detailFields = ["description", "reason", "waitsFor"] as const

const shortDetails = (todo: Todo, fields: Carries["fields"]): Partial<Todo> => {
  const most = limits.details
  const long = detailFields.filter((field) => fields.includes(field) && (todo[field] ?? "").length > most)
  const hasLongNote = fields.includes("notes") && todo.notes?.some((note) => note.length > most)
  return {
    ...Object.fromEntries(long.map((field) => [field, cutTo(todo[field] ?? "", most)])),
    ...(hasLongNote ? { notes: todo.notes?.map((note) => cutTo(note, most)) ?? [] } : {}),
  }
}

/** Done todos are left out first, beginning with the oldest; then open ones, from the end. */
const fewer = (
  todos: readonly Todo[],
  { maxTodos, maxInput, fields }: Limits,
  problems: Problem[],
): readonly Todo[] => {
  const isFew = todos.length <= maxTodos && (maxInput === undefined || sizeOf(todos, fields) <= maxInput)
  if (isFew) return todos
  const places = todos.map((todo, index) => ({ todo, index, worth: worthOf(todo) }))
  const order = places.toSorted(
    (one, other) =>
      one.worth - other.worth || (one.worth === finishedWorth ? other.index - one.index : one.index - other.index),
  )
  let room = maxInput ?? Number.POSITIVE_INFINITY
  const kept = new Set<string>()
  for (const { todo } of order.slice(0, maxTodos)) {
    room -= maxInput === undefined ? 0 : sizeOf([todo], fields)
    if (room < 0) break
    kept.add(todo.id)
  }
  const left = todos.filter(({ id }) => kept.has(id))
  const why = todos.length > maxTodos ? `its list holds at most ${maxTodos}` : "together they are too long for one call"
  problems.push(warning("left-out", `${todosText(todos.length - left.length)} left out for this tool: ${why}.`))
  return left.map((todo) =>
    todo.blockedBy ? { ...todo, blockedBy: todo.blockedBy.filter((id) => kept.has(id)) } : todo,
  )
}

const finishedWorth = 2

const worthOf = ({ status }: Todo): number => (status === "in_progress" ? 0 : isFinished(status) ? finishedWorth : 1)

const sizeOf = (todos: readonly Todo[], fields: Carries["fields"]): number =>
  todos.reduce((sum, { content, activeForm, ...todo }) => {
    const values = fields.map((field) => (field === "activeForm" ? (activeForm ?? content) : todo[field]))
    return sum + JSON.stringify([content, values]).length
  }, 0)

/** Merges excess phases into the last allowed one. */
const withFewPhases = (todos: readonly Todo[], problems: Problem[]): readonly Todo[] => {
  const names = [...new Set(todos.flatMap(({ phase }) => phase ?? []))]
  if (names.length <= limits.phases) return todos
  const kept = new Set(names.slice(0, limits.phases))
  const last = names[limits.phases - 1] ?? ""
  problems.push(
    warning(
      "merged",
      `${names.length - limits.phases} phases were merged into "${last}": a plan holds at most ${limits.phases}.`,
    ),
  )
  return todos.map((todo) => (todo.phase === undefined || kept.has(todo.phase) ? todo : { ...todo, phase: last }))
}

const todosText = (count: number): string => (count === 1 ? "1 todo was" : `${count} todos were`)
