/** Reads the messages of a Cline session: calls, and their results, which list the tasks of its team. */

import { parseJson } from "../../plan/json.ts"
import {
  activity,
  asked,
  type Fields,
  fieldsOf,
  known,
  message,
  objectsOf,
  seenCall,
  textOf,
  waits,
  worked,
} from "../../streams/line.ts"
import type { Signal } from "../../streams/stream.ts"
import { resultsOf, wordsOf } from "../blocks.ts"
import { ownTool } from "../own-tool.ts"
import { type AskingTools, questionByCall } from "../questions.ts"
import { type TeamTask, tasksSnapshot, teamTool } from "./_tasks.ts"
import { createClineWork } from "./_work.ts"

/** The tool with which it asks the person. */
const askingTools: AskingTools = { ask_question: "question" }

export const readMessages = ({ sessionId, origin, messages }: Fields, wants: { work: boolean }): Signal[] => {
  const state: State = {
    session: textOf(sessionId),
    calls: new Map(),
    tasks: new Map(),
    room: mostTold,
    work: createClineWork(wants.work),
  }
  const about = known({ session: state.session, version: textOf(fieldsOf(origin).version) })
  const signals = objectsOf(messages).flatMap((one) => readMessage(one, state))
  const end = state.room < 0 ? [tasksSnapshot(state.tasks.values(), state.told)] : []
  return [{ type: "session", ...about }, ...signals, ...end]
}

/**
 * `calls` are the calls of list tools, by id. `tasks` is the list according to the results so far, and `told` the time
 * of the last one. `room` is how many more tasks may be reported before the rest is reported once, at the end.
 */
type State = {
  session: string | undefined
  calls: Map<string, Fields>
  tasks: Map<string, TeamTask>
  told?: unknown
  room: number
  work: ReturnType<typeof createClineWork>
}

/**
 * Each result repeats the whole list. In a document with more tasks than this, the rest is reported once, at the end.
 */
const mostTold = 50_000

const readMessage = ({ role, content, ts: at, modelInfo }: Fields, state: State): Signal[] => {
  if (role === "user") return readUser(content, at, state)
  if (role !== "assistant") return []
  const model = textOf(fieldsOf(modelInfo).id)
  const signals = objectsOf(content).flatMap((block) => readBlock(block, at, state))
  const goesOn = objectsOf(content).some(({ type }) => type === "tool_use")
  return [
    ...(model === undefined ? [] : [{ type: "session", ...known({ session: state.session }), model } satisfies Signal]),
    ...signals,
    ...(goesOn ? [] : [activity("main", "turn-ended", { at })]),
  ]
}

const readBlock = (block: Fields, at: unknown, { session, calls, work }: State): Signal[] => {
  if (block.type === "text") return [activity("main", "text", { at }), ...message("main", block.text)]
  if (block.type !== "tool_use") return []
  const { name, input } = block
  const callId = textOf(block.id)
  const own = ownTool(name)
  if (callId === undefined || (!own && name !== teamTool)) {
    const asks = questionByCall(askingTools, textOf(name) ?? "", input)
    const doing = [...worked("main", { tool: name, input, at }), ...(asks ? [waits("main", asks, { at })] : [])]
    return [...doing, ...work.began({ tool: name, callId, input, at })]
  }
  calls.set(callId, block)
  return own ? [seenCall("main", own.dialect, { tool: own.tool, input, callId, at, session })] : []
}

/** Reads a user message: text of the person, text of the client (which begins with a mark), or results. */
const readUser = (content: unknown, at: unknown, state: State): Signal[] => {
  const results = resultsOf(content)
  if (results.length > 0) return results.flatMap(({ callId, block }) => readResult(callId, block, at, state))
  const words = spokenIn(wordsOf(content))
  return words === "" || words.startsWith("[SYSTEM]")
    ? []
    : [...asked("main", words), activity("main", "prompt", { at })]
}

/** What the person typed, without the element that Cline puts around it to name the mode. */
const spokenIn = (words: string): string => words.replaceAll(/<\/?user_input\b[^<>]*>/g, "").trim()

const readResult = (callId: string, block: Fields, at: unknown, state: State): Signal[] => {
  const { calls, tasks, work } = state
  const call = calls.get(callId)
  const ok = block.is_error !== true
  if (!call) return [activity("main", "tool", { at, isResult: true }), ...work.ended(callId, block.content, !ok, at)]
  const text = wordsOf(block.content)
  if (call.name !== teamTool) return [{ type: "result", callId, ok, result: text }]
  const told = ok ? tasksIn(fieldsOf(parseJson(text)), fieldsOf(call.input), tasks) : []
  for (const task of told) tasks.set(task.id, task)
  if (told.length === 0) return []
  state.told = at
  state.room -= tasks.size
  return state.room < 0 ? [] : [tasksSnapshot(tasks.values(), at)]
}

/** The tasks in a result: the whole list, or the task that was created or changed. */
const tasksIn = (result: Fields, input: Fields, known: ReadonlyMap<string, TeamTask>): TeamTask[] => {
  if (Array.isArray(result.tasks))
    return objectsOf(result.tasks).flatMap((task) => {
      const [id, title] = [textOf(task.id), textOf(task.title)]
      return id === undefined || title === undefined ? [] : [{ ...task, id, title }]
    })
  const id = textOf(result.taskId)
  if (id === undefined) return []
  const { title, description, assignee, dependsOn, summary, reason } = input
  const before = known.get(id) ?? { id, title: textOf(title) ?? `Task ${id}`, description, assignee, dependsOn }
  return [{ ...before, status: result.status, summary: summary ?? reason }]
}
