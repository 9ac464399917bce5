/** Claude Code's Task tools: one call creates, updates, lists or shows; ids come with the results. */
import type { z } from "zod"
import {
  apply,
  changeTodo,
  check,
  defaultRules,
  emptyLedger,
  hasErrors,
  hasPersonsWords,
  inPhaseOrder,
  isFinished,
  type Ledger,
  lineForModel,
  type Plan,
  type PlanEvent,
  type Problem,
  quoteForModel,
  sanitiseData,
  type Todo,
  type TodoStatus,
  todoById,
  type Wanted,
} from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import {
  blockersOf,
  catchUpWith,
  idOf,
  readObject,
  readResult,
  readTarget,
  refusedStatus,
  removedByPerson,
  resultText,
  todoByModelId,
  unknownTarget,
  withoutCircles,
} from "./_by-id.ts"
import { isCurrent } from "./_claude-task-age.ts"
import { createExample, createTask, nameless, words } from "./_claude-task-create.ts"
import { standingTask } from "./_claude-task-order.ts"
import { expressible } from "./_expressible.ts"
import { choiceField } from "./_fields.ts"
import { notesOf, unreadable } from "./_whole-list.ts"
import type { Carries, Decoded, Dialect, Outcome, Reply, ToolCall } from "./dialect.ts"
import { taskCreatePrompts, taskGetPrompts, taskListPrompts, taskUpdatePrompts } from "./prompts/claude-tasks.ts"
import { readItem, readStrings } from "./reading/items.ts"

/** The result by tool: the new task, the updated fields, one task in full, or all tasks. */
export type ClaudeTasksData =
  | { task: { id: string; subject: string } }
  | {
      success: boolean
      taskId: string
      updatedFields: string[]
      error?: string
      statusChange?: { from: TodoStatus | undefined; to: TodoStatus }
    }
  | { task: ShownTask | null }
  | { tasks: ListedTask[] }
  | undefined

export type ListedTask = { id: string; subject: string; status: TodoStatus; owner?: string; blockedBy: string[] }

export type ShownTask = Omit<ListedTask, "owner"> & { description: string; blocks: string[] }

const carries: Carries = {
  statuses: ["pending", "in_progress", "completed"],
  fields: ["activeForm", "description", "owner", "blockedBy"],
  duplicates: true,
}

const updateStatuses = ["pending", "in_progress", "completed", "deleted"] as const

const taskIdField = (zod: typeof z) =>
  zod.string({ error: "The id of a task is missing." }).describe("as it was given when the task was made")

const metadataField = (zod: typeof z) =>
  zod.record(zod.string(), zod.unknown()).optional().describe("anything else to keep")

const updateExample = { taskId: "1", status: "completed" }

export const claudeTasks: Dialect<ClaudeTasksData> = {
  id: "claude-tasks",
  title: "Claude Code Task tools",
  toolNames: ["TaskUpdate", "TaskCreate", "TaskList", "TaskGet"],
  tools: [
    {
      name: "TaskCreate",
      summary: "Adds a task to the list of this session. Use it early and often, unasked.",
      prompts: taskCreatePrompts,
      input: (z) =>
        z.strictObject({
          subject: z.string({ error: "A task needs words in `subject`." }).describe("what to do, as a command"),
          description: z.string().describe("what belongs to it, and when it is done"),
          activeForm: z.string().optional().describe("the same while it happens"),
          metadata: metadataField(z),
        }),
      example: createExample,
    },
    {
      name: "TaskUpdate",
      summary: "Changes one task: begin it, finish it, as it happens.",
      prompts: taskUpdatePrompts,
      input: (z) => {
        const text = (about: string) => z.string().optional().describe(about)
        const ids = (about: string) => z.array(z.string()).optional().describe(about)
        return z.strictObject({
          taskId: taskIdField(z),
          status: choiceField(z, "deleted removes it", updateStatuses).optional(),
          subject: text("what to do, as a command"),
          description: text("what belongs to it, and when it is done"),
          activeForm: text("the same while it happens"),
          owner: text("agent that works on it"),
          addBlocks: ids("tasks that wait for it"),
          addBlockedBy: ids("tasks it waits for"),
          metadata: metadataField(z),
        })
      },
      example: updateExample,
    },
    {
      name: "TaskGet",
      summary: "Shows one task.",
      prompts: taskGetPrompts,
      input: (z) => z.strictObject({ taskId: taskIdField(z) }),
      example: { taskId: "1" },
      isReadOnly: true,
    },
    {
      name: "TaskList",
      summary: "Lists all tasks.",
      prompts: taskListPrompts,
      input: (z) => z.strictObject({}),
      example: {},
      isReadOnly: true,
    },
  ],
  rules: defaultRules,
  wholeList: false,
  carries,
  decode: (call, plan, ledger) => {
    // A call vetoed by a client's hook has no effect.
    if (call.observed && readResult(call)?.success === false) return { events: [], problems: [], reads: true }
    if (call.tool === "TaskCreate") return createTask(call, plan, ledger)
    if (call.tool === "TaskUpdate") return update(call, plan, ledger)
    if (call.tool === "TaskGet") return { events: shown(call, plan, ledger), problems: [], reads: true }
    return {
      events: isEmptyList(call) ? cleared(call, plan, ledger) : listed(call, plan, ledger),
      problems: [],
      reads: true,
    }
  },
  standing: standingTask,
  reply: (outcome) => (replies.get(outcome.call.tool) ?? listReply)(outcome),
  encode: (plan: Plan, problems) => {
    const todos = expressible(plan, carries, defaultRules, problems)
    const ids = new Map(todos.map(({ id }, index) => [id, String(index + 1)]))
    return [...todos.map(createCall), ...todos.flatMap((todo) => updateCall(todo, ids))]
  },
}

