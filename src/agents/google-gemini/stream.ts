/**
 * Gemini CLI's `--output-format stream-json`: calls with their parameters, and results that only report success or
 * failure.
 */

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
import { ownToolNeedles } from "../own-tool.ts"
import { listTool } from "./_tools.ts"
import { errorText, geminiTools, resultOf } from "./_work.ts"

export const geminiStream = {
  id: "gemini-stream",
  agentType: "google-gemini",
  title: "gemini --output-format stream-json",
  printedBy: { command: "gemini", words: [["--output-format stream-json", "-o stream-json"]] },
  recognises: ({ type, tool_name, tool_id, parameters, session_id, role, timestamp }) => {
    // A program between the agent and us may have left out the rest.
    if (type === "tool_use" && typeof tool_name === "string" && fieldsOf(parameters) === parameters) return true
    if (timestamp === undefined) return false
    if (type === "init") return typeof session_id === "string"
    if (type === "tool_use") return typeof tool_name === "string" && typeof tool_id === "string"
    return type === "message" && (role === "user" || role === "assistant")
  },
  // `write_todos`, `tracker_…`, our own tool, and the `init` line. Call ids begin with the tool's name, so results
  // contain it too.
  needles: ["_todos", "ker_", ownToolNeedles.underscore, 'init",'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    let session: string | undefined
    const open = new Set<string>()
    const work = createWork(wants?.work ? geminiTools : undefined)
    return jsonLines((line) => {
      const at = line.timestamp
      if (line.type === "init") {
        session = textOf(line.session_id) ?? session
        return [{ type: "session", ...known({ session, model: textOf(line.model) }) }]
      }
      if (line.type === "message" && line.role === "user")
        return [...asked("main", line.content), activity("main", "prompt", { at })]
      if (line.type === "message")
        return [activity("main", "text", { at }), ...message("main", line.content, line.delta === true)]
      if (line.type === "error") return message("main", line.message)
      if (line.type === "result") return readEnd(line)
      if (line.type === "tool_use") return [...readCall(line, session, open), ...beganWork(line, work)]
      return line.type === "tool_result" ? [...readResult(line, open), ...endedWork(line, work)] : []
    })
  },
} satisfies Stream

const readEnd = ({ status, error, timestamp: at }: Fields): Signal[] => {
  const reason = fieldsOf(error).message
  return [
    ...message("main", reason),
    status === "error" ? failedTurn("main", reason, { at }) : activity("main", "turn-ended", { at }),
  ]
}

/** This stream does not contain the ids of new tracker tasks, so updates of those tasks cannot be matched. */
const readCall = (line: Fields, session: string | undefined, open: Set<string>): Signal[] => {
  const { tool_name: name, tool_id: id, parameters: input, timestamp: at } = line
  const [tool, callId] = [textOf(name), textOf(id)]
  const list = listTool(tool)
  if (!list) return worked("main", { tool, input, at })
  // Without an id its result cannot be matched, so the call itself is final.
  if (!callId) return [snapshot("main", list.dialect, { tool: list.tool, input, at, session })]
  open.add(callId)
  return [seenCall("main", list.dialect, { tool: list.tool, input, callId, at, session })]
}

const readResult = ({ tool_id, status, output, error }: Fields, open: Set<string>): Signal[] => {
  const callId = textOf(tool_id)
  if (callId === undefined || !open.delete(callId)) return []
  const result = textOf(fieldsOf(error).message) ?? output
  return [{ type: "result", callId, ok: status === "success", ...known({ result }) }]
}

const beganWork = (line: Fields, work: ReturnType<typeof createWork>): Signal[] => {
  const { tool_name: name, tool_id: id, parameters: input, timestamp: at } = line
  const tool = textOf(name) ?? ""
  return listTool(tool) ? [] : work.began("main", { callId: textOf(id), tool, input, at })
}

const endedWork = (line: Fields, work: ReturnType<typeof createWork>): Signal[] => {
  const callId = textOf(line.tool_id)
  return callId === undefined
    ? []
    : work.ended("main", callId, resultOf(errorText(line), line.status, { hasCode: false }), line.timestamp)
}
