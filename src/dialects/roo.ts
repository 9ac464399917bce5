/** Roo Code's `update_todo_list`: the whole list as a Markdown checklist in one string, with its own marks. */

import { wholeListDialect } from "./_whole-list.ts"
import { type ChecklistMarks, printChecklist } from "./checklist.ts"

const marks: ChecklistMarks = { " ": "pending", x: "completed", X: "completed", "-": "in_progress", "~": "in_progress" }

export const roo = wholeListDialect({
  id: "roo",
  title: "Roo Code update_todo_list",
  toolNames: ["update_todo_list"],
  words: { list: "todos", text: "content", marks },
  carries: { statuses: ["pending", "in_progress", "completed"], fields: [], duplicates: true },
  example: { todos: "[-] Run the tests\n[ ] Fix what fails" },
  item: ({ id, content, status }) => printChecklist({ todos: [{ id, content, status }], phases: [] }, marks),
  input: (lines) => ({ todos: lines.length > 0 ? lines.join("") : [] }),
  goodNews: () => "The list is saved.",
})