/** Adds listed tasks. A task has the number that its agent gave it, wherever it first appears. */
const listed = (call: ToolCall, plan: Plan, ledger: Ledger | undefined): PlanEvent[] => {
  const tasks = readResult(call)?.tasks
  return Array.isArray(tasks) ? caughtUpWith(tasks.filter(isCurrent(call, plan, ledger)), plan, ledger) : []
}

/**
 * Applies a whole list. Tasks of which only the numbers are known are named first, because otherwise another text under
 * a number means another task.
 */
const caughtUpWith = (tasks: readonly unknown[], plan: Plan, ledger: Ledger | undefined): PlanEvent[] => {
  const named = tasks.flatMap((task): PlanEvent[] => {
    const { id = "", content } = readItem(task, words, []) ?? {}
    const todo = todoByModelId(plan, id)
    return todo?.content === nameless(id) && content !== undefined ? changeTodo(todo, { content }) : []
  })
  const known = named.length > 0 ? apply(plan, named).plan : plan
  return [...named, ...catchUpWith(tasks, words, known, { ledger, takesIds: true })]
}

/** Reads one task as shown to the agent. In a team, another member may have created it. */
const shown = (call: ToolCall, plan: Plan, ledger: Ledger | undefined): PlanEvent[] => {
  const task = readResult(call)?.task ?? shownTask.exec(resultText(call))?.groups
  return isRecord(task) ? caughtUpWith([task].filter(isCurrent(call, plan, ledger)), plan, ledger) : []
}

/** The first lines of the text for the agent, for results without data. */
const shownTask = /^Task #(?<id>[\w-]+): (?<subject>.+)\nStatus: (?<status>\w+)/

/** Whether the agent was shown an empty list. */
const isEmptyList = (call: ToolCall): boolean => {
  const tasks = readResult(call)?.tasks
  return Array.isArray(tasks) ? tasks.length === 0 : /^No tasks found/i.test(resultText(call))
}

/** Clears the list, except for unfinished todos that a person added or reworded. */
const cleared = (call: ToolCall, plan: Plan, ledger: Ledger = emptyLedger): PlanEvent[] => {
  const { todos, phases } = plan
  const isShownGone = isCurrent(call, plan, ledger)
  const gone = todos.filter(
    (todo) => (isFinished(todo.status) || !hasPersonsWords(ledger, todo)) && isShownGone({ id: idOf(todo) }),
  )
  if (gone.length < todos.length) return gone.map((todo) => ({ type: "todo-removed", todo }))
  return todos.length === 0 ? [] : [{ type: "plan-cleared", todos: [...todos], phases: [...phases] }]
}

