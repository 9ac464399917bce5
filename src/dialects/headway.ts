/**
 * Our own tool, `todo`: the format that every model knows, but cheap (a call may be a patch) and safe (todos that are
 * not mentioned stay).
 */
import {
  claim,
  defaultRules,
  hasErrors,
  isFinished,
  leaseEnd,
  lineForModel,
  type Plan,
  type PlanEvent,
  type Progress,
  priorities,
  progressOf,
  readyTodo,
  type Todo,
  todoById,
  todoStatuses,
  type Wanted,
} from "../plan/index.ts"
import { detailedList } from "../views/index.ts"
import { expressible } from "./_expressible.ts"
import { choiceField, listField } from "./_fields.ts"
import { type RepliedTodo, repliedTodos } from "./_own-reply.ts"
import { decodeWholeList, notesOf } from "./_whole-list.ts"
import { oneCall } from "./_within-limits.ts"
import type { Carries, Decoded, Dialect, Outcome, ToolCall } from "./dialect.ts"
import { todoPrompts } from "./prompts/headway.ts"

/** The todos that the call changed, or the whole list for a call that only reads; and the plan's progress. */
export type HeadwayData = { todos: Pick<Todo, "id" | "content" | "status">[]; progress: Progress }

const example = {
  todos: [
    { id: "1", status: "completed" },
    { content: "Fix what fails", status: "in_progress" },
  ],
}

const carries: Carries = {
  statuses: todoStatuses,
  fields: ["activeForm", "phase", "notes", "description", "priority", "blockedBy", "owner", "reason", "waitsFor"],
  duplicates: true,
}

export const headway: Dialect<HeadwayData> = {
  id: "headway",
  title: "Headway todo",
  toolNames: ["todo"],
  tools: [
    {
      name: "todo",
      summary: "Reads and updates the plan of this session. Use it early and often, unasked.",
      prompts: todoPrompts,
      input: (z) => {
        const text = (about: string) => z.string().optional().describe(about)
        const texts = (about: string) => z.array(z.string()).optional().describe(about)
        const item = z.object({
          id: text("known todo"),
          content: text("imperative task"),
          status: choiceField(z, "state", todoStatuses).optional(),
          phase: text("heading"),
          notes: texts("findings"),
          reason: text("why blocked or cancelled"),
          waitsFor: text("who or what blocks"),
          activeForm: text("content while active"),
          description: text("details"),
          priority: choiceField(z, "urgency", priorities).optional(),
          blockedBy: texts("ids of earlier todos"),
          owner: text("agent"),
        })
        return z.strictObject({
          todos: listField(z, "changes", item).optional(),
          replace: z.boolean().optional().describe("todos is the whole list"),
        })
      },
      example,
    },
  ],
  rules: defaultRules,
  wholeList: false,
  carries,
  decode(call, plan, ledger) {
    const replied = call.observed ? repliedTodos(call.result) : []
    const options = {
      words: { list: "todos", text: "content", describes: true },
      rules: defaultRules,
      example,
      patches: ({ replace }: Record<string, unknown>) => replace !== true && replace !== "true",
      replied,
    }
    const sent = decodeWholeList(call, plan, ledger, options)
    // A call that only reads got the whole list as its reply, and one with plain text the todos that were made of it.
    const decoded =
      sent.items === undefined && replied.length > 0
        ? decodeWholeList(asList(call, replied, plan, isWhole(sent)), plan, ledger, options)
        : sent
    const events = decoded.events.flatMap(claiming)
    return { ...decoded, events: [...events, ...renewals(decoded.items ?? [], plan)] }
  },
  reply: (outcome) => ({ text: replyText(outcome), data: changedTodos(outcome) }),
  encode: (plan: Plan, problems) => {
    const expressed = expressible(plan, carries, { ...defaultRules, ...oneCall }, problems)
    const todos = expressed.map(({ extra: _, ...todo }) => todo)
    return [{ tool: "todo", input: { todos, replace: true } }]
  },
}

/** Whether the reply has the whole list, because the call gave none. Plain text in its place was read as todos to add. */
const isWhole = ({ reads, problems }: Decoded): boolean =>
  reads === true && !problems.some(({ code }) => code === "words-for-list")

/** The reply as a list, or as a part of it. Known todos keep their text, because the line in the reply may contain more than the text. */
const asList = (call: ToolCall, replied: readonly RepliedTodo[], plan: Plan, replace: boolean): ToolCall => {
  const todos = replied.map((todo) => ({ ...todo, content: todoById(plan, todo.id)?.content ?? todo.content }))
  return { ...call, input: { todos, replace } }
}

