/** Cursor's `todo_write`: the whole list, or with `merge` a patch by id; Grok Build uses it too. */
import { isRecord } from "../plan/log/shape.ts"
import { wholeListDialect } from "./_whole-list.ts"

/** In the stream the arguments are inside the call. */
const unwrap = (sent: unknown): unknown => {
  let value = sent
  for (const key of ["updateTodosToolCall", "args"]) if (isRecord(value) && isRecord(value[key])) value = value[key]
  return value
}

export const cursor = wholeListDialect({
  id: "cursor",
  title: "Cursor todo_write",
  toolNames: ["todo_write", "updateTodosToolCall"],
  words: { list: "todos", text: "content", unwrap },
  carries: { statuses: ["pending", "in_progress", "completed", "cancelled"], fields: [], duplicates: true },
  modelIds: true,
  patches: ({ merge }) => merge === true || merge === "true",
  input: (todos) => ({ merge: false, todos }),
  example: { merge: false, todos: [{ id: "1", content: "Run the tests", status: "in_progress" }] },
  item: ({ id, content, status }) => ({ id, content, status }),
  goodNews: () => "The list is saved.",
})
