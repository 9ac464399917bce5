/** A gate: keeps a todo open when an agent marks it as done and a check fails. */
import type { Decoded } from "../dialects/dialect.ts"
import {
  type Actor,
  type CheckRan,
  type Entry,
  error,
  messageOf,
  type Plan,
  type PlanEvent,
  type Problem,
  type Todo,
  textForModel,
  todoById,
  warning,
} from "../plan/index.ts"

export type GateQuestion = {
  /** The todos that are about to be marked done. */
  completing: readonly Todo[]
  /** True if no other todo stays open. */
  isLast: boolean
  plan: Plan
  entries: () => Promise<readonly Entry[]>
}

export type GateAnswer = {
  /** The todos that stay open, and the reason, in words for the model. */
  refused: readonly { todo: string; why: string }[]
  /** The results to record, and the actor to record them for. */
  found?: { by: Actor; ran: readonly CheckRan[] }
}

/** Called once per call. It must terminate by itself; if it throws, nothing is refused. */
export type Gate = (question: GateQuestion) => Promise<GateAnswer>

/** The call without the refused changes, the check results, and the text for the model. */
export const throughGate = async (
  gate: Gate,
  decoded: Decoded,
  { plan, entries }: Pick<GateQuestion, "plan" | "entries">,
  onProblem: (problem: Problem) => void,
): Promise<{ decoded: Decoded; problems: Problem[]; found?: GateAnswer["found"] }> => {
  const completing = completedIn(decoded.events, plan)
  if (completing.length === 0) return { decoded, problems: [] }
  try {
    const isLast = isNothingLeft(plan, decoded.events)
    const { refused, found } = await gate({ completing, isLast, plan, entries })
    const ids = new Set(refused.map(({ todo }) => todo))
    const events = decoded.events.flatMap((event) => withoutDone(event, ids))
    const problems = refused.map(({ why }) => error("check-failed", textForModel(why)))
    return { decoded: ids.size > 0 ? { ...decoded, events } : decoded, problems, ...(found ? { found } : {}) }
  } catch (cause) {
    onProblem(warning("gate-failed", `A check for a todo marked done could not be run: ${messageOf(cause)}`))
    return { decoded, problems: [] }
  }
}

const completedIn = (events: readonly PlanEvent[], plan: Plan): Todo[] =>
  events.flatMap((event) => {
    if (event.type === "todo-added" && event.todo.status === "completed") return [event.todo]
    if (event.type !== "todo-changed" || event.to.status !== "completed") return []
    const todo = todoById(plan, event.id)
    return todo && todo.status !== "completed" ? [{ ...todo, ...event.to } as Todo] : []
  })

const isOpen = (status: Todo["status"]): boolean => status !== "completed" && status !== "cancelled"

const isNothingLeft = ({ todos }: Plan, events: readonly PlanEvent[]): boolean => {
  const now = new Map(todos.map(({ id, status }) => [id, status]))
  for (const event of events) {
    if (event.type === "todo-added") now.set(event.todo.id, event.todo.status)
    if (event.type === "todo-removed") now.delete(event.todo.id)
    if (event.type === "todo-changed" && event.to.status) now.set(event.id, event.to.status)
  }
  return ![...now.values()].some(isOpen)
}

/** Other changes to a todo that stays open are applied, except those that follow from everything being done. */
const withoutDone = (event: PlanEvent, ids: ReadonlySet<string>): PlanEvent[] => {
  if (event.type === "plan-cleared" && event.todos.some(({ id }) => ids.has(id))) return []
  if (event.type === "todo-removed" && ids.has(event.todo.id)) return []
  if (event.type === "todo-added" && ids.has(event.todo.id))
    return [{ ...event, todo: { ...event.todo, status: "in_progress" } }]
  if (event.type !== "todo-changed" || !ids.has(event.id)) return [event]
  const { status: _, ...to } = event.to
  const { status: __, ...from } = event.from
  return Object.keys(to).length > 0 ? [{ ...event, from, to }] : []
}
