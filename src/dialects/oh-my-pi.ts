/**
 * oh-my-pi's list in phases, edited by operations: `todo` (now, one op per call) and `todo_write` (before, several).
 */
import type { z } from "zod"
import {
  applyInTurn,
  check,
  checkSize,
  defaultRules,
  error,
  hasErrors,
  limits,
  type Plan,
  type PlanEvent,
  type Problem,
  type Todo,
  type TodoStatus,
  todoStatuses,
  type Wanted,
} from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import { type PhasedPlan, phasedList, phaseGroups } from "../views/index.ts"
import { readResult } from "./_by-id.ts"
import { expressible } from "./_expressible.ts"
import { choiceField, listField } from "./_fields.ts"
import { describeOps, distinctNames, type OpContext, readOps, runOp } from "./_ops.ts"
import { decodeItems, decodeWholeList, notesOf, unreadable } from "./_whole-list.ts"
import { cutTo, oneCall } from "./_within-limits.ts"
import { isChecklist } from "./checklist.ts"
import { readChecklistPlan } from "./checklist-plan.ts"
import type { Carries, Decoded, Dialect, Outcome, ToolCall } from "./dialect.ts"
import { todoPrompts, todoWritePrompts } from "./prompts/oh-my-pi.ts"
import { readItem, readLine } from "./reading/items.ts"
import { readValue } from "./reading/read.ts"

/** The details of a result: the list by phase, where it is stored, and what this call completed. */
export type OhMyPiData = {
  phases: { name: string; tasks: OhMyPiTask[] }[]
  storage: "session" | "memory"
  completedTasks?: { phase: string; content: string }[]
}

export type OhMyPiTask = {
  content: string
  status: Exclude<TodoStatus, "cancelled"> | "abandoned"
  notes?: readonly string[]
  /** Why the task is blocked. */
  blocker?: string
}

const rules = { ...defaultRules, oneActive: "normalise" as const, autoStart: true }

const words = { list: "todos", text: "content" }

/** The phase for todos before the first heading. */
const orphanPhase = "Todos"

const currentOps = ["init", "start", "done", "rm", "drop", "block", "unblock", "append", "view"] as const
const batchOps = ["init", "start", "done", "drop", "rm", "append", "note"] as const

const itemsField = (zod: typeof z, about: string) =>
  listField(zod, about, zod.string()).min(1, "A phase needs at least one todo.")

/** The fields that name an operation's target. */
const targetFields = (zod: typeof z) => ({
  list: zod
    .array(
      zod.strictObject({
        phase: zod.string().describe("its name"),
        items: itemsField(zod, "texts of its todos"),
      }),
    )
    .optional()
    .describe("init: the whole plan by phase"),
  task: zod.string().optional().describe("exact text of a todo"),
  phase: zod.string().optional().describe("exact name of a phase"),
})
const carries: Carries = {
  statuses: todoStatuses,
  fields: ["phase", "reason"],
  duplicates: false,
  oneActive: true,
  orphanPhase,
}

const batchExample = { ops: [{ op: "init", list: [{ phase: "Build", items: ["Run the tests", "Fix what fails"] }] }] }
const opExample = { op: "done", task: "Run the tests" }

