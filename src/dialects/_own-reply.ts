/** Reads our own tool's reply in another agent's session, the only place with the ids of new todos. */
import { readStatus, type TodoStatus, type Wanted } from "../plan/index.ts"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"

export type RepliedTodo = { id: string; content: string; status?: TodoStatus }

/** A reply as clients store it: the structured result, its JSON as text (with words around it), or the text alone. */
export const repliedTodos = (result: unknown): RepliedTodo[] => {
  if (typeof result === "string") return inText(result)
  if (Array.isArray(result)) return result.flatMap(repliedTodos)
  if (!isRecord(result)) return []
  const { todos, structuredContent, structured_content, content, text, output } = result
  if (Array.isArray(todos)) return todos.flatMap(readTodo)
  const nested = [structuredContent, structured_content].find(isRecord) ?? content ?? text ?? output
  return typeof nested === "string" || Array.isArray(nested) || isRecord(nested) ? repliedTodos(nested) : []
}

const readTodo = (value: unknown): RepliedTodo[] => {
  if (!isRecord(value) || typeof value.id !== "string" || typeof value.content !== "string") return []
  const status = readStatus(value.status)
  return [{ id: value.id, content: value.content, ...(status ? { status } : {}) }]
}

const inText = (text: string): RepliedTodo[] => {
  const [, json] = /(?:^|\n)(\{"text":.*\})(?:\n|$)/.exec(text) ?? []
  const value = json === undefined ? undefined : parseJson(json)
  return isRecord(value) && Array.isArray(value.todos) ? repliedTodos(value) : text.split("\n").flatMap(readLine)
}

/** `+ 3 Run the tests [in_progress]` for a new todo; `#3 [pending] Run the tests` in a requested list. */
const readLine = (line: string): RepliedTodo[] => {
  const added = /^\+ (?<id>\S+) (?<content>.+?)(?: \[(?<status>\w+)\])?$/.exec(line)?.groups
  const listed = /^#(?<id>\S+) \[(?<status>\w+)\] (?<content>.+)$/.exec(line)?.groups
  const { id, content, status } = added ?? listed ?? {}
  return id === undefined || content === undefined ? [] : readTodo({ id, content, status: status ?? "pending" })
}

/** The items of a call with the ids that the reply reports. Equal texts got their ids in order. */
export const withRepliedIds = (items: readonly Wanted[], replied: readonly RepliedTodo[]): Wanted[] => {
  const ids = new Map<string, string[]>()
  for (const { id, content } of replied) {
    const others = ids.get(content)
    if (others) others.push(id)
    else ids.set(content, [id])
  }
  const named = new Set(items.map(({ id }) => id))
  return items.map((item) => {
    if (item.id !== undefined || item.content === undefined) return item
    const id = ids.get(item.content)?.shift()
    return id === undefined || named.has(id) ? item : { ...item, id }
  })
}
