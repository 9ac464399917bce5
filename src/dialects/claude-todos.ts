/** Claude Code's `TodoWrite`, both generations: whole list, with active forms (now) or with ids and priorities (first). */
import { activeFormOf, defaultRules, type Wanted } from "../plan/index.ts"
import { wholeListDialect } from "./_whole-list.ts"
import { todoWritePrompts } from "./prompts/claude-todos.ts"

const example = {
  todos: [
    { content: "Run the tests", status: "in_progress", activeForm: "Running the tests" },
    { content: "Fix what fails", status: "pending", activeForm: "Fixing what fails" },
  ],
}

const wire = ({ content = "", status = "pending", activeForm }: Wanted) => ({
  content,
  status,
  activeForm: activeForm ?? activeFormOf({ content }),
})

export const claudeTodos = wholeListDialect({
  id: "claude-todos",
  title: "Claude Code TodoWrite",
  toolNames: ["TodoWrite"],
  words: { list: "todos", text: "content" },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: ["activeForm"], duplicates: true },
  rules: { ...defaultRules, clearWhenDone: true },
  modelIds: true,
  example,
  tools: [
    {
      name: "TodoWrite",
      summary: "Keeps the list of todos for this session.",
      prompts: todoWritePrompts,
      input: (z) =>
        z.strictObject({
          todos: z.array(
            z.object({
              content: z.string().min(1),
              status: z.enum(["pending", "in_progress", "completed"]),
              activeForm: z.string().min(1),
            }),
          ),
        }),
      output: (z) => {
        const list = z.array(z.object({ content: z.string(), status: z.string(), activeForm: z.string() }))
        return z.object({ oldTodos: list, newTodos: list })
      },
      example,
    },
  ],
  item: wire,
  goodNews: () => "The list is saved. Keep it current and go on with the work.",
  data: ({ before, after, decoded }) => {
    const sent = decoded.items?.every(({ content }) => content !== undefined) ? decoded.items : after.todos
    return { oldTodos: before.todos.map(wire), newTodos: sent.map(wire) }
  },
})
