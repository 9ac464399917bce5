/** Kimi's `SetTodoList`: the whole list of titles, with `done` for completed. A call without a list reads. */
import { wholeListDialect } from "./_whole-list.ts"

export const kimi = wholeListDialect({
  id: "kimi",
  title: "Kimi SetTodoList",
  toolNames: ["SetTodoList", "TodoList"],
  words: { list: "todos", text: "title" },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: [], duplicates: true },
  example: { todos: [{ title: "Run the tests", status: "in_progress" }] },
  item: ({ content, status }) => ({ title: content, status: status === "completed" ? "done" : status }),
  goodNews: () => "The list is saved.",
})
