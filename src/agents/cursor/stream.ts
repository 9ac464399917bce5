/**
 * Cursor's `cursor-agent --output-format stream-json`: tool calls that start and complete, with todos in protobuf
 * names.
 */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  jsonLines,
  known,
  message,
  seenCall,
  snapshot,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { contentOf, wordsOf } from "../blocks.ts"
import { cursorResult, cursorTools } from "./_work.ts"

const todoTools = ["updateTodosToolCall", "todoWriteToolCall"]

export const cursorStream = {
  id: "cursor-stream",
  agentType: "cursor",
  title: "cursor-agent --output-format stream-json",
  printedBy: { command: "cursor-agent", words: [["-p", "--print"], ["--output-format stream-json"]] },
  recognises: ({ type, subtype, tool_call, tools, apiKeySource }) => {
    if (type === "tool_call") return isRecord(tool_call) && (subtype === "started" || subtype === "completed")
    // Claude Code begins similarly, but lists its tools.
    if (type === "system") return subtype === "init" && apiKeySource !== undefined && tools === undefined
    return type === "thinking" && (subtype === "delta" || subtype === "completed")
  },
  // `updateTodosToolCall` and `todoWriteToolCall` share nothing shorter; and the `init` line.
  needles: ["TodosT", "WriteT", '"init"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    let session: string | undefined
    const calls: Calls = { started: new Set(), work: createWork(wants?.work ? cursorTools : undefined) }
    return jsonLines((line) => {
      const at = line.timestamp_ms
      session ??= textOf(line.session_id)
      if (line.type === "system" && line.subtype === "init") {
        return [{ type: "session", ...known({ session, project: textOf(line.cwd), model: textOf(line.model) }) }]
      }
      if (line.type === "tool_call") return readCall(line, session, calls)
      if (line.type === "user") return [...asked("main", wordsOf(contentOf(line))), activity("main", "prompt", { at })]
      if (line.type === "assistant")
        return [activity("main", "text", { at }), ...message("main", wordsOf(contentOf(line)))]
      if (line.type !== "result") return []
      return [line.is_error === true ? failedTurn("main", line.result, { at }) : activity("main", "turn-ended", { at })]
    })
  },
} satisfies Stream

/** `started` are the ids of calls that have started but not ended. */
type Calls = { started: Set<string>; work: ReturnType<typeof createWork> }

const readCall = (line: Fields, session: string | undefined, calls: Calls): Signal[] => {
  const { subtype, timestamp_ms: at } = line
  const found = Object.entries(fieldsOf(line.tool_call))
  const [name, body] = found.find(([, value]) => isRecord(value)) ?? []
  const callId = textOf(line.call_id)
  const { args, result } = fieldsOf(body)
  if (name === undefined || !todoTools.includes(name) || callId === undefined) {
    const doing = subtype === "started" ? worked("main", { tool: name, input: args, at }) : []
    return [...doing, ...workOf(line, { tool: name ?? "", input: args, callId, at }, fieldsOf(result), calls)]
  }
  const { started } = calls
  const call = seenCall("main", "cursor", { tool: name, input: args, callId, at, session })
  if (subtype !== "completed") {
    started.add(callId)
    return [call]
  }
  const ok = isRecord(fieldsOf(result).success)
  const outcome: Signal = { type: "result", callId, ok, ...known({ result }) }
  return [...(started.delete(callId) ? [] : [call]), outcome, ...wholeList(fieldsOf(result).success, at, session)]
}

/** A call of a tool that keeps no list: reported when it begins, and with its outcome when it ends. */
const workOf = (
  { subtype }: Fields,
  call: { tool: string; input: unknown; callId: string | undefined; at: unknown },
  result: Fields,
  { started, work }: Calls,
): Signal[] => {
  const { callId, at } = call
  if (!work.isWanted || callId === undefined) return []
  if (subtype !== "completed") {
    started.add(callId)
    return work.began("main", call)
  }
  return [
    ...(started.delete(callId) ? [] : work.began("main", call)),
    ...work.ended("main", callId, cursorResult(result), at),
  ]
}

/** The list after a merge, if the result contains it. */
const wholeList = (success: unknown, at: unknown, session: string | undefined): Signal[] => {
  const { todos, wasMerge } = fieldsOf(success)
  if (!Array.isArray(todos) || wasMerge !== true) return []
  const input = { merge: false, todos }
  return [snapshot("main", "cursor", { tool: "updateTodosToolCall", input, at, session })]
}
