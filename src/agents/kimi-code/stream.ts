/** Kimi Code's `kimi --prompt … --output-format stream-json`: the main agent's messages, without times. */
import { parseJson } from "../../plan/json.ts"
import {
  activity,
  type Fields,
  fieldsOf,
  jsonLines,
  known,
  message,
  objectsOf,
  seenCall,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { commonTools } from "../common-tools.ts"
import { listTool, nativeTool } from "./_tools.ts"
import { kimiResult } from "./_work.ts"

export const kimiStream = {
  id: "kimi-stream",
  agentType: "kimi-code",
  title: "kimi --output-format stream-json",
  printedBy: { command: "kimi", words: [["--prompt", "-p"], ["--output-format stream-json"]] },
  recognises: ({ role, type, tool_calls, tool_call_id, content }) => {
    if (role === "meta") return typeof type === "string"
    if (type !== undefined) return false
    if (role === "tool") return typeof tool_call_id === "string"
    return role === "assistant" && (Array.isArray(tool_calls) || typeof content === "string")
  },
  // `tool_calls` and `tool_call_id`, and the lines with the version and the session.
  needles: ["l_call", 'e":"meta"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const work = createWork(wants?.work ? commonTools : undefined)
    /** The list tool of each call without a result. */
    const open = new Map<string, string>()

    const called = ({ id, function: given }: Fields): Signal[] => {
      const { name, arguments: input } = fieldsOf(given)
      const list = listTool(textOf(name))
      const callId = textOf(id)
      if (!list)
        return [
          ...worked("main", { tool: name, input }),
          ...work.began("main", { callId, tool: textOf(name) ?? "", input: inputOf(input) }),
        ]
      if (callId === undefined) return []
      open.set(callId, list.tool)
      return [seenCall("main", list.dialect, { tool: list.tool, input, callId })]
    }

    const answered = ({ tool_call_id, content }: Fields): Signal[] => {
      const callId = textOf(tool_call_id) ?? ""
      const tool = open.get(callId)
      if (tool === undefined || !open.delete(callId))
        return work.ended("main", callId, kimiResult(textOf(content) ?? ""))
      // Only its text distinguishes a result from a refusal.
      const ok = tool !== nativeTool || /^(?:Todo list |Current todo list:)/.test(String(content))
      return [{ type: "result", callId, ok, ...known({ result: textOf(content) }) }]
    }

    return jsonLines((line) => {
      if (line.role === "meta") return readMeta(line)
      if (line.role === "tool") return answered(line)
      if (line.role !== "assistant") return []
      const words = message("main", line.content)
      return [
        ...(words.length > 0 ? [activity("main", "text"), ...words] : []),
        ...objectsOf(line.tool_calls).flatMap(called),
      ]
    })
  },
} satisfies Stream

/** Arguments are JSON in a string. */
const inputOf = (given: unknown): unknown => (typeof given === "string" ? parseJson(given) : given)

const readMeta = ({ type, version, session_id }: Fields): Signal[] => {
  // Printed when a prompt was accepted; the prompt itself is not in the stream.
  if (type === "system.version")
    return [{ type: "session", ...known({ version: textOf(version) }) }, activity("main", "prompt")]
  // The last line says how to resume the session.
  if (type !== "session.resume_hint") return []
  return [{ type: "session", ...known({ session: textOf(session_id) }) }, activity("main", "turn-ended")]
}
