/**
 * Claude Code's `TodoWrite`, in both versions: the whole list, with active forms (now) or with ids and priorities (at
 * first).
 */
import { activeFormOf, defaultRules, type Priority, sanitiseData, type TodoStatus, type Wanted } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import { choiceField, listField, textField } from "./_fields.ts"
import { wholeListDialect } from "./_whole-list.ts"
import type { Decoded } from "./dialect.ts"
import { todoWritePrompts } from "./prompts/claude-todos.ts"

/** An item as sent: with an id in the first version, with an active form in the second. Other keys stay. */
export type TodoWriteItem = {
  content: string
  status: TodoStatus
  /** Present if it was sent. */
  activeForm?: string
  id?: string
  priority?: Priority
}

/** The list before the call, and the list as sent, even if the stored list is empty now (behaviour C3). */
export type TodoWriteData = { oldTodos: TodoWriteItem[]; newTodos: TodoWriteItem[] }

const example = {
  todos: [
    { content: "Run the tests", status: "in_progress", activeForm: "Running the tests" },
    { content: "Fix what fails", status: "pending", activeForm: "Fixing what fails" },
  ],
}

const statuses = ["pending", "in_progress", "completed"] as const

export const claudeTodos = wholeListDialect<TodoWriteData>({
  id: "claude-todos",
  title: "Claude Code TodoWrite",
  toolNames: ["TodoWrite"],
  words: { list: "todos", text: "content" },
  carries: { statuses, fields: ["activeForm"], duplicates: true },
  rules: { ...defaultRules, clearWhenDone: true },
  modelIds: true,
  example,
  tools: [
    {
      name: "TodoWrite",
      summary: "Keeps the todos of this session. Use it early and often, unasked.",
      prompts: todoWritePrompts,
      input: (z) =>
        z.strictObject({
          todos: listField(
            z,
            "the whole list",
            z.object({
              content: textField(z, "as a command: Run the tests", "A todo needs words in `content`."),
              status: choiceField(z, "one is in_progress", statuses),
              activeForm: textField(
                z,
                "while it happens: Running the tests",
                "A todo needs words in `activeForm` for while it is worked on.",
              ),
            }),
          ),
        }),
      output: (z) => {
        const item = z.looseObject({ content: z.string(), status: z.string(), activeForm: z.string().optional() })
        return z.object({ oldTodos: z.array(item), newTodos: z.array(item) })
      },
      example,
    },
  ],
  item: ({ content, status, activeForm = activeFormOf({ content }) }) => ({ content, status, activeForm }),
  goodNews: () => "The list is saved. Keep it current and go on with the work.",
  data: ({ before, after, decoded }) => ({
    oldTodos: before.todos.map(itemOf),
    newTodos: sentItems(decoded) ?? after.todos.map(itemOf),
  }),
})

/**
 * The items of the call: unchanged if they are valid, otherwise as understood. Undefined for a call that only patches.
 */
const sentItems = ({ items, sent }: Decoded): TodoWriteItem[] | undefined => {
  if (!items?.every(({ content }) => content !== undefined)) return undefined
  return sent?.every(isItem) ? (sanitiseData(sent) as TodoWriteItem[]) : items.map(itemOf)
}

const isItem = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value.content === "string" &&
  statuses.some((status) => status === value.status) &&
  ["string", "undefined"].includes(typeof value.activeForm)

/** A todo as an item with the model's own id, not ours. */
const itemOf = ({ id: _, extra = {}, content = "", status = "pending", ...more }: Wanted): TodoWriteItem => {
  const { nativeId, ...other } = extra
  return { content, status, ...more, ...(typeof nativeId === "string" ? { id: nativeId } : {}), ...other }
}
