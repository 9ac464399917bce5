/**
 * Claude Code's TaskCreate: adds a new task, or recognises one whose number is already known, or a person's todo that
 * the agent takes over.
 */
import {
  changeTodo,
  check,
  checkSize,
  defaultRules,
  emptyLedger,
  emptyPlan,
  hasErrors,
  idProposer,
  isFinished,
  type Ledger,
  namedByText,
  nativeIdOf,
  type Plan,
  type PlanEvent,
  type Problem,
  resolveBlockers,
  type Todo,
  type Wanted,
  withoutNumber,
} from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import { hasNumber, idOf, readResult, resultText, seenBefore, takenOver } from "./_by-id.ts"
import { unreadable } from "./_whole-list.ts"
import type { Decoded, ToolCall } from "./dialect.ts"
import { readList } from "./reading/items.ts"
import { readValue } from "./reading/read.ts"

export const words = { list: "tasks", text: "subject", describes: true }

export const createExample = { subject: "Run the tests", description: "All of them, on a clean checkout" }

/** The placeholder text of a task whose subject is unknown. */
export const nameless = (id: string): string => `Task #${id}`

export const createTask = (call: ToolCall, known: Plan, ledger: Ledger = emptyLedger): Decoded => {
  const { value, unclosed } = readValue(call.input)
  const reading = readList(unclosed ? undefined : value, words)
  const items = reading.kind === "list" ? reading.items.filter(({ content }) => content !== undefined) : []
  if (items.length === 0) return { events: [], problems: [...reading.problems, unreadable(call, createExample)] }
  const refusals = check(defaultRules, items)
  if (hasErrors(refusals)) return { events: [], problems: refusals }
  const native = createdId(call)
  const same = native === undefined ? undefined : known.todos.find((todo) => nativeIdOf(todo) === native)
  const [first] = items
  const isSeen = native !== undefined && seenBefore(known, ledger, native, first?.content ?? "") !== undefined
  if (same && first && (isSeen || isOnlyNumber(same, ledger) || isSeenSince(same, ledger, call.at)))
    return { events: named(same, first), problems: reading.problems, items }
  const taken = native === undefined || items.length > 1 ? undefined : takenOver(known, ledger, first?.content ?? "")
  if (taken && !same && first) {
    const item = { ...first, extra: { ...first.extra, nativeId: native } }
    return { events: namedByText(named(taken, item), ledger), problems: reading.problems, items }
  }
  // A list uses each number once, so a forked session has begun its own list.
  const isAnother = same !== undefined
  const plan = isAnother ? emptyPlan : known
  // Only tasks that other tasks wait for need an id in advance.
  const proposeId = items.some(({ blockedBy }) => blockedBy) ? idProposer(plan, ledger) : () => ""
  const ids = items.map(() => (native !== undefined && /^\d+$/.test(native) ? native : proposeId(undefined)))
  const problems: Problem[] = [...reading.problems]
  const blockers = resolveBlockers(plan.todos, items, ids, true, problems)
  const added = items.map(({ id: _, content = "", blockedBy: __, extra, ...rest }, index): PlanEvent => {
    const kept = { ...extra, ...(native === undefined ? {} : { nativeId: native }) }
    const todo: Todo = {
      ...rest,
      id: ids[index] ?? "",
      content,
      status: "pending",
      ...(extra || native !== undefined ? { extra: kept } : {}),
    }
    const after = isAnother || items.length > 1 ? undefined : placeByNumber(plan, native)
    return { type: "todo-added", todo, ...(after === undefined ? {} : { after }) }
  })
  // After all tasks are known, because a task may wait for a later one in the call.
  const waiting = ids.flatMap((id, index): PlanEvent[] => {
    const { blockedBy } = blockers[index] ?? {}
    return blockedBy ? [{ type: "todo-changed", id, from: { blockedBy: null }, to: { blockedBy } }] : []
  })
  const events = [...(isAnother ? known.todos.flatMap(withoutNumber) : []), ...added, ...waiting]
  const tooMany = checkSize(plan, events)
  if (tooMany.length > 0) return { events: [], problems: tooMany }
  const missed = call.observed === true && !isAnother && !hasNumberBefore(native, known, ledger)
  return { events, problems, items, ...(isAnother ? { startsOver: true } : {}), ...(missed ? { missed } : {}) }
}

/** Whether the task with the preceding number is or was in the plan. True for the first number. */
const hasNumberBefore = (native: string | undefined, plan: Plan, ledger: Ledger): boolean => {
  const before = numberOf(native) - 1
  return !(before > 0) || hasNumber(plan, ledger, String(before))
}

/** Whether only a task's number is known so far: hooks of parallel calls arrive in any order. */
const isOnlyNumber = (todo: Todo, ledger: Ledger): boolean => {
  const placeholder = nameless(idOf(todo))
  return todo.content === placeholder || ledger.todos.get(todo.id)?.formerly?.includes(placeholder) === true
}

/**
 * Whether the task was added to the plan after the call was made. It is then the one that the call created, even if
 * reworded since.
 */
const isSeenSince = ({ id }: Todo, ledger: Ledger, madeAt: string | undefined): boolean => {
  const { at = "" } = ledger.todos.get(id)?.added ?? {}
  return madeAt !== undefined && at >= madeAt
}

/** Names the task. Later changes of the task stay, as does a person's text. */
const named = (todo: Todo, item: Wanted): PlanEvent[] => {
  const { content = todo.content } = todo.content === nameless(idOf(todo)) ? item : {}
  const { activeForm = item.activeForm, description = item.description } = todo
  return changeTodo(todo, {
    content,
    ...(activeForm === undefined ? {} : { activeForm }),
    ...(description === undefined ? {} : { description }),
    extra: { ...item.extra, ...todo.extra },
  })
}

/**
 * Keeps tasks of parallel calls in the order of their numbers: a new task comes before the unfinished tasks at the end
 * of the list that have higher numbers. No other todo is moved. Undefined means the end.
 */
const placeByNumber = ({ todos }: Plan, native: string | undefined): string | undefined => {
  const number = numberOf(native)
  const last = todos.findLastIndex((todo) => {
    const isLater = numberOf(nativeIdOf(todo)) > number
    return !isLater || todo.phase !== undefined || isFinished(todo.status)
  })
  return last === todos.length - 1 ? undefined : (todos[last]?.id ?? "")
}

/** `NaN` for an id that is not a number. */
const numberOf = (native: string | undefined): number => (native && /^\d+$/.test(native) ? Number(native) : Number.NaN)

/** The id of the new task, which is only in the result: as data, or in a sentence with a number sign. */
export const createdId = (call: ToolCall): string | undefined => {
  const task = readResult(call)?.task
  if (isRecord(task) && (typeof task.id === "string" || typeof task.id === "number")) return String(task.id)
  return /#([\w-]+)/.exec(resultText(call))?.[1]
}
