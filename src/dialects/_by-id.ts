/** The common part of dialects whose calls name single todos by id. */
import {
  blockerFinder,
  diff,
  emptyLedger,
  error,
  goesByOurId,
  isFinished,
  isPersons,
  type Ledger,
  nativeIdOf,
  normalise,
  type Plan,
  type PlanEvent,
  type Problem,
  resolveBlockers,
  type Todo,
  type TodoStatus,
  type Tombstone,
  type Wanted,
} from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { ToolCall } from "./dialect.ts"
import { type ItemWords, readId, readItem } from "./reading/items.ts"
import { readValue } from "./reading/read.ts"

/** The input as an object; undefined if it is not one, or if it was cut off, because half an id names another todo. */
export const readObject = (input: unknown): Record<string, unknown> | undefined => {
  const { value, unclosed } = readValue(input)
  if (unclosed) return undefined
  return isRecord(value) ? value : value === undefined ? {} : undefined
}

export const readTarget = ({ taskId, task_id, id, todoId }: Record<string, unknown>): string | undefined =>
  [taskId, task_id, id, todoId].map(readId).find((one) => one !== undefined)

/**
 * Finds a todo by the agent's own id, otherwise by ours: a model knows our ids only if we gave them to it, see
 * `goesByOurId`. An id that the agent gave to a removed todo does not find another todo.
 */
export const todoByModelId = (
  plan: Plan,
  id: string | undefined,
  { ledger = emptyLedger, isOwnTool = false }: { ledger?: Ledger | undefined; isOwnTool?: boolean | undefined } = {},
): Todo | undefined => {
  if (id === undefined) return undefined
  const { native, ours } = idsIn(plan)
  const own = native.get(id)
  if (own) return own
  const todo = ours.get(id)
  const isMeant = todo && goesByOurId(todo, isOwnTool ? ledger : emptyLedger) && !removedByNativeId(ledger).has(id)
  return isMeant ? todo : undefined
}

/** Whether a task with this number, given by the agent, is or was in the plan. */
export const hasNumber = (plan: Plan, { removed }: Ledger, native: string): boolean =>
  idsIn(plan).native.has(native) || [...removed.values()].some(({ todo }) => nativeIdOf(todo) === native)

type Ids = { native: ReadonlyMap<string, Todo>; ours: ReadonlyMap<string, Todo> }

const indexes = new WeakMap<Plan, Ids>()

/**
 * An index, because a call may name as many ids as the plan has todos. If two todos have the same id, the first one
 * counts.
 */
const idsIn = (plan: Plan): Ids => {
  const known = indexes.get(plan)
  if (known) return known
  const todos = plan.todos.toReversed()
  const native = new Map(todos.flatMap((todo) => (nativeIdOf(todo) === undefined ? [] : [[idOf(todo), todo] as const])))
  const ours = new Map(todos.map((todo) => [todo.id, todo] as const))
  indexes.set(plan, { native, ours })
  return { native, ours }
}

