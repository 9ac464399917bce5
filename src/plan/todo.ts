/** The core types: a plan is an ordered list of todos, optionally grouped in named phases. */

export const todoStatuses = ["pending", "in_progress", "blocked", "completed", "cancelled"] as const
export type TodoStatus = (typeof todoStatuses)[number]

export const priorities = ["high", "medium", "low"] as const
export type Priority = (typeof priorities)[number]

export type Todo = {
  /** Ours: short, stable, never reused in a plan. */
  readonly id: string
  readonly content: string
  readonly status: TodoStatus
  /** Present-continuous wording, only where one was given; see `activeFormOf`. */
  readonly activeForm?: string
  readonly phase?: string
  readonly notes?: readonly string[]
  readonly description?: string
  readonly priority?: Priority
  readonly blockedBy?: readonly string[]
  readonly owner?: string
  /** Why it is blocked or cancelled. */
  readonly reason?: string
  /** The person or thing that a blocked todo waits for. */
  readonly waitsFor?: string
  /** Native fields without an equivalent, kept as they came (`nativeId` is the agent's own id). */
  readonly extra?: Readonly<Record<string, unknown>>
}

export type Plan = {
  readonly todos: readonly Todo[]
  readonly phases: readonly string[]
  /** Grows by one with every entry that changed something. */
  readonly revision: number
}

export const emptyPlan: Plan = { todos: [], phases: [], revision: 0 }

/** Finished means no more work is expected: completed or cancelled. */
export const isFinished = (status: TodoStatus): boolean => status === "completed" || status === "cancelled"

/** Whether all of these todos are finished, and not only cancelled: there was work, and it is done. */
export const isAllDone = (todos: readonly Todo[]): boolean =>
  todos.every(({ status }) => isFinished(status)) && todos.some(({ status }) => status === "completed")

/** Actionable means an agent can work on it: not finished, not blocked. */
export const isActionable = ({ status }: Todo): boolean => status !== "blocked" && !isFinished(status)

/** The id an agent chose for a todo, in addition to ours. */
export const nativeIdOf = (todo: Todo): string | undefined => {
  const id = todo.extra?.nativeId
  return typeof id === "string" ? id : undefined
}

/**
 * Returns a function from our id of a todo to the id that its agent knows it by. An agent with ids of its own would mistake
 * ours for them, so for a todo without such an id the function returns undefined.
 */
export const idsForAgent = (todos: readonly Todo[]): ((id: string) => string | undefined) => {
  const own = new Map(todos.flatMap((todo) => (nativeIdOf(todo) === undefined ? [] : [[todo.id, nativeIdOf(todo)]])))
  return own.size > 0 ? (id) => own.get(id) : (id) => id
}