const update = (call: ToolCall, plan: Plan, ledger: Ledger = emptyLedger): Decoded => {
  const input = readObject(call.input)
  if (!input) return { events: [], problems: [unreadable(call, updateExample)] }
  const taskId = readTarget(input)
  const todo = todoByModelId(plan, taskId, { ledger, isOwnTool: call.observed })
  const isElsewhere = !todo && isDone(call) && !removedByPerson(ledger, taskId)
  if (isElsewhere && taskId !== undefined) return createdElsewhere(taskId, input, { plan, ledger })
  if (!todo) {
    // A todo that both the person and the agent removed is not reported as continued.
    const { status } = input.status === "deleted" ? {} : (readItem(input, words, []) ?? {})
    return { events: refusedStatus(ledger, taskId, status), problems: [unknownTarget(plan, taskId)] }
  }
  const details = { id: todo.id }
  if (input.status === "deleted") {
    const gone = isDone(call) ? { gone: [idOf(todo)] } : {}
    return { events: [{ type: "todo-removed", todo }], problems: [], items: [{ id: todo.id }], details, ...gone }
  }
  const problems: Problem[] = []
  const { addBlocks, addBlockedBy, metadata, taskId: _, task_id: __, id: ___, ...fields } = input
  const { extra, blockedBy = [], ...given }: Wanted = readItem({ ...fields, id: todo.id }, words, problems) ?? {}
  const merged = isRecord(metadata) ? mergeMetadata(todo, metadata) : undefined
  const kept = merged || extra ? { extra: { ...extra, ...(merged ? { metadata: merged } : {}) } } : {}
  const refusals = check(defaultRules, [{ ...given, ...kept }])
  if (hasErrors(refusals)) return { events: [], problems: refusals, details }
  const blockers = blockersOf(plan, todo.id, [...blockedBy, ...(readStrings(addBlockedBy) ?? [])])
  const blocked = blockersOf(plan, todo.id, readStrings(addBlocks) ?? []).flatMap((id) => todoById(plan, id) ?? [])
  const [own, ...others] = withoutCircles(
    plan,
    [
      { todo, blockedBy: [...(todo.blockedBy ?? []), ...blockers] },
      ...blocked.map((other) => ({ todo: other, blockedBy: [...(other.blockedBy ?? []), todo.id] })),
    ],
    problems,
  )
  const wanted: Wanted = { ...given, ...kept, ...(own && blockers.length > 0 ? { blockedBy: own.blockedBy } : {}) }
  const events = [
    ...changeTodo(todo, wanted),
    ...others.flatMap((other) => changeTodo(other.todo, { blockedBy: other.blockedBy })),
  ]
  return { events, problems, items: [wanted], details }
}