export const unknownTarget = (plan: Plan, id: string | undefined): Problem => {
  const known = plan.todos.slice(-5).map((todo) => `#${idOf(todo)} ${todo.content.slice(0, 60)}`)
  const hint = known.length === 0 ? "The list is empty." : `The latest are: ${known.join("; ")}.`
  return error("unknown-todo", `${id === undefined ? "No task id was given" : `There is no task #${id}`}. ${hint}`)
}

/** Reports a status for a todo that a person removed. The status has no effect. */
export const refusedStatus = (
  ledger: Ledger | undefined,
  id: string | undefined,
  status: TodoStatus | undefined,
): PlanEvent[] => refusal(removedByPerson(ledger, id), status)

const refusal = (removed: Todo | undefined, status: TodoStatus | undefined): PlanEvent[] =>
  removed && status !== undefined && status !== removed.status
    ? [{ type: "todo-refused", content: removed.content, status }]
    : []

/** The todo that had an id until a person removed it. */
export const removedByPerson = (ledger: Ledger = emptyLedger, id: string | undefined): Todo | undefined => {
  if (id === undefined) return undefined
  const ours = ledger.removed.get(id)
  return ifByPerson(removedByNativeId(ledger).get(id) ?? (ours && idOf(ours.todo) === id ? ours : undefined))
}

const ifByPerson = (removed: Tombstone | undefined): Todo | undefined =>
  removed?.by.kind === "person" ? removed.todo : undefined

/** The removed todos by the agent's ids. Of several with the same id, the one removed last counts. */
const removedByNativeId = ({ removed }: Ledger): ReadonlyMap<string, Tombstone> =>
  new Map(
    [...removed.values()].flatMap((one) =>
      nativeIdOf(one.todo) === undefined ? [] : [[idOf(one.todo), one] as const],
    ),
  )

/**
 * The person's todo that an agent takes over by creating a task with the same text in its own list. From then on, the
 * agent's id stands for that todo.
 */
export const takenOver = (plan: Plan, ledger: Ledger, content: string): Todo | undefined => {
  const text = normalise(content)
  const isTaken = (todo: Todo): boolean =>
    nativeIdOf(todo) === undefined && !isFinished(todo.status) && isPersons(ledger, todo.id)
  return plan.todos.find((todo) => normalise(todo.content) === text && isTaken(todo))
}

/** The task that a call created, if it was seen in the agent's session before the call itself arrived here. */
export const seenBefore = (plan: Plan, ledger: Ledger, native: string, content: string): Todo | undefined => {
  const todo = idsIn(plan).native.get(native)
  const { formerly = [] } = (todo && ledger.todos.get(todo.id)) ?? {}
  const isSame = (wording: string): boolean => normalise(wording) === normalise(content)
  return todo && ledger.todos.has(todo.id) && [todo.content, ...formerly].some(isSame) ? todo : undefined
}

/** The id by which a model knows a todo. */
export const idOf = (todo: Todo): string => nativeIdOf(todo) ?? todo.id

/** The blockers of a todo, given by ids or texts, as our ids; unknown ones and the todo itself are left out. */
export const blockersOf = (plan: Plan, todoId: string, ids: readonly string[]): string[] => {
  if (ids.length === 0) return []
  const blockersNamed = blockerFinder({ todos: plan.todos, modelIds: true })
  const found = ids.flatMap((name) => blockersNamed(name, todoId).found)
  return [...new Set(found)].filter((id) => id !== todoId)
}

/**
 * The todos with their new blockers, by our ids. A blocker that would close a circle is left out and reported in
 * `problems`; all blockers of one call are checked together.
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
  const named = tasks.flatMap((task): (Wanted & { id: string })[] => {
    const { blockedBy: _, id, ...item } = readItem(task, words, []) ?? {}
    return id === undefined ? [] : [{ ...item, id, extra: { ...item.extra, nativeId: id } }]
  })
  const { native } = idsIn(plan)
  const gone = removedByNativeId(ledger ?? emptyLedger)
  // A todo that a person removed is recognised by its id, even if the agent has reworded it since.
  const removedOf = ({ id }: { id: string }): Todo | undefined =>
    native.has(id) ? undefined : ifByPerson(gone.get(id))
  const refused = named.flatMap((item) => refusal(removedOf(item), item.status))
  const items = named.filter((item) => !removedOf(item))
  const isSameList = numbersAgree(items, native)
  const isReworded = () => isSameList
  const how = {
    mode: "patch",
    modelIds: true,
    takesIds,
    isRead: true,
    isReworded,
    ...(ledger ? { ledger } : {}),
  } as const
  return [...refused, ...diff(plan, items, how).events]
}

/** Whether a list numbers its todos as the plan does: then another text under a number is another wording. In a fork's list none agree. */
const numbersAgree = (items: readonly (Wanted & { id: string })[], native: Ids["native"]): boolean =>
  items.some(({ id, content }) => content !== undefined && native.get(id)?.content === content)
