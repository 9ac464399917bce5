/**
 * Decides whether an agent may stop. An agent is sent back only to named work that it can do, only a limited number of
 * times, and never while it waits.
 */
import {
  heldByOther,
  idsForAgent,
  isActionable,
  isFinished,
  type Ledger,
  type Plan,
  type Todo,
  textForModel,
  todoById,
} from "../plan/index.ts"
import { shortened, todoName } from "./shortened.ts"

/** How often an agent without progress is sent back, and how often in total for one prompt of a person. */
export const defaultPushes = 3
export const defaultPushesInAll = 20

/** The pushes so far, as plain data. Reset it when the person sends a prompt. */
export type ContinuationState = {
  readonly v: 1
  /** Consecutive pushes without progress. */
  readonly pushes: number
  /** All pushes. */
  readonly pushesInAll: number
  /** The plan's revision at the last push. With `work`, it shows whether there has been progress since. */
  readonly revision?: number
  readonly work?: number
}

export type Stopping = {
  plan: Plan
  /** Needed to recognise a paused plan, which lets its agent stop. */
  ledger?: Ledger | undefined
  /** The state from the last decision. Absent if the agent was never sent back. */
  state?: ContinuationState | undefined
  /** Turns of tool work in this session, from the turn counters: `turns.work`. */
  work: number
  /** Whether the agent waits for the person's answer to a question. */
  isQuestionOpen?: boolean | undefined
  /** Whether the agent is already continuing because a hook kept it from stopping (`stop_hook_active`). */
  isGuardActive?: boolean | undefined
  /** Whether the agent is in plan mode, where it stops to have its plan approved. */
  isPlanMode?: boolean | undefined
  /** The agent's name as an owner: it cannot work on a todo with another owner. Without it, owners are ignored. */
  agent?: string | undefined
  /** With the time and the ledger, a todo claimed by another agent is left to that agent while the claim lasts. */
  now?: Date | undefined
  /** @default 3 */
  mostPushes?: number | undefined
  /** The limit in total, however much progress there is. @default 20 */
  mostPushesInAll?: number | undefined
}

/** Why an agent may stop: nothing is left, nothing can be done, it waits for the person, or the limit is reached. */
export type StopReason =
  | "all-done"
  | "nothing-actionable"
  | "question-open"
  | "plan-mode"
  | "paused"
  | "host-guard"
  | "no-progress"
  | "enough"

export type MayStop =
  | {
      stop: true
      reason: StopReason
      /** One sentence for the person if work is left. */
      why?: string
      state: ContinuationState
    }
  | {
      stop: false
      /** For the agent: the work that is left. */
      text: string
      /** The todos that it can work on, those in progress first. */
      todos: readonly Todo[]
      state: ContinuationState
    }

export const noPushes: ContinuationState = { v: 1, pushes: 0, pushesInAll: 0 }

export const mayStop = (stopping: Stopping): MayStop => {
  const {
    plan,
    ledger,
    state = noPushes,
    work,
    mostPushes = defaultPushes,
    mostPushesInAll = defaultPushesInAll,
  } = stopping
  const open = plan.todos.filter(({ status }) => !isFinished(status))
  const stop = (reason: StopReason, because?: string): MayStop => ({
    stop: true,
    reason,
    ...(because === undefined ? {} : { why: `Stopped with ${todosText(open.length)} open: ${because}.` }),
    state,
  })
  if (open.length === 0) return stop("all-done")
  if (stopping.isQuestionOpen) return stop("question-open", "the agent waits for your answer")
  if (stopping.isPlanMode) return stop("plan-mode", "the agent is in plan mode")
  if (ledger?.paused) return stop("paused", "the plan is paused until it is resumed")
  const held = heldIn(open, stopping)
  const todos = actionableTodos(plan, stopping.agent).filter((todo) => !held.has(todo))
  if (todos.length === 0) return stop("nothing-actionable", waitingText(open))
  if (stopping.isGuardActive) return stop("host-guard", "its client has already sent it back once")
  const isProgress = state.revision !== plan.revision || state.work !== work
  const pushes = (isProgress ? 0 : state.pushes) + 1
  if (mostPushes < 1) return stop("enough", "it is allowed to stop")
  if (pushes > mostPushes) return stop("no-progress", `sent back to work ${times(mostPushes)}, it did nothing more`)
  if (state.pushesInAll >= mostPushesInAll) {
    return stop("enough", `it was sent back to work ${times(mostPushesInAll)}, which is the limit`)
  }
  return {
    stop: false,
    text: pushText(
      todos,
      { held: held.size, waiting: open.length - todos.length - held.size },
      idsForAgent(plan.todos),
    ),
    todos,
    state: { v: 1, pushes, pushesInAll: state.pushesInAll + 1, revision: plan.revision, work },
  }
}

