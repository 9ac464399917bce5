/** Why a todo is blocked or cancelled, in words. */

import type { Todo } from "../../plan/todo.ts"

/** "blocked: no access; waits for Ada", "cancelled: out of scope", or "" when no reason was given. */
export const reasonOf = (todo: Todo): string => {
  if (todo.status !== "blocked" && todo.status !== "cancelled") return ""
  const why = [todo.reason ?? "", todo.status === "blocked" ? waitOf(todo) : ""].filter((part) => part.trim() !== "")
  return why.length === 0 ? "" : `${todo.status}: ${why.join("; ")}`
}

const waitOf = ({ waitsFor, blockedBy = [] }: Todo): string => {
  if (waitsFor !== undefined && waitsFor.trim() !== "") return `waits for ${waitsFor}`
  return blockedBy.length === 0 ? "" : `waits for ${blockedBy.map((id) => `#${id}`).join(", ")}`
}
