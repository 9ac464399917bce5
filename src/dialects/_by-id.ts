/** Shared by dialects whose calls name single todos by id. */
import {
  blockerFinder,
  diff,
  error,
  isFinished,
  isPersons,
  type Ledger,
  normalise,
  type Plan,
  type PlanEvent,
  type Problem,
  resolveBlockers,
  type Todo,
  type TodoStatus,
  type Wanted,
} from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { ToolCall } from "./dialect.ts"
import { type ItemWords, readId, readItem } from "./reading/items.ts"
import { readValue } from "./reading/read.ts"

/** The input as an object, whatever it came as; undefined when it is none, or cut off: half an id names another todo. */
export const readObject = (input: unknown): Record<string, unknown> | undefined => {
  const { value, unclosed } = readValue(input)
  if (unclosed) return undefined
  return isRecord(value) ? value : value === undefined ? {} : undefined
}

export const readTarget = ({ taskId, task_id, id, todoId }: Record<string, unknown>): string | undefined =>
  [taskId, task_id, id, todoId].map(readId).find((one) => one !== undefined)

/** The agent's own id names a todo before ours does: the model has never seen ours unless we gave it. */
export const todoByModelId = (plan: Plan, id: string): Todo | undefined => byModelId(plan).get(id)

const indexes = new WeakMap<Plan, Map<string, Todo>>()

/** A call may name as many ids as the plan has todos, so that each must be found at once. Of two the first is meant. */
const byModelId = (plan: Plan): Map<string, Todo> => {
  const known = indexes.get(plan)
  if (known) return known
  const todos = plan.todos.toReversed()
  const native = todos.flatMap((todo) =>
    typeof todo.extra?.nativeId === "string" ? [[idOf(todo), todo] as const] : [],
  )
  const found = new Map([...todos.map((todo) => [todo.id, todo] as const), ...native])
  indexes.set(plan, found)
  return found
}

export const unknownTarget = (plan: Plan, id: string | undefined): Problem => {
  const known = plan.todos.slice(-5).map((todo) => `#${idOf(todo)} ${todo.content.slice(0, 60)}`)
  const hint = known.length === 0 ? "The list is empty." : `The latest are: ${known.join("; ")}.`
  return error("unknown-todo", `${id === undefined ? "No task id was given" : `There is no task #${id}`}. ${hint}`)
}

/** A status for a todo that a person removed: it has no effect, and is reported. */
export const refusedStatus = (
  ledger: Ledger | undefined,
  id: string | undefined,
  status: TodoStatus | undefined,
): PlanEvent[] => {
  const todo = removedByPerson(ledger, id)
  return todo && status !== undefined && status !== todo.status
    ? [{ type: "todo-refused", content: todo.content, status }]
    : []
}

/** The todo that went by an id until a person removed it. */
export const removedByPerson = (ledger: Ledger | undefined, id: string | undefined): Todo | undefined => {
  const removed = [...(ledger?.removed.values() ?? [])].findLast(({ todo }) => idOf(todo) === id || todo.id === id)
  return removed?.by.kind === "person" ? removed.todo : undefined
}

/**
 * The todo of a person that an agent takes over by creating a task with the same text in its own list. From then on the agent's
 * id means it.
 */
export const takenOver = (plan: Plan, ledger: Ledger, content: string): Todo | undefined => {
  const text = normalise(content)
  const isTaken = ({ id, status, ...todo }: Todo): boolean =>
    typeof todo.extra?.nativeId !== "string" && !isFinished(status) && isPersons(ledger, id)
  return plan.todos.find((todo) => normalise(todo.content) === text && isTaken(todo))
}

/** The id a model knows a todo by. */
export const idOf = (todo: Todo): string => (typeof todo.extra?.nativeId === "string" ? todo.extra.nativeId : todo.id)

/** The blockers of a todo, given by ids or texts, as our ids; unknown ones and the todo itself are left out. */
export const blockersOf = (plan: Plan, todoId: string, ids: readonly string[]): string[] => {
  if (ids.length === 0) return []
  const blockersNamed = blockerFinder({ todos: plan.todos, modelIds: true })
  const found = ids.flatMap((name) => blockersNamed(name, todoId).found)
  return [...new Set(found)].filter((id) => id !== todoId)
}

/**
 * The todos with what they are to wait for, by our ids. A wait that closes a circle is left out and named in `problems`;
 * of several, all of one call are looked at together.
 */
export const withoutCircles = (
  plan: Plan,
  waits: readonly { todo: Todo; blockedBy: readonly string[] }[],
  problems: Problem[],
): { todo: Todo; blockedBy: readonly string[] }[] => {
  const wanted = waits.map(({ blockedBy }) => ({ blockedBy }))
  const ids = waits.map(({ todo }) => todo.id)
  const resolved = resolveBlockers(plan.todos, wanted, ids, false, problems)
  return waits.map(({ todo }, index) => ({ todo, blockedBy: resolved[index]?.blockedBy ?? todo.blockedBy ?? [] }))
}

/** The structured part of an observed result, given as data or as text. */
export const readResult = ({ result }: ToolCall): Record<string, unknown> | undefined =>
  isRecord(result)
    ? result
    : typeof result === "string" && result.trimStart().startsWith("{")
      ? readObject(result)
      : undefined

export const resultText = ({ result }: ToolCall): string => (typeof result === "string" ? result : "")

/**
 * A list seen in another agent's session is a checkpoint that makes up for missed calls. It may leave out finished
 * todos, so todos it does not mention stay. It decides nothing: what a person set or removed stays too.
 */
export const catchUpWith = (
  tasks: unknown,
  words: ItemWords,
  plan: Plan,
  { ledger, takesIds = false }: { ledger: Ledger | undefined; takesIds?: boolean },
): PlanEvent[] => {
  if (!Array.isArray(tasks)) return []
  const items = tasks.flatMap((task): Wanted[] => {
    const { blockedBy: _, ...item } = readItem(task, words, []) ?? {}
    return item.id === undefined ? [] : [{ ...item, extra: { ...item.extra, nativeId: item.id } }]
  })
  const known = ledger ? { ledger } : {}
  return diff(plan, items, { mode: "patch", modelIds: true, takesIds, isRead: true, ...known }).events
}
