/** Fits a plan into the limits of a tool: long texts are shortened, excess todos left out, and both are reported. */
import { activeFormOf, isFinished, limits, type Problem, type Rules, type Todo, warning } from "../plan/index.ts"
import type { Carries } from "./dialect.ts"

export type Limits = Pick<Rules, "maxTodos" | "maxLength"> & {
  /** What the vocabulary says of a todo beside its text; nothing else is looked at. */
  fields: Carries["fields"]
  /** Characters in one call that says all of it. @default none: each todo has a call of its own */
  maxInput?: number
}

/** Half of what is read: names of fields, quotes and marks take their part too, in each vocabulary another. */
export const oneCall = { maxInput: limits.input / 2 }

/** Adds to `problems` what was changed so that the tool takes it. */
export const withinLimits = (todos: readonly Todo[], own: Limits, problems: Problem[]): readonly Todo[] => {
  const few = fewer(shortened(todos, own, problems), own, problems)
  return own.fields.includes("phase") ? withFewPhases(few, problems) : few
}

/** Text of at most so many characters; a cut never goes through one that is written as two. */
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
      // Where there is none, one is derived from the content, and is longer than that.
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

/** What is done is missed least, the oldest least of all; of the rest, what comes last. */
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

/** The last phase there may be takes in those behind it. */
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