export const ohMyPi: Dialect<OhMyPiData> = {
  id: "oh-my-pi",
  title: "oh-my-pi todo and todo_write",
  toolNames: ["todo", "todo_write"],
  tools: [
    {
      name: "todo",
      summary: "Edits the todos of this session, one operation a call. Use it early and often, unasked.",
      prompts: todoPrompts,
      input: (z) =>
        z.strictObject({
          op: choiceField(z, "what to do", currentOps),
          ...targetFields(z),
          items: z.array(z.string()).optional().describe("append: texts of the new todos"),
          reason: z.string().optional().describe("block: what is in the way"),
        }),
      example: opExample,
    },
    {
      name: "todo_write",
      summary: "Edits the todos of this session by a batch of operations. Use it early and often, unasked.",
      prompts: todoWritePrompts,
      input: (z) => {
        const op = z.strictObject({
          op: choiceField(z, "what to do", batchOps),
          ...targetFields(z),
          items: itemsField(z, "append: texts of the new todos").optional(),
          text: z.string().optional().describe("note: what to write down"),
        })
        return z.strictObject({ ops: listField(z, "in the order to apply them", op).min(1, "A call needs an op.") })
      },
      example: batchExample,
      isFormer: true,
    },
  ],
  rules,
  wholeList: false,
  notForSubAgents: true,
  notWithYield: true,
  carries,
  decode(call, plan, ledger) {
    const snapshot = readSnapshot(call)
    if (snapshot) return decodeItems(snapshot.items, plan, ledger, { rules: defaultRules, phases: snapshot.phases })
    const { value, problems, unclosed } = readValue(call.input)
    if (value === undefined || (isRecord(value) && Object.keys(value).length === 0))
      return { events: [], problems, reads: true }
    if (typeof value === "string" && isChecklist(value)) {
      const { items, phases } = readChecklistPlan(value, problems, { orphanPhase })
      const decoded = decodeItems(items, plan, ledger, { rules, phases })
      return { ...decoded, problems: [...problems, ...decoded.problems] }
    }
    // If the call was cut off before an op's target, the op would apply to everything.
    const ops = unclosed ? undefined : readOps(value)
    if (ops) {
      const decoded = runOps(call, plan, ops, ledger)
      return { ...decoded, problems: [...problems, ...decoded.problems] }
    }
    // A model that forgot this format may use the common one.
    if (isRecord(value) && "todos" in value) {
      return decodeWholeList(call, plan, ledger, {
        words,
        rules,
        example: batchExample,
      })
    }
    return {
      events: [],
      problems: [...problems, unreadable(call, call.tool === "todo" ? opExample : batchExample)],
    }
  },
  reply: (outcome) => ({ text: replyText(outcome), data: details(outcome) }),
  view: "tree",
  describeCall: ({ input }) => describeOps(readOps(readValue(input).value) ?? []),
  encode: (plan: Plan, problems) => {
    const expressed = expressible(plan, carries, { ...rules, ...oneCall }, problems)
    const todos = withDistinctTexts(expressed, rules.maxLength)
    if (todos.length === 0) return [{ tool: "todo", input: { op: "rm" } }]
    const groups = namedGroups({ todos, phases: plan.phases }).filter(({ todos }) => todos.length > 0)
    const list = groups.map(({ name, todos }) => ({ phase: name, items: todos.map(({ content }) => content) }))
    const listed = groups.flatMap(({ todos }) => todos)
    return [{ tool: "todo", input: { op: "init", list } }, ...closingCalls(listed), ...startCalls(listed)]
  },
}

/**
 * Applies ops in order, each to the result of the previous ones. After an error, the older tool continues; the newer
 * one applies nothing.
 */
const runOps = (
  call: ToolCall,
  plan: Plan,
  ops: readonly Record<string, unknown>[],
  ledger: OpContext["ledger"],
): Decoded => {
  const isBatch = call.tool !== "todo"
  const decoded: Decoded = { events: [], problems: [] }
  if (ops.length > limits.operations) {
    const message = `A call holds at most ${limits.operations} ops, but ${ops.length} were sent. Send them in several calls.`
    return { events: [], problems: [error("too-many-ops", message)] }
  }
  const applyNext = applyInTurn(plan)
  let current = plan
  for (const op of ops) {
    const hints = decoded.problems.length < mostHints
    const { events, problems: met, reads } = runOp(op, { plan: current, isBatch, ledger, hints })
    const problems = [...met, ...checkRules(current, events)]
    for (const problem of problems) decoded.problems.push(problem)
    if (reads) decoded.reads = true
    if (events.length === 0 || (hasErrors(problems) && (!isBatch || problems.length > met.length))) continue
    const applied = applyNext(events)
    for (const event of withIds(events, applied.events)) decoded.events.push(event)
    current = applied.plan
  }
  if (decoded.events.length > 0) decoded.reads = false
  return decoded
}

/** The reply contains suggestions for at most this many errors. */
const mostHints = 5

/** Problems if an op would exceed the limits of a plan. */
const checkRules = (plan: Plan, events: readonly PlanEvent[]): Problem[] => {
  const wanted = events.flatMap((event): Wanted[] => {
    if (event.type === "todo-added") return [event.todo]
    if (event.type !== "todo-changed") return []
    const { reason, notes } = event.to
    return [{ ...(reason ? { reason } : {}), ...(notes ? { notes: notes.slice(-1) } : {}) }]
  })
  return [...check(defaultRules, wanted), ...checkSize(plan, events)]
}

