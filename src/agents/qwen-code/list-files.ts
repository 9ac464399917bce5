/** Reads the file with Qwen Code's list, `~/.qwen/todos/<session>.json`. */
import type { ToolCall } from "../../dialects/dialect.ts"
import { type Problem, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { ReadDocument } from "../../sessions/source.ts"
import { fieldsOf, observed, textOf } from "../../streams/line.ts"
import { listSignals } from "../list-signals.ts"

export type QwenTodosFile = {
  /** The session named in the file, which is also the file's name. */
  session?: string
  /** A snapshot for `qwen`. Absent if the file cannot be read. */
  call?: ToolCall
  problems: Problem[]
}

/**
 * `at` is when the file was written. A finished list stays in the file, so the model itself has emptied an empty one.
 */
export const readQwenTodos = (text: string, at?: string): QwenTodosFile => {
  const { todos, sessionId } = fieldsOf(parseJson(text))
  const session = textOf(sessionId)
  const whose = session === undefined ? {} : { session }
  if (Array.isArray(todos))
    return { ...whose, call: observed({ tool: "todo_write", input: { todos }, at }), problems: [] }
  return { ...whose, problems: [warning("damaged-file", "A file of todos holds no list and was skipped.")] }
}

export const todosFile: ReadDocument = ({ text }, at) => listSignals("main", "qwen", readQwenTodos(text, at))
