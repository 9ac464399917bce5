/** Grok's `grok --single … --output-format streaming-json`: one update per line, without times. */
import {
  activity,
  type Fields,
  failedTurn,
  interrupted,
  jsonLines,
  known,
  listOf,
  message,
  textOf,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { createCalls } from "./_calls.ts"

export const grokJson = {
  id: "grok-json",
  agentType: "grok",
  title: "grok --output-format streaming-json",
  printedBy: { command: "grok", words: [["--single", "-p"], ["--output-format streaming-json"]] },
  recognises: ({ type, tools, toolCallId, stopReason, sessionId, entries }) => {
    if (type === "available_commands") return Array.isArray(tools)
    if (type === "tool_call" || type === "tool_call_update") return typeof toolCallId === "string"
    if (type === "plan") return Array.isArray(entries)
    return type === "end" && typeof stopReason === "string" && typeof sessionId === "string"
  },
  // Calls and their updates, the list of tools, and the session, which is named last. Its plan updates are not used,
  // because
  // they mark all todos completed when a turn ends.
  needles: ["toolCa", "le_comm", 'e":"end"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const calls = createCalls([], wants)
    let hasBegun = false
    return jsonLines((line) => {
      const { type } = line
      if (type === "available_commands") {
        if (hasBegun) return []
        hasBegun = true
        // Printed when a prompt was accepted; the prompt itself is not in the stream.
        return [{ type: "session", tools: listOf(line.tools).flatMap((name) => textOf(name) ?? []) }, prompted]
      }
      if (type === "tool_call") return calls.read(line, textOf(line.toolName) ?? textOf(line.title) ?? "")
      if (type === "tool_call_update") return calls.read(line, undefined)
      if (type === "text") return [activity("main", "text"), ...message("main", line.data, true)]
      if (type === "thought") return [activity("main", "text")]
      if (type === "error") return [failedTurn("main", line.message ?? line.data)]
      return type === "end" ? ended(line) : []
    })
  },
} satisfies Stream

const prompted = activity("main", "prompt")

const ended = ({ sessionId, stopReason }: Fields): Signal[] => {
  const session: Signal = { type: "session", ...known({ session: textOf(sessionId) }) }
  if (stopReason === "end_turn") return [session, activity("main", "turn-ended")]
  return [session, failedTurn("main", stopReason === "cancelled" ? interrupted : stopReason)]
}