/** Whether the agent's own tool has made the change. */
const isDone = (call: ToolCall): boolean =>
  call.observed === true && (readResult(call)?.success === true || /^Updated task #/.test(resultText(call)))

/** A task that was created in another session, such as in a team. Its text comes later, or from the list's files. */
const createdElsewhere = (
  taskId: string,
  { status, subject, owner, activeForm }: Record<string, unknown>,
  { plan, ledger }: { plan: Plan; ledger: Ledger | undefined },
): Decoded => {
  if (status === "deleted") return { events: [], problems: [], gone: [taskId] }
  const task = { id: taskId, subject: subject ?? nameless(taskId), status: status ?? "pending", owner, activeForm }
  return { events: catchUpWith([task], words, plan, { ledger, takesIds: true }), problems: [], missed: true }
}

const mergeMetadata = (todo: Todo, patch: Record<string, unknown>): Record<string, unknown> => {
  const old = isRecord(todo.extra?.metadata) ? todo.extra.metadata : {}
  const merged = Object.entries({ ...old, ...patch }).filter(([, value]) => value !== null)
  const safe = sanitiseData(Object.fromEntries(merged))
  return isRecord(safe) ? safe : {}
}

const createReply = ({ events, problems }: Outcome): Reply<ClaudeTasksData> => {
  const added = events.flatMap((event) => (event.type === "todo-added" ? [event.todo] : []))
  const first = added[0]
  if (!first) return { text: notesOf(problems).join("\n") || "The list is unchanged.", data: undefined }
  const lines = added.map((todo) => `Created task #${idOf(todo)}: ${lineForModel(todo.content)}`)
  return {
    text: [...lines, ...notesOf(problems)].join("\n"),
    data: { task: { id: idOf(first), subject: first.content } },
  }
}

const updateReply = ({ call, decoded, events, problems }: Outcome): Reply<ClaudeTasksData> => {
  const taskId = lineForModel(readTarget(readObject(call.input) ?? {}) ?? "")
  if (problems.some(({ severity }) => severity === "error")) {
    const text = notesOf(problems).join("\n")
    return { text, data: { success: false, taskId, updatedFields: [], error: text } }
  }
  const own = events.find((event) => event.type === "todo-changed" && event.id === decoded.details?.id)
  const isDeleted = events.some(({ type }) => type === "todo-removed")
  const fields = own?.type === "todo-changed" ? Object.keys(own.to).map((field) => fieldNames[field] ?? field) : []
  const updatedFields = isDeleted ? ["deleted"] : events.length > 0 && fields.length === 0 ? ["blocks"] : fields
  const status =
    own?.type === "todo-changed" && own.to.status
      ? { from: own.from.status ?? undefined, to: own.to.status }
      : undefined
  const news = isDeleted
    ? `Deleted task #${taskId}.`
    : events.length === 0
      ? `Task #${taskId} is unchanged.`
      : `Task #${taskId}: ${updatedFields.join(", ")} updated.`
  return {
    text: [news, ...notesOf(problems)].join("\n"),
    data: { success: true, taskId, updatedFields, ...(status ? { statusChange: status } : {}) },
  }
}

const fieldNames: Record<string, string> = { content: "subject", extra: "metadata" }

const getReply = ({ call, after }: Outcome): Reply<ClaudeTasksData> => {
  const taskId = readTarget(readObject(call.input) ?? {})
  const todo = todoByModelId(after, taskId)
  if (!todo) return { text: notesOf([unknownTarget(after, taskId)]).join("\n"), data: { task: null } }
  const blocks = after.todos.filter(({ blockedBy }) => blockedBy?.includes(todo.id)).map(idOf)
  const { content, description = "", status } = todo
  const waitsFor = new Set(todo.blockedBy)
  const blockedBy = after.todos.filter(({ id }) => waitsFor.has(id)).map(idOf)
  const task = { id: idOf(todo), subject: content, description, status, blocks, blockedBy }
  const text = [lineForModel(taskLine(todo, after)), ...(description === "" ? [] : [quoteForModel(description)])]
  return { text: text.join("\n"), data: { task } }
}

const listReply = ({ after, problems }: Outcome): Reply<ClaudeTasksData> => {
  const todos = inPhaseOrder(after)
  const tasks = todos.map((todo) => ({
    id: idOf(todo),
    subject: todo.content,
    status: todo.status,
    ...(todo.owner ? { owner: todo.owner } : {}),
    blockedBy: openBlockers(todo, after),
  }))
  const lines = todos.map((todo) => lineForModel(taskLine(todo, after)))
  return { text: [...(lines.length > 0 ? lines : ["No tasks."]), ...notesOf(problems)].join("\n"), data: { tasks } }
}

const replies: ReadonlyMap<string, (outcome: Outcome) => Reply<ClaudeTasksData>> = new Map([
  ["TaskCreate", createReply],
  ["TaskUpdate", updateReply],
  ["TaskGet", getReply],
])

const taskLine = (todo: Todo, plan: Plan): string => {
  const waits = openBlockers(todo, plan)
  return `#${idOf(todo)} [${todo.status}] ${todo.content}${waits.length > 0 ? ` [waits for ${waits.map((id) => `#${id}`).join(", ")}]` : ""}`
}

const openBlockers = ({ blockedBy = [] }: Todo, plan: Plan): string[] =>
  blockedBy.flatMap((id) => {
    const blocker = todoById(plan, id)
    return blocker && blocker.status !== "completed" ? [idOf(blocker)] : []
  })

const createCall = ({ content, description = "", activeForm }: Todo): ToolCall => ({
  tool: "TaskCreate",
  input: { subject: content, description, ...(activeForm ? { activeForm } : {}) },
})

/** The second call for a task, because a new one is always pending, without owner and blockers. */
const updateCall = ({ id, status, owner, blockedBy = [] }: Todo, ids: ReadonlyMap<string, string>): ToolCall[] => {
  const addBlockedBy = blockedBy.flatMap((blocker) => ids.get(blocker) ?? [])
  const patch = {
    ...(status === "pending" ? {} : { status }),
    ...(owner ? { owner } : {}),
    ...(addBlockedBy.length > 0 ? { addBlockedBy } : {}),
  }
  return Object.keys(patch).length === 0 ? [] : [{ tool: "TaskUpdate", input: { taskId: ids.get(id), ...patch } }]
}
