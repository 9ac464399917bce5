/** Copilot CLI's events: what `copilot --output-format json` prints, and `events.jsonl` of a session. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  listOf,
  message,
  seenCall,
  subAgentNamed,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, StreamReader } from "../../streams/stream.ts"
import { type OwnTool, ownTool, ownToolOf } from "../own-tool.ts"
import { sqlTodos } from "../sql-todos.ts"

export const copilotEvents = {
  id: "copilot-events",
  agentType: "github-copilot",
  title: "Copilot CLI events",
  printedBy: { command: "copilot", words: [["-p", "--prompt"], ["--output-format json"]] },
  recognises: ({ type, data, id, timestamp, exitCode, sessionId }) =>
    typeof type === "string" &&
    typeof timestamp === "string" &&
    (type.includes(".") || type === "abort"
      ? isRecord(data) && typeof id === "string"
      : type === "result" && typeof exitCode === "number" && typeof sessionId === "string"),
  // Calls of `sql` and of our tool, and the ends of all calls, which name no tool; sub-agents; the session where it
  // begins, goes on or is the result.
  needles: ['e":"sql"', "adway", "on_comp", "subagen", "on.star", "on.resu", '"exitCo'],
  open: (from?: unknown) => openEvents(from as Partial<SavedState> | undefined),
} as const satisfies Stream

type SavedState = { open: string[]; isLast: boolean }

const openEvents = (from: Partial<SavedState> = {}): StreamReader => {
  /** Calls of list tools that are not answered yet. */
  const open = new Set(from.open)
  /** The last message of the main agent calls no tool, so that the turn ends with it. */
  let isLast = from.isLast ?? false

  const called = (data: Fields, agent: string, at: unknown): Signal[] => {
    const { toolName, toolCallId, arguments: input } = data
    const list = listTool(data)
    const callId = textOf(toolCallId)
    if (!list) return worked(agent, { tool: toolName, input, at })
    if (callId === undefined) return []
    open.add(callId)
    // All agents of a session work on the rows of one table.
    return [seenCall(list.dialect === "copilot" ? "main" : agent, list.dialect, { tool: list.tool, input, callId, at })]
  }

  const answered = ({ toolCallId, success, result, error }: Fields): Signal[] => {
    const callId = textOf(toolCallId) ?? ""
    if (!open.delete(callId)) return []
    const said = textOf(fieldsOf(result).content) ?? textOf(fieldsOf(error).message)
    return [{ type: "result", callId, ok: success === true, ...known({ result: said }) }]
  }

  const spoken = ({ content, toolRequests }: Fields, agent: string, at: unknown): Signal[] => {
    if (agent === "main") isLast = listOf(toolRequests).length === 0
    const words = message(agent, content)
    return words.length > 0 ? [activity(agent, "text", { at }), ...words] : []
  }

  const reader = jsonLines((line) => {
    const { type, timestamp: at } = line
    const data = fieldsOf(line.data)
    const agent = agentOf(line)
    if (type === "tool.execution_start") return called(data, agent, at)
    if (type === "tool.execution_complete") return answered(data)
    if (type === "assistant.message") return spoken(data, agent, at)
    if (type === "assistant.turn_end") return isLast && agent === "main" ? [activity("main", "turn-ended", { at })] : []
    return readOther(line, data, agent)
  })
  return { ...reader, snapshot: (): SavedState => ({ open: [...open], isLast }) }
}

const agentOf = ({ agentId }: Fields): string => {
  const id = textOf(agentId)
  return id === undefined ? "main" : subAgentNamed(id)
}

const readOther = (line: Fields, data: Fields, agent: string): Signal[] => {
  const { type, timestamp: at } = line
  switch (type) {
    case "session.start":
    case "session.resume":
      return [sessionOf(data)]
    case "user.message":
      return [activity(agent, "prompt", { at })]
    case "permission.requested":
    case "user_input.requested":
    case "elicitation.requested":
    case "exit_plan_mode.requested":
      return data.resolvedByHook === true ? [] : [activity(agent, "waiting", { at })]
    case "session.error":
      return [failedTurn(agent, data.message, { at })]
    case "abort":
      return [failedTurn(agent, interrupted, { at })]
    case "subagent.started":
      return agent === "main" ? [] : [childOf(data, agent), activity(agent, "prompt", { at })]
    case "subagent.completed":
    case "subagent.failed":
      return agent === "main" ? [] : [activity(agent, "ended", { at, error: textOf(data.error) })]
    case "session.shutdown":
      return [activity("main", "ended", { at })]
    // Only printed: the session that was run, at its end.
    case "result":
      return [{ type: "session", ...known({ session: textOf(line.sessionId) }) }]
    default:
      return []
  }
}

const sessionOf = ({ sessionId, copilotVersion, selectedModel, context }: Fields): Signal => ({
  type: "session",
  ...known({
    session: textOf(sessionId),
    project: textOf(fieldsOf(context).cwd),
    version: textOf(copilotVersion),
    model: textOf(selectedModel),
  }),
})

const childOf = ({ toolCallId, parentId }: Fields, agent: string): Signal => {
  const parent = textOf(parentId)
  return {
    type: "session",
    agent,
    parent: { agent: parent === undefined ? "main" : subAgentNamed(parent), ...known({ callId: textOf(toolCallId) }) },
  }
}

const listTool = ({ toolName, arguments: input, mcpServerName, mcpToolName }: Fields): OwnTool | undefined =>
  toolName === "sql" ? sqlTodos(input) : (ownToolOf(mcpServerName, mcpToolName) ?? ownTool(toolName))
