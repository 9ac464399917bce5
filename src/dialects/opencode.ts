/** opencode's `todowrite`: the whole list with priorities. Statuses and priorities are free text. */
import { wholeListDialect } from "./_whole-list.ts"

export const opencode = wholeListDialect({
  id: "opencode",
  title: "opencode todowrite",
  toolNames: ["todowrite"],
  words: { list: "todos", text: "content" },
  carries: { statuses: ["pending", "in_progress", "completed", "cancelled"], fields: ["priority"], duplicates: true },
  example: { todos: [{ content: "Run the tests", status: "in_progress", priority: "high" }] },
  item: ({ content, status, priority = "medium" }) => ({ content, status, priority }),
  goodNews: () => "The list is saved.",
})
