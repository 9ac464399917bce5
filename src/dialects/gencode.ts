/** gencode's `TodoWrite`: the whole list under hard limits, answered with the list itself. */
import { activeFormOf, defaultRules } from "../plan/index.ts"
import { progressList } from "../views/index.ts"
import { wholeListDialect } from "./_whole-list.ts"
import { todoWritePrompts } from "./prompts/gencode.ts"

const maxTodos = 20
const maxLength = 500

const example = { todos: [{ content: "Run the tests", status: "in_progress", activeForm: "Running the tests" }] }

export const gencode = wholeListDialect({
  id: "gencode",
  title: "gencode TodoWrite",
  toolNames: ["TodoWrite"],
  words: { list: "todos", text: "content" },
  carries: {
    statuses: ["pending", "in_progress", "completed"],
    fields: ["activeForm"],
    duplicates: true,
    oneActive: true,
  },
  rules: { ...defaultRules, oneActive: "reject", maxTodos, maxLength },
  example,
  tools: [
    {
      name: "TodoWrite",
      summary: "Keeps a list of at most twenty todos.",
      prompts: todoWritePrompts,
      input: (z) => {
        const text = z.string().min(1).max(maxLength)
        const status = z.enum(["pending", "in_progress", "completed"])
        return z.strictObject({ todos: z.array(z.object({ content: text, status, activeForm: text })).max(maxTodos) })
      },
      example,
    },
  ],
  item: (todo) => ({ content: todo.content, status: todo.status, activeForm: activeFormOf(todo) }),
  view: "panel",
  goodNews: ({ after }) => progressList(after),
  // The model sees its own plan with every reply (G3).
  showsUnchanged: true,
})
