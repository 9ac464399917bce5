/** The todo at hand, as listings show it: never the next one as if it were in progress. */
import { activeTodo, nextTodo } from "./progress.ts"
import { activeFormOf } from "./text/active-form.ts"
import { isFinished, type Todo } from "./todo.ts"

export type AtHand = {
  /** The todo in progress, as it is worded while it is being worked on. */
  current?: string
  upcoming?: Upcoming
}

/** The todo a plan continues with if none is in progress. */
export type Upcoming = {
  /** `blocked` if everything that is left waits for something. */
  kind: "next" | "blocked"
  content: string
}

const kinds: readonly unknown[] = ["next", "blocked"] satisfies Upcoming["kind"][]

/** For what was read from a file or a database. */
export const isUpcomingKind = (value: unknown): value is Upcoming["kind"] => kinds.includes(value)

/** Empty once nothing is left. */
export const atHand = (plan: { todos: readonly Todo[] }): AtHand => {
  const active = activeTodo(plan)
  if (active) return { current: activeFormOf(active) }
  const next = nextTodo(plan)
  if (next) return { upcoming: { kind: "next", content: next.content } }
  const blocked = plan.todos.find(({ status }) => !isFinished(status))
  return blocked ? { upcoming: { kind: "blocked", content: blocked.content } } : {}
}