/** The whole list from the details of an observed result, from which alone a session can be rebuilt. */
const readSnapshot = (call: ToolCall): { items: Wanted[]; phases: string[] } | undefined => {
  const result = readResult(call)
  const phases = isRecord(result?.details) ? result.details.phases : result?.phases
  if (!Array.isArray(phases)) return undefined
  const read = phases.filter(isRecord)
  const names = distinctNames(read.map(({ name }) => readLine(name) ?? orphanPhase))
  const groups = read.map(({ tasks }, index) => ({ name: names[index] ?? orphanPhase, tasks }))
  const items = groups.flatMap(({ name: phase, tasks }) =>
    Array.isArray(tasks) ? tasks.flatMap((task) => readItem({ ...task, phase }, words, []) ?? []) : [],
  )
  return { items, phases: groups.map(({ name }) => name) }
}

/** The events with the final ids of new todos, so that later ops of the call can name them. */
const withIds = (events: readonly PlanEvent[], happened: readonly PlanEvent[]): PlanEvent[] => {
  const added = happened.flatMap((event) => (event.type === "todo-added" ? [event.todo] : []))[Symbol.iterator]()
  return events.map((event) =>
    event.type === "todo-added" ? { ...event, todo: added.next().value ?? event.todo } : event,
  )
}

const replyText = ({ after, working = after, problems }: Outcome): string => {
  const errors = problems.filter(({ severity }) => severity === "error")
  const warnings = notesOf(problems.filter(({ severity }) => severity !== "error"))
  return [phasedList(working, notesOf(errors)), ...warnings].join("\n")
}

/** This agent's word for cancelled. */
const statusWord = (status: TodoStatus): OhMyPiTask["status"] => (status === "cancelled" ? "abandoned" : status)

const details = ({ after, working = after, events, isPersistent }: Outcome): OhMyPiData => {
  const completed = new Set(
    events.flatMap((event) => (event.type === "todo-changed" && event.to.status === "completed" ? [event.id] : [])),
  )
  const completedTasks = after.todos
    .filter(({ id, status }) => completed.has(id) && status === "completed")
    .map(({ phase = orphanPhase, content }) => ({ phase, content }))
  const phases = namedGroups(working).map(({ name, todos }) => ({
    name,
    tasks: todos.map(({ content, status, notes, reason }) => ({
      content,
      status: statusWord(status),
      ...(notes?.length ? { notes } : {}),
      ...(status === "blocked" && reason ? { blocker: reason } : {}),
    })),
  }))
  const storage = isPersistent ? "session" : "memory"
  return { phases, storage, ...(completedTasks.length > 0 ? { completedTasks } : {}) }
}

/**
 * The todos by phase, because this list has no todos without one. Those without a phase come first, in a phase for
 * them, which may already exist.
 */
const namedGroups = (plan: PhasedPlan): { name: string; todos: Todo[] }[] => {
  const [first, ...others] = phaseGroups(plan)
  if (!first || first.name !== undefined)
    return phaseGroups(plan).map(({ name = orphanPhase, todos }) => ({ name, todos }))
  const same = others.find(({ name }) => name === orphanPhase)
  const rest = others.flatMap(({ name = orphanPhase, todos }) => (name === orphanPhase ? [] : [{ name, todos }]))
  return [{ name: orphanPhase, todos: [...first.todos, ...(same?.todos ?? [])] }, ...rest]
}

/** Numbers todos with equal texts, because todos are named by their texts. */
const withDistinctTexts = (todos: readonly Todo[], maxLength: number): Todo[] => {
  const taken = new Set(todos.map(({ content }) => content))
  const counts = new Map<string, number>()
  return todos.map((todo) => {
    let count = (counts.get(todo.content) ?? 0) + 1
    let content = todo.content
    const numbered = (number: number): string => {
      const end = ` (${number})`
      return cutTo(todo.content, maxLength - end.length) + end
    }
    if (count > 1) {
      while (taken.has(numbered(count))) count += 1
      content = numbered(count)
    }
    taken.add(content)
    counts.set(todo.content, count)
    return content === todo.content ? todo : { ...todo, content }
  })
}

const closingOps: Partial<Record<Todo["status"], string>> = { completed: "done", cancelled: "drop", blocked: "block" }

const closingCalls = (todos: readonly Todo[]): ToolCall[] =>
  todos.flatMap(({ content, status, reason }) => {
    const op = closingOps[status]
    return op ? [{ tool: "todo", input: { op, task: content, ...(reason ? { reason } : {}) } }] : []
  })

/** The calls that start todos. The first open todo starts by itself (behaviour O6). */
const startCalls = (todos: readonly Todo[]): ToolCall[] => {
  const active = todos.find(({ status }) => status === "in_progress")
  const first = todos.find(({ status }) => status === "in_progress" || status === "pending")
  return active && active !== first ? [{ tool: "todo", input: { op: "start", task: active.content } }] : []
}
