/**
 * pi's lists. pi itself has no list tool; `todo` belongs to its example extension, whose results contain the whole
 * list.
 */
import { type Fields, fieldsOf, objectsOf, snapshot } from "../../streams/line.ts"
import { ownTool } from "../own-tool.ts"
import type { PiLists } from "./family-lists.ts"

const todoTool = "todo"

export const piLists: PiLists = {
  called: (name, args) => {
    if (name === todoTool) return "read from its result"
    const own = ownTool(name)
    return own && { ...own, input: args }
  },
  answered: (name, details) => {
    if (name === todoTool) return { list: detailsOf(details) }
    return ownTool(name) ? { list: undefined } : undefined
  },
  snapshot: ({ todos }, about) => {
    const list = objectsOf(todos).map(({ id, text, done }) => ({
      id: String(id),
      content: text,
      status: done === true ? "completed" : "pending",
    }))
    return snapshot("main", "qwen", { tool: todoTool, input: { todos: list }, ...about })
  },
  empty: { todos: [] },
}

/** The details of a result if they contain the list: `{ action, todos: [{ id, text, done }], nextId }`. */
const detailsOf = (value: unknown): Fields | undefined => {
  const details = fieldsOf(value)
  return Array.isArray(details.todos) && typeof details.nextId === "number" ? details : undefined
}