/** An agent that makes itself the owner of a todo claims it: for a limited time, and only if no other owner has it. */
const claiming = (event: PlanEvent): PlanEvent[] => {
  if (event.type !== "todo-changed" || event.to.owner === undefined) return [event]
  const { owner, ...to } = event.to
  const { owner: _, ...from } = event.from
  if (!owner) return [event]
  return [...claim(event.id, owner), ...(Object.keys(to).length > 0 ? [{ ...event, from, to }] : [])]
}

/** An agent that names the existing owner of a todo extends the claim. */
const renewals = (items: readonly Wanted[], plan: Plan): PlanEvent[] =>
  items.flatMap(({ id, owner }) => {
    if (id === undefined || !owner) return []
    const todo = todoById(plan, id)
    return todo?.owner === owner && !isFinished(todo.status) ? claim(id, owner) : []
  })

/** The most lines in a reply, however long the plan is. */
const maxLines = 20
const maxKept = 3

const replyText = (outcome: Outcome): string => {
  const { after, events, problems, decoded } = outcome
  const notes = notesOf(problems)
  if (hasErrors(problems) && events.length === 0) return notes.join("\n")
  if (decoded.reads) return [...notes, detailedList(after)].join("\n")
  if (events.length === 0) return ["Unchanged.", ...notes].join("\n")
  const added = new Set(events.flatMap((event) => (event.type === "todo-added" ? [event.todo.id] : [])))
  const isTold = (event: PlanEvent): boolean => event.type === "todo-changed" && added.has(event.id)
  const lines = events.flatMap((event) => (isTold(event) ? [] : (changeLine(event, after) ?? [])))
  const shown =
    lines.length > maxLines ? [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more changes`] : lines
  return [...shown, ...keptLine(outcome), nextLine(after), ...notes].join("\n")
}

const named = ({ id, content }: Todo): string => `${lineForModel(id)} ${lineForModel(content)}`

/** The line of a new todo, including fields that later items of the call set, such as blockers. */
const addedLine = (todo: Todo): string => {
  const { status, blockedBy = [] } = todo
  const waits = blockedBy.length > 0 ? ` (waits for ${blockedBy.map(lineForModel).join(", ")})` : ""
  return `+ ${named(todo)}${status === "pending" ? "" : ` [${status}]`}${waits}`
}

const changeLine = (event: PlanEvent, after: Plan): string | undefined => {
  if (event.type === "todo-added") return addedLine(todoById(after, event.todo.id) ?? event.todo)
  if (event.type === "todo-removed") return `- ${named(event.todo)}`
  if (event.type === "plan-cleared") return `- all ${event.todos.length} todos`
  if (event.type === "todo-claimed")
    return `${lineForModel(event.id)} is ${lineForModel(event.owner)}'s until ${leaseEnd(event.until ?? "")}`
  if (event.type !== "todo-changed" || Object.keys(event.to).join() === "owner") return undefined
  const todo = todoById(after, event.id)
  return todo && `${lineForModel(todo.id)} ${event.to.status ?? changedFields(event.to)}: ${lineForModel(todo.content)}`
}

/** A todo with other words has another active form too, which need not be told. */
const changedFields = ({ content, activeForm, ...rest }: Readonly<Record<string, unknown>>): string => {
  const form = content === undefined && activeForm !== undefined ? ["activeForm"] : []
  return [...(content === undefined ? [] : ["reworded"]), ...form, ...Object.keys(rest)].join(", ")
}

/**
 * A call that lists todos by their text may be meant as the whole list, so the reply says which unlisted todos stay.
 */
const keptLine = ({ decoded, after }: Outcome): string[] => {
  const ids = new Set(Array.isArray(decoded.details?.kept) ? decoded.details.kept : [])
  const kept = ids.size > 0 ? after.todos.filter(({ id, status }) => ids.has(id) && !isFinished(status)) : []
  if (kept.length === 0) return []
  const more = kept.length > maxKept ? ` and ${kept.length - maxKept} more` : ""
  return [`Not mentioned, still there: ${kept.slice(0, maxKept).map(named).join("; ")}${more}`]
}

const nextLine = (plan: Plan): string => {
  if (plan.todos.length === 0) return "The list is empty."
  const { completed, total } = progressOf(plan)
  const todo = readyTodo(plan)
  return `${completed}/${total} done${todo ? `, next: ${named(todo)}` : "."}`
}

/**
 * Only the changed todos, so that the result does not grow with the plan; the whole list for a call that only reads.
 */
const changedTodos = ({ after, events, decoded }: Outcome): HeadwayData => {
  const ids = new Set(
    events.map((event) => (event.type === "todo-added" ? event.todo.id : "id" in event ? event.id : "")),
  )
  const todos = decoded.reads ? after.todos : [...ids].flatMap((id) => todoById(after, id) ?? [])
  return { todos: todos.map(({ id, content, status }) => ({ id, content, status })), progress: progressOf(after) }
}
