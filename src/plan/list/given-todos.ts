/** What is wrong with a list that a host gives: types are not checked where it hands on what it was sent. */
import { isTodo } from "../log/entry.ts"
import { isRecord } from "../log/shape.ts"
import { error, type Problem } from "../problem.ts"
import { sanitise } from "../text/sanitise.ts"
import { todoStatuses } from "../todo.ts"

type Options = {
  /** Whether an item without `content` may name a todo by its id, whose content stays. @default false */
  namesById?: boolean
}

/** The first item that is no todo at all, whatever the rules. */
export const faultIn = (todos: unknown, { namesById = false }: Options = {}): Problem | undefined => {
  if (!Array.isArray(todos)) return error("not-a-list", "The todos must be a list.")
  for (const [index, todo] of todos.entries()) {
    const fault = faultOf(isRecord(todo) ? todo : {}, index + 1, namesById)
    if (fault) return fault
  }
  return undefined
}

const faultOf = (todo: Record<string, unknown>, number: number, namesById: boolean): Problem | undefined => {
  const { content, status = "pending", ...rest } = todo
  const isNamed = namesById && content === undefined && rest.id !== undefined
  if (!isNamed && (typeof content !== "string" || sanitise(content) === ""))
    return error("empty-todo", `Todo number ${number} has no words in \`content\`.`)
  if (!(todoStatuses as readonly unknown[]).includes(status)) {
    const known = todoStatuses.join(", ")
    return error("unknown-status", `The status of todo number ${number} is unknown. It must be one of ${known}.`)
  }
  const given = Object.entries({ id: "1", ...rest }).filter(([, value]) => value !== undefined)
  return isTodo({ ...Object.fromEntries(given), content: content ?? "", status })
    ? undefined
    : error("invalid-todo", `A field of todo number ${number} is of the wrong kind.`)
}