/** The open todos that another agent has claimed. */
const heldIn = (open: readonly Todo[], { ledger, now, agent = "main" }: Stopping): ReadonlySet<Todo> => {
  const at = now?.toISOString()
  const isHeld = ({ id }: Todo): boolean =>
    ledger !== undefined && at !== undefined && heldByOther(ledger, id, { id: agent }, at) !== undefined
  return new Set(open.filter(isHeld))
}

/** Reads the state from plain data. Invalid parts start over. */
export const continuationFrom = (json: unknown): ContinuationState => {
  const { v, pushes, pushesInAll, revision, work } = (json ?? {}) as Partial<Record<keyof ContinuationState, unknown>>
  if (v !== 1 || !isCount(pushes) || !isCount(pushesInAll)) return noPushes
  return { v, pushes, pushesInAll, ...(isCount(revision) ? { revision } : {}), ...(isCount(work) ? { work } : {}) }
}

/**
 * The todos that this agent could work on now, those in progress first: not blocked, not waiting, without another
 * owner.
 */
export const actionableTodos = (plan: Plan, agent?: string): readonly Todo[] => {
  const isOpen = (id: string): boolean => !isFinished(todoById(plan, id)?.status ?? "completed")
  const todos = plan.todos.filter(
    (todo) =>
      isActionable(todo) &&
      !todo.waitsFor?.trim() &&
      !todo.blockedBy?.some(isOpen) &&
      (agent === undefined || !todo.owner?.trim() || todo.owner === agent),
  )
  const isActive = ({ status }: Todo): boolean => status === "in_progress"
  return [...todos.filter(isActive), ...todos.filter((todo) => !isActive(todo))]
}

/** The most todos named. */
const mostNamed = 5

const closing = [
  "Continue with this. If it is done, no longer needed or cannot be done now, say so in the list;",
  "if you need the user, ask.",
].join(" ")

const pushText = (
  todos: readonly Todo[],
  { held, waiting }: { held: number; waiting: number },
  idOf: (id: string) => string | undefined,
): string => {
  const named = todos.slice(0, mostNamed).map((todo) => `- ${todoLine(todo, idOf(todo.id))}`)
  const more = todos.length > mostNamed ? [`- and ${todos.length - mostNamed} more`] : []
  const lines = [
    `${todos.length === 1 ? "One todo is" : `${todos.length} todos are`} still open, and nothing stands in the way:`,
    ...named,
    ...more,
    ...(held > 0 ? [`${todosText(held)} that another agent has taken can be left.`] : []),
    ...(waiting > 0 ? [`${todosText(waiting)} that ${waiting === 1 ? "waits" : "wait"} can be left.`] : []),
    closing,
  ]
  return textForModel(lines.join("\n"))
}

const todoLine = ({ content, status }: Todo, id: string | undefined): string => {
  const name = todoName(id, content)
  return status === "in_progress" ? `${name} (in progress)` : name
}

const waitingText = (open: readonly Todo[]): string => {
  const awaited = [...new Set(open.flatMap(({ waitsFor }) => (waitsFor?.trim() ? [shortened(waitsFor, 100)] : [])))]
  if (awaited.length === 0) return "none of them can be worked on now"
  const more = awaited.length > 3 ? ` and ${awaited.length - 3} others` : ""
  return `none of them can be worked on now; waiting for ${awaited.slice(0, 3).join(", ")}${more}`
}

const todosText = (count: number): string => (count === 1 ? "1 todo" : `${count} todos`)

const times = (count: number): string => (count === 1 ? "once" : `${count} times`)

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
