/** Crush's `todos`: the whole list, with the field `active_form`. */
import { activeFormOf } from "../plan/index.ts"
import { wholeListDialect } from "./_whole-list.ts"

export const crush = wholeListDialect({
  id: "crush",
  title: "Crush todos",
  toolNames: ["todos"],
  words: { list: "todos", text: "content" },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: ["activeForm"], duplicates: true },
  example: { todos: [{ content: "Run the tests", status: "in_progress", active_form: "Running the tests" }] },
  item: (todo) => ({ content: todo.content, status: todo.status, active_form: activeFormOf(todo) }),
  goodNews: () => "The list is saved.",
})
