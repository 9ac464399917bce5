/** Copilot CLI's events: what `copilot --output-format json` prints, and `events.jsonl` of a session. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  listOf,
  message,
  nameIn,
  seenCall,
  subAgentNamed,
  textOf,
  waits,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, StreamReader, WaitsFor, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { commonTools } from "../common-tools.ts"
import { type OwnTool, ownTool, ownToolOf } from "../own-tool.ts"
import { type AskingTools, permissionFor, questionByCall, questionFrom } from "../questions.ts"
import { sqlTodos } from "../sql-todos.ts"
import { copilotResult } from "./_work.ts"

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
  // Calls of `sql` and of our tool, the ends of all calls, which name no tool, sub-agents, the calls that start them,
  // and the
  // beginning, continuation and result of the session.
  needles: ['e":"sql"', "adway", "on_comp", 'e":"task"', "subagen", "on.star", "on.resu", '"exitCo'],
  tellsWork: true,
  open: (from?: unknown, wants?: Wants) => openEvents(from as Partial<SavedState> | undefined, wants),
} as const satisfies Stream

/** The tools with which it asks the person. */
const askingTools: AskingTools = { ask_user: "question", exit_plan_mode: "plan" }

type SavedState = { open: string[]; isLast: boolean; orders: [callId: string, order: string][] }

const openEvents = (from: Partial<SavedState> = {}, wants?: Wants): StreamReader => {
  const work = createWork(wants?.work ? commonTools : undefined)
  /** Calls of list tools without a result. */
  const open = new Set(from.open)
  /** Whether the main agent's last message calls no tool, so that the turn ends with it. */
  let isLast = from.isLast ?? false
  /** The error that ended the last turn. A run for a single task is shut down right after it. */
  let failure: string | undefined
  /** The tasks of sub-agents, by the calls that start them. */
  const orders = new Map(from.orders)

  const called = (data: Fields, agent: string, at: unknown): Signal[] => {
    const { toolName, toolCallId, arguments: input } = data
    const list = listTool(data)
    const callId = textOf(toolCallId)
    if (!list) {
      const order = toolName === "task" ? nameIn(fieldsOf(input).description) : undefined
      if (callId !== undefined && order !== undefined) orders.set(callId, order)
      const asks = questionByCall(askingTools, textOf(toolName) ?? "", input)
      return [
        ...worked(agent, { tool: toolName, input, at }),
        ...work.began(agent, { callId, tool: textOf(toolName) ?? "", input, at }),
        ...(asks ? [waits(agent, asks, { at })] : []),
      ]
    }
    if (callId === undefined) return []
    open.add(callId)
    // All agents of a session share one table.
    return [seenCall(list.dialect === "copilot" ? "main" : agent, list.dialect, { tool: list.tool, input, callId, at })]
  }

  const answered = (data: Fields, agent: string, at: unknown): Signal[] => {
    const { toolCallId, success, result, error } = data
    const callId = textOf(toolCallId) ?? ""
    if (!open.delete(callId))
      return [
        activity(agent, "tool", { at, isResult: true }),
        ...(work.isWanted ? work.ended(agent, callId, copilotResult(data), at) : []),
      ]
    const text = textOf(fieldsOf(result).content) ?? textOf(fieldsOf(error).message)
    return [{ type: "result", callId, ok: success === true, ...known({ result: text }) }]
  }

  const prompted = (data: Fields, agent: string, at: unknown): Signal[] => {
    if (agent === "main") [isLast, failure] = [false, undefined]
    return [...typedIn(data, agent), activity(agent, "prompt", { at })]
  }

  const failed = (data: Fields, agent: string, at: unknown): Signal[] => {
    if (agent === "main") failure = textOf(data.message)
    return [failedTurn(agent, data.message, { at })]
  }

  const spoken = ({ content, toolRequests }: Fields, agent: string, at: unknown): Signal[] => {
    if (agent === "main") isLast = listOf(toolRequests).length === 0
    const words = message(agent, content)
    return words.length > 0 ? [activity(agent, "text", { at }), ...words] : []
  }

  const started = (data: Fields, agent: string, at: unknown): Signal[] => {
    if (agent === "main") return []
    const order = orders.get(textOf(data.toolCallId) ?? "") ?? nameIn(data.agentDescription)
    orders.delete(textOf(data.toolCallId) ?? "")
    return [childOf(data, agent, order), activity(agent, "prompt", { at })]
  }

  const reader = jsonLines((line) => {
    const { type, timestamp: at } = line
    const data = fieldsOf(line.data)
    const agent = agentOf(line)
    if (type === "tool.execution_start") return called(data, agent, at)
    if (type === "tool.execution_complete") return answered(data, agent, at)
    if (type === "subagent.started") return started(data, agent, at)
    if (type === "assistant.message") return spoken(data, agent, at)
    if (type === "assistant.turn_end") return isLast && agent === "main" ? [activity("main", "turn-ended", { at })] : []
    if (type === "user.message") return prompted(data, agent, at)
    if (type === "session.error") return failed(data, agent, at)
    if (type === "session.shutdown") return [activity("main", "ended", { at, error: failure })]
    return readOther(line, data, agent)
  })
  return { ...reader, snapshot: (): SavedState => ({ open: [...open], isLast, orders: [...orders] }) }
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
    // A sub-agent has no file, so its questions appear as the main agent's.
    case "permission.requested":
      return data.resolvedByHook === true ? [] : [waits("main", permissionIn(data), { at })]
    case "user_input.requested":
    case "elicitation.requested":
      return [waits("main", questionFrom(data), { at })]
    case "exit_plan_mode.requested":
      return [waits("main", questionByCall(askingTools, "exit_plan_mode", data), { at })]
    case "permission.completed":
      return [activity("main", "tool", { at })]
    case "abort":
      return [failedTurn(agent, interrupted, { at })]
    case "subagent.completed":
    case "subagent.failed":
      return agent === "main" ? [] : [activity(agent, "ended", { at, error: textOf(data.error) })]
    // Only in printed output: the session, at the end of the run.
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

const childOf = ({ toolCallId, parentId, agentName }: Fields, agent: string, title: string | undefined): Signal => {
  const parent = textOf(parentId)
  return {
    type: "session",
    agent,
    parent: { agent: parent === undefined ? "main" : subAgentNamed(parent), ...known({ callId: textOf(toolCallId) }) },
    ...known({ title, role: nameIn(agentName) }),
  }
}

/** What the person typed. Messages by agents and by the client have a source. */
const typedIn = ({ content, source }: Fields, agent: string): Signal[] =>
  agent === "main" && source === undefined ? asked("main", content) : []

const permissionIn = ({ permissionRequest }: Fields): WaitsFor => {
  const { kind, toolCallId: _, fullCommandText: command, toolName, ...others } = fieldsOf(permissionRequest)
  return permissionFor(textOf(toolName) ?? textOf(kind), command === undefined ? others : { command })
}

const listTool = ({ toolName, arguments: input, mcpServerName, mcpToolName }: Fields): OwnTool | undefined =>
  toolName === "sql" ? sqlTodos(input) : (ownToolOf(mcpServerName, mcpToolName) ?? ownTool(toolName))
