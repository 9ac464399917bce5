/** Qwen Code's `todo_write`: the whole list with ids the model gives and the ids each todo waits for. */
import { wholeListDialect } from "./_whole-list.ts"

export const qwen = wholeListDialect({
  id: "qwen",
  title: "Qwen Code todo_write",
  toolNames: ["todo_write"],
  words: { list: "todos", text: "content" },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: ["blockedBy"], duplicates: true },
  modelIds: true,
  example: { todos: [{ id: "1", content: "Run the tests", status: "in_progress" }] },
  item: ({ id, content, status, blockedBy }) => ({ id, content, status, ...(blockedBy?.length ? { blockedBy } : {}) }),
  goodNews: () => "The list is saved.",
})
