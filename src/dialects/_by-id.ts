/** What dialects share that name one todo per call by its id. */
import { changeTodo, error, type Plan, type PlanEvent, type Problem, type Todo, type Wanted } from "../plan/index.ts"
import { isObject, readId } from "./_items.ts"
import { readValue } from "./_read.ts"
import type { ToolCall } from "./dialect.ts"

/** The input as an object, whatever it came as; undefined when it is none. */
export const readObject = (input: unknown): Record<string, unknown> | undefined => {
  const { value } = readValue(input)
  return isObject(value) ? value : value === undefined ? {} : undefined
}

export const readTarget = (input: Record<string, unknown>): string | undefined =>
  readId(input.taskId ?? input.task_id ?? input.id ?? input.todoId)

/** The agent's own id names a todo before ours does: the model has never seen ours unless we gave it. */
export const findTarget = (plan: Plan, id: string): Todo | undefined =>
  plan.todos.find((todo) => todo.extra?.nativeId === id) ?? plan.todos.find((todo) => todo.id === id)

export const unknownTarget = (plan: Plan, id: string | undefined): Problem => {
  const known = plan.todos.slice(-5).map((todo) => `#${idOf(todo)} ${todo.content.slice(0, 60)}`)
  const hint = known.length === 0 ? "The list is empty." : `The latest are: ${known.join("; ")}.`
  return error("unknown-todo", `${id === undefined ? "No task id was given" : `There is no task #${id}`}. ${hint}`)
}

/** The id a model knows a todo by. */
export const idOf = (todo: Todo): string => (typeof todo.extra?.nativeId === "string" ? todo.extra.nativeId : todo.id)

export const changes = (todo: Todo, wanted: Wanted): PlanEvent[] => {
  const event = changeTodo(todo, wanted)
  return event ? [event] : []
}

/** Ids a todo waits for, as ours; those that name nothing or the todo itself are left out. */
export const blockersOf = (plan: Plan, todo: Todo, ids: readonly string[]): string[] => {
  const found = ids.flatMap((id) => findTarget(plan, id)?.id ?? [])
  return [...new Set(found)].filter((id) => id !== todo.id)
}

/** The structured part of a result that was seen, whether it came as data or as text. */
export const readResult = ({ result }: ToolCall): Record<string, unknown> | undefined =>
  isObject(result)
    ? result
    : typeof result === "string" && result.trimStart().startsWith("{")
      ? readObject(result)
      : undefined

export const resultText = ({ result }: ToolCall): string => (typeof result === "string" ? result : "")
