/** Gemini CLI's experimental tracker: typed tasks with parents and dependencies, and ids that come with the results. */
import {
  changeTodo,
  check,
  checkSize,
  defaultRules,
  emptyLedger,
  hasErrors,
  type Ledger,
  namedByText,
  type Plan,
  type PlanEvent,
  type Problem,
  type Todo,
  type Wanted,
} from "../plan/index.ts"
import {
  blockersOf,
  catchUpWith,
  readObject,
  readResult,
  readTarget,
  refusedStatus,
  removedByPerson,
  resultText,
  seenBefore,
  takenOver,
  todoByModelId,
  unknownTarget,
  withoutCircles,
} from "./_by-id.ts"
import { expressible } from "./_expressible.ts"
import { answer, unreadable } from "./_whole-list.ts"
import type { Carries, Decoded, Dialect, ToolCall } from "./dialect.ts"
import { readId, readItem, readStrings } from "./reading/items.ts"

const words = { list: "tasks", text: "title", describes: true }

const carries: Carries = {
  statuses: ["pending", "in_progress", "blocked", "completed"],
  fields: ["description", "blockedBy"],
  duplicates: true,
}

const createExample = { title: "Run the tests", description: "All of them", type: "task" }
const updateExample = { id: "4f614c", status: "closed" }

export const geminiTracker: Dialect<undefined> = {
  id: "gemini-tracker",
  title: "Gemini CLI tracker",
  toolNames: [
    "tracker_update_task",
    "tracker_create_task",
    "tracker_add_dependency",
    "tracker_list_tasks",
    "tracker_get_task",
    "tracker_visualize",
  ],
  tools: [],
  rules: defaultRules,
  wholeList: false,
  carries,
  decode: (call, plan, ledger) => {
    if (call.tool === "tracker_create_task") return create(call, plan, ledger)
    if (call.tool === "tracker_update_task") return update(call, plan, ledger)
    if (call.tool === "tracker_add_dependency") return addDependency(call, plan, ledger)
    return { events: catchUpWith(readResult(call)?.tasks, words, plan, { ledger }), problems: [], reads: true }
  },
  reply: (outcome) => ({ text: answer(outcome, () => "The task is saved."), data: undefined }),
  encode: (plan: Plan, problems) => {
    const todos = expressible(plan, carries, defaultRules, problems)
    const ids = new Map(todos.map(({ id }, index) => [id, String(index + 1)]))
    return [...todos.map(createCall), ...todos.flatMap((todo) => updateCall(todo, ids))]
  },
}

const create = (call: ToolCall, plan: Plan, ledger: Ledger = emptyLedger): Decoded => {
  const input = readObject(call.input)
  const problems: Problem[] = []
  const item = input && readItem(input, words, problems)
  if (!item || item.content === undefined) return { events: [], problems: [unreadable(call, createExample)] }
  const refusals = check(defaultRules, [item])
  if (hasErrors(refusals)) return { events: [], problems: refusals }
  const { id: _, blockedBy = [], content, ...rest } = item
  const native = createdId(call)
  if (native !== undefined && seenBefore(plan, ledger, native, content)) return { events: [], problems, items: [item] }
  const taken = native === undefined ? undefined : takenOver(plan, ledger, content)
  if (taken) {
    const events = namedByText(changeTodo(taken, { extra: { ...rest.extra, nativeId: native } }), ledger)
    return { events, problems, items: [item] }
  }
  const waits = blockersOf(plan, "", blockedBy)
  const todo: Todo = {
    ...rest,
    id: "",
    content,
    status: "pending",
    ...(waits.length > 0 ? { blockedBy: waits } : {}),
    ...(native === undefined ? {} : { extra: { ...rest.extra, nativeId: native } }),
  }
  const events: PlanEvent[] = [{ type: "todo-added", todo }]
  const tooMany = checkSize(plan, events)
  return tooMany.length > 0 ? { events: [], problems: tooMany } : { events, problems, items: [item] }
}

/**
 * The new id, which successful results have in a sentence. The stream omits it; the chat file and the task's own file
 * have it.
 */
const createdId = (call: ToolCall): string | undefined =>
  readId(readResult(call)?.id) ?? /\btask ([\da-f]{6})\b/i.exec(resultText(call))?.[1]

const update = (call: ToolCall, plan: Plan, ledger: Ledger | undefined): Decoded => {
  const input = readObject(call.input)
  if (!input) return { events: [], problems: [unreadable(call, updateExample)] }
  const id = readTarget(input)
  const todo = todoByModelId(plan, id, { ledger, isOwnTool: call.observed })
  if (!todo) {
    const { status } = readItem(input, words, []) ?? {}
    const missed = call.observed === true && id !== undefined && !removedByPerson(ledger, id)
    return { events: refusedStatus(ledger, id, status), problems: [unknownTarget(plan, id)], missed }
  }
  const problems: Problem[] = []
  const { dependencies, id: _, ...fields } = input
  const item = readItem({ ...fields, id: todo.id }, words, problems) ?? {}
  const refusals = check(defaultRules, [item])
  if (hasErrors(refusals)) return { events: [], problems: refusals }
  const names = readStrings(dependencies)
  const waits = names && withoutCircles(plan, [{ todo, blockedBy: blockersOf(plan, todo.id, names) }], problems)
  const wanted: Wanted = waits?.[0] ? { ...item, blockedBy: waits[0].blockedBy } : item
  return { events: changeTodo(todo, wanted), problems, items: [wanted] }
}

const addDependency = (call: ToolCall, plan: Plan, ledger: Ledger | undefined): Decoded => {
  const input = readObject(call.input) ?? {}
  const todo = todoByModelId(plan, readTarget(input), { ledger, isOwnTool: call.observed })
  if (!todo) return { events: [], problems: [unknownTarget(plan, readTarget(input))] }
  const problems: Problem[] = []
  const added = blockersOf(plan, todo.id, readStrings(input.dependencyId) ?? [])
  const waits = withoutCircles(plan, [{ todo, blockedBy: [...(todo.blockedBy ?? []), ...added] }], problems)
  return { events: waits.flatMap(({ blockedBy }) => changeTodo(todo, { blockedBy })), problems }
}

const createCall = ({ content, description = "", extra }: Todo): ToolCall => ({
  tool: "tracker_create_task",
  input: { title: content, description, type: typeof extra?.type === "string" ? extra.type : "task" },
})

const statusWords: Record<string, string> = { pending: "open", completed: "closed" }

const updateCall = ({ id, status, blockedBy = [] }: Todo, ids: ReadonlyMap<string, string>): ToolCall[] => {
  const dependencies = blockedBy.flatMap((blocker) => ids.get(blocker) ?? [])
  if (status === "pending" && dependencies.length === 0) return []
  const patch = { status: statusWords[status] ?? status, ...(dependencies.length > 0 ? { dependencies } : {}) }
  return [{ tool: "tracker_update_task", input: { id: ids.get(id), ...patch } }]
}
