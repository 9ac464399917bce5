/** VS Code Copilot's `manage_todo_list`: the whole list, with numbers as ids and hyphens in the statuses. */
import { wholeListDialect } from "./_whole-list.ts"

const statusWords: Record<string, string> = { pending: "not-started", in_progress: "in-progress" }

export const vscode = wholeListDialect({
  id: "vscode",
  title: "VS Code Copilot manage_todo_list",
  toolNames: ["manage_todo_list"],
  words: { list: "todoList", text: "title" },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: [], duplicates: true },
  modelIds: true,
  example: { todoList: [{ id: 1, title: "Run the tests", status: "in-progress" }] },
  item: ({ content, status }, index) => ({ id: index + 1, title: content, status: statusWords[status] ?? status }),
  goodNews: () => "The list is saved.",
})
