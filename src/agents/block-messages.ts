/**
 * The reader of streams shaped like Claude Code's: an init line, messages of blocks, and sub-agents identified by the
 * call that started them.
 */

import {
  activity,
  type Fields,
  failedTurn,
  fieldsOf,
  jsonLines,
  known,
  listOf,
  message,
  subAgentNamed,
  textOf,
} from "../streams/line.ts"
import type { SessionSignal, Signal, StreamReader } from "../streams/stream.ts"
import {
  type BlockWork,
  callsOf,
  contentOf,
  createBlocks,
  isFinal,
  type ListTools,
  orderOf,
  prompted,
  resultsOf,
  type Speaker,
  wordsOf,
} from "./blocks.ts"
import type { AskingTools } from "./questions.ts"

export type ClaudeShape = {
  tools: ListTools
  /** The tools that start a sub-agent. */
  agentTools: readonly string[]
  /** The tools with which it asks the person. */
  asking: AskingTools
  /** The key of the client's version in the first line. */
  versionKey: string
  /** A sub-agent without an id is identified by its first line, because a model service may reuse call ids. */
  namesByLine?: boolean
  /** Present if work should be reported. */
  work?: BlockWork | undefined
}

export const openClaudeShape = (shape: ClaudeShape): StreamReader => {
  const { tools, agentTools, asking, versionKey, namesByLine = false, work } = shape
  const blocks = createBlocks(tools, asking, { work })
  const family = createFamily()

  const system = (line: Fields): Signal[] => {
    const callId = textOf(line.tool_use_id) ?? ""
    if (line.subtype === "init") {
      session = textOf(line.session_id)
      // Printed when a prompt was accepted; the prompt itself is not in the stream.
      return [sessionOf(line, versionKey), activity("main", "prompt")]
    }
    // The same events also report background shells, which are not agents.
    if (line.subtype === "task_started" && family.isChild(callId)) return family.meet(callId, textOf(line.task_id))
    if (line.subtype !== "task_notification") return []
    const isDone = line.status === undefined || line.status === "completed"
    return family.end(callId, undefined, isDone ? undefined : (textOf(line.summary) ?? textOf(line.status)))
  }

  const assistant = (line: Fields, speaker: Speaker): Signal[] => {
    const content = contentOf(line)
    for (const { callId, input } of callsOf(content, agentTools)) family.spawn(callId, speaker.agent, orderOf(input))
    if (speaker.agent === "main") lastWords = wordsOf(content)
    return blocks.spoken(content, speaker)
  }

  const user = (line: Fields, speaker: Speaker): Signal[] => {
    const content = contentOf(line)
    const data = line.tool_use_result
    const ended = isFinal(data) ? resultsOf(content).flatMap(({ callId }) => family.end(callId, speaker.at)) : []
    const prompts = prompted(line, speaker)
    if (prompts.length > 0) blocks.forget(speaker.agent)
    return [...blocks.answered(content, data, speaker), ...blocks.noted(content, speaker), ...ended, ...prompts]
  }

  let lastWords = ""
  let session: string | undefined
  /** Reads the session from any line, because a recording may begin in the middle. */
  const meetSession = (line: Fields): Signal[] => {
    const named = textOf(line.session_id)
    if (named === undefined || session !== undefined || line.subtype === "init") return []
    session = named
    return [{ type: "session", agent: "main", session }]
  }

  return jsonLines((line) => [...meetSession(line), ...readLine(line)])

  function readLine(line: Fields): Signal[] {
    if (line.type === "system") return system(line)
    if (line.type === "result") return ending(line, lastWords)
    // An excerpt may lack the type of a line; its message names the role.
    const type = textOf(line.type) ?? textOf(fieldsOf(line.message).role)
    if (type !== "assistant" && type !== "user") return []
    const parent = textOf(line.parent_tool_use_id)
    const news = parent === undefined ? [] : family.meet(parent, namesByLine ? textOf(line.uuid) : undefined)
    const speaker = { agent: parent === undefined ? "main" : family.idOf(parent), at: line.timestamp }
    return [...news, ...(type === "user" ? user(line, speaker) : assistant(line, speaker))]
  }
}

/** The end of a turn, and the reason of a failure if no earlier line gave it. */
const ending = ({ is_error, result, errors, subtype }: Fields, lastWords: string): Signal[] => {
  if (is_error !== true) return [activity("main", "turn-ended")]
  const words = textOf(result) ?? listOf(errors).flatMap((one) => textOf(one) ?? [])[0] ?? subtype
  return [...(words === lastWords ? [] : message("main", words)), failedTurn("main", words)]
}

/** Distinguishes Qwen Code, which names its version and goal, and gives a message the id of its line. */
export const isQwenLine = (line: Fields): boolean =>
  line.qwen_code_version !== undefined ||
  fieldsOf(line.event).type === "goal_state" ||
  (line.uuid !== undefined && fieldsOf(line.message).id === line.uuid)

/** Distinguishes Grok, which numbers its messages and has its own names for tools. */
export const isGrokLine = ({ subtype, tools, message: record }: Fields): boolean =>
  subtype === "init"
    ? listOf(tools).includes("run_terminal_command")
    : /^msg_\d{1,9}$/.test(textOf(fieldsOf(record).id) ?? "")

const sessionOf = (line: Fields, versionKey: string): SessionSignal => ({
  type: "session",
  agent: "main",
  ...known({
    session: textOf(line.session_id),
    project: textOf(line.cwd),
    version: textOf(line[versionKey]),
    model: textOf(line.model),
    tools: Array.isArray(line.tools) ? line.tools.flatMap((name) => textOf(name) ?? []) : undefined,
  }),
})

/**
 * Records which call started which sub-agent. A sub-agent gets its own id if the client names it in time, otherwise the
 * call's.
 */
const createFamily = () => {
  const spawnedBy = new Map<string, { by: string; order: ReturnType<typeof orderOf> }>()
  const ids = new Map<string, string>()
  const ended = new Set<string>()
  return {
    idOf: (callId: string): string => ids.get(callId) ?? subAgentNamed(callId),
    isChild: (callId: string): boolean => spawnedBy.has(callId),
    spawn: (callId: string, by: string, order: ReturnType<typeof orderOf>): void => {
      spawnedBy.set(callId, { by, order })
      if (ended.delete(callId)) ids.delete(callId)
    },
    /** The session signal of a sub-agent, the first time it appears. */
    meet: (callId: string, id: string = callId): Signal[] => {
      if (ids.has(callId)) return []
      const agent = subAgentNamed(id)
      ids.set(callId, agent)
      const { by = "main", order = {} } = spawnedBy.get(callId) ?? {}
      return [{ type: "session", agent, parent: { agent: by, callId }, ...order }, activity(agent, "prompt")]
    },
    end: (callId: string, at?: unknown, error?: string): Signal[] => {
      const id = ids.get(callId)
      if (id === undefined) return []
      ended.add(callId)
      return [activity(id, "ended", { at, error })]
    },
  }
}
