/** gencode's `TodoWrite`: the whole list under strict limits. The reply is the list. */
import { activeFormOf, defaultRules, hasErrors } from "../plan/index.ts"
import { progressList } from "../views/index.ts"
import { choiceField, listField, shortField } from "./_fields.ts"
import { wholeListDialect } from "./_whole-list.ts"
import { todoWritePrompts } from "./prompts/gencode.ts"

/** The result in this agent's form. The model reads the output, or the error of a refused call. */
export type GencodeData = { success: boolean; output: string; error?: string }

const statuses = ["pending", "in_progress", "completed"] as const
const maxTodos = 20
const maxLength = 500

const example = { todos: [{ content: "Run the tests", status: "in_progress", activeForm: "Running the tests" }] }

export const gencode = wholeListDialect<GencodeData>({
  id: "gencode",
  title: "gencode TodoWrite",
  toolNames: ["TodoWrite"],
  words: { list: "todos", text: "content" },
  carries: {
    statuses,
    fields: ["activeForm"],
    duplicates: true,
    oneActive: true,
  },
  rules: { ...defaultRules, oneActive: "reject", maxTodos, maxLength },
  example,
  tools: [
    {
      name: "TodoWrite",
      summary: "Keeps up to twenty todos of this session. Use it early and often, unasked.",
      prompts: todoWritePrompts,
      input: (z) => {
        const text = (about: string, wrong: string) => shortField(z, about, wrong, maxLength)
        const item = z.object({
          content: text("as a command: Run the tests", "A todo needs words in `content`."),
          status: choiceField(z, "at most one is in_progress", statuses),
          activeForm: text("while it happens: Running the tests", "A todo needs words in `activeForm`."),
        })
        const todos = listField(z, "the whole list", item)
        return z.strictObject({ todos: todos.max(maxTodos, `A list has at most ${maxTodos} todos.`) })
      },
      example,
    },
  ],
  item: (todo) => ({ content: todo.content, status: todo.status, activeForm: activeFormOf(todo) }),
  view: "panel",
  goodNews: ({ after }) => progressList(after),
  data: ({ problems }, text) =>
    hasErrors(problems) ? { success: false, output: "", error: text } : { success: true, output: text },
  // Every reply shows the model its plan (behaviour G3).
  showsUnchanged: true,
})
