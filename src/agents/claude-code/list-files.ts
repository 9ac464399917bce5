/** The lists Claude Code keeps in files: `todos/<session>-agent-<agent>.json`, and `tasks/<list>/`, a file per task. */
import type { ToolCall } from "../../dialects/dialect.ts"
import { type Problem, sanitise, warning } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import { isRecord } from "../../plan/log/shape.ts"
import type { ReadDocument, ReadFolder } from "../../sessions/source.ts"
import { type Fields, fieldsOf, known, nameIn, objectsOf, observed, subAgentNamed, textOf } from "../../streams/line.ts"
import type { SessionSignal } from "../../streams/stream.ts"
import { taskList } from "../blocks.ts"
import { listSignals } from "../list-signals.ts"

export type TodosFile = {
  session: string
  /** `main`, or the sub-agent's id. */
  agent: string
  /** A snapshot for `claude-todos`. Absent if the file has no list. */
  call?: ToolCall
  problems: Problem[]
}

/**
 * Reads one todo file; undefined if the name is not a todo file's. An empty list is ignored: the file exists before the
 * first todo, and some versions empty it when all todos are done. `at` is when the file was written.
 */
export const readClaudeTodos = (text: string, name: string, at?: string): TodosFile | undefined => {
  const [, session, agentId] = /^(.+?)-agent-(.+)\.json$/.exec(name) ?? []
  if (session === undefined || agentId === undefined) return undefined
  const whose = { session, agent: agentId === session ? "main" : agentId }
  const todos = parseJson(text)
  if (!Array.isArray(todos)) return { ...whose, problems: [damaged(name)] }
  if (todos.length === 0) return { ...whose, problems: [] }
  return { ...whose, call: observed({ tool: "TodoWrite", input: { todos }, at }), problems: [] }
}

/**
 * Reads the files of one task folder as a snapshot for `claude-tasks`, which only adds and changes tasks: the client
 * removes the files of finished tasks, so a missing file does not mean that its task was deleted.
 */
export const readClaudeTasks = (
  files: readonly { name: string; text: string }[],
  at?: string,
): { call: ToolCall; problems: Problem[] } => {
  const problems: Problem[] = []
  const tasks = files.flatMap(({ name, text }): Fields[] => {
    if (!/^[^.].*\.json$/.test(name)) return []
    const task = parseJson(text)
    if (!isTask(task)) {
      problems.push(damaged(name))
      return []
    }
    return fieldsOf(task.metadata)._internal === true ? [] : [task]
  })
  return { call: taskList(tasks.toSorted(byId), at), problems }
}

export const todosFile: ReadDocument = ({ name, text }, at) => {
  const read = readClaudeTodos(text, name, at)
  return read ? listSignals(read.agent, "claude-todos", read) : []
}

export const tasksFolder: ReadFolder = (files, at) => {
  const { call, problems } = readClaudeTasks(files, at)
  // An empty folder says nothing about the list.
  const hasTasks = objectsOf(fieldsOf(call.result).tasks).length > 0
  return listSignals("main", "claude-tasks", { ...(hasTasks ? { call } : {}), problems })
}

/** Reads `agent-<id>.meta.json` next to a sub-agent's session file: the call that started it, its kind and its task. */
export const readClaudeAgentMeta = (text: string, name: string): SessionSignal | undefined => {
  const agent = /^agent-(.+)\.meta\.json$/.exec(name)?.[1]
  if (agent === undefined) return undefined
  const { toolUseId, agentType, description } = fieldsOf(parseJson(text))
  const callId = textOf(toolUseId)
  const about = known({
    parent: callId === undefined ? undefined : { agent: "main", callId },
    title: nameIn(description),
    role: nameIn(agentType),
  })
  return Object.keys(about).length === 0 ? undefined : { type: "session", agent: subAgentNamed(agent), ...about }
}

export const agentMetaFile: ReadDocument = ({ name, text }) => {
  const signal = readClaudeAgentMeta(text, name)
  return signal ? [signal] : []
}

const isTask = (value: unknown): value is Fields =>
  isRecord(value) &&
  (typeof value.id === "string" || typeof value.id === "number") &&
  textOf(value.subject) !== undefined

/** Numbers first, in their order, then names. Other programs may add tasks with any id. */
const byId = (one: Fields, other: Fields): number => {
  const [a, b] = [Number(one.id), Number(other.id)]
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a - b
}

const damaged = (name: string): Problem =>
  warning("damaged-file", `${sanitise(name).slice(0, 200)} holds no readable list and was skipped.`)
