/** Cline's `--json`: its agents' activity, and every change of a team's task. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  message,
  seenCall,
  textOf,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { ownTool, ownToolNeedles } from "../own-tool.ts"
import { type TeamTask, tasksSnapshot, teamTool } from "./_tasks.ts"
import { createClineWork } from "./_work.ts"

const kinds = ["agent_event", "team_event"]

export const clineStream = {
  id: "cline-stream",
  agentType: "cline",
  title: "cline --json",
  printedBy: { command: "cline", words: [["--json"]] },
  recognises: ({ ts, type, event, hookEventName }) =>
    typeof ts === "string" &&
    ((kinds.includes(String(type)) && isRecord(event)) || (type === "hook_event" && typeof hookEventName === "string")),
  // Changes of tasks, and calls of our own tool with their results.
  needles: ["ask_upd", ownToolNeedles.claude],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const work = createClineWork(wants?.work === true)
    const state: State = { session: undefined, tasks: new Map(), isOver: false, work }
    return jsonLines((line) => readLine(line, state))
  },
} satisfies Stream

/** `isOver` means that the end of the turn was reported. */
type State = {
  session: string | undefined
  tasks: Map<string, TeamTask>
  isOver: boolean
  work: ReturnType<typeof createClineWork>
}

const readLine = (line: Fields, state: State): Signal[] => {
  const at = line.ts
  const event = fieldsOf(line.event)
  if (line.type === "team_event") return readTask(event, at, state)
  if (line.type === "agent_event") return readEvent(event, at, state)
  if (line.type === "hook_event") return line.hookEventName === "agent_start" ? begin(line, at, state) : []
  if (line.type === "run_aborted") return end(state, failedTurn("main", interrupted, { at }))
  return line.type === "error" ? message("main", line.message) : []
}

/** The main agent is the only one without a parent. */
const begin = ({ parentAgentId }: Fields, at: unknown, state: State): Signal[] => {
  if (textOf(parentAgentId) !== undefined) return []
  state.isOver = false
  return [activity("main", "prompt", { at })]
}

const end = (state: State, ...signals: Signal[]): Signal[] => {
  if (state.isOver) return []
  state.isOver = true
  return signals
}

/** A task is reported with all its fields. The lead, which creates the first one, is identified by its session. */
const readTask = ({ type, task }: Fields, at: unknown, state: State): Signal[] => {
  if (type !== "team_task_updated") return []
  const fields = fieldsOf(task)
  const [id, title, session] = [textOf(fields.id), textOf(fields.title), textOf(fields.createdBy)]
  if (id === undefined || title === undefined) return []
  state.tasks.set(id, { ...fields, id, title })
  const isNew = state.session === undefined && session !== undefined
  if (isNew) state.session = session
  return [...(isNew ? [{ type: "session", session } satisfies Signal] : []), tasksSnapshot(state.tasks.values(), at)]
}

const readEvent = (event: Fields, at: unknown, state: State): Signal[] => {
  const isTool = event.contentType === "tool"
  if (event.type === "content_start" && isTool) return readCall(event, at, state)
  if (event.type === "content_end" && isTool) return readResult(event, at, state)
  if (event.type === "content_end" && event.contentType === "text")
    return [activity("main", "text", { at }), ...message("main", event.text)]
  if (event.type === "error") return message("main", textOf(event.error) ?? fieldsOf(event.error).message)
  if (event.type !== "done") return []
  if (event.reason === "aborted") return end(state, failedTurn("main", interrupted, { at }))
  const isFailed = event.reason !== undefined && event.reason !== "completed"
  return end(
    state,
    isFailed ? failedTurn("main", textOf(event.text) ?? event.reason, { at }) : activity("main", "turn-ended", { at }),
  )
}

const readCall = ({ toolName, toolCallId, input }: Fields, at: unknown, { session, work }: State): Signal[] => {
  const own = ownTool(toolName)
  const callId = textOf(toolCallId)
  if (own && callId !== undefined)
    return [seenCall("main", own.dialect, { tool: own.tool, input, callId, at, session })]
  if (toolName === teamTool) return []
  return [...worked("main", { tool: toolName, input, at }), ...work.began({ tool: toolName, callId, input, at })]
}

const readResult = (event: Fields, at: unknown, { work }: State): Signal[] => {
  const { toolName, toolCallId, output, error } = event
  const callId = textOf(toolCallId)
  if (toolName === teamTool || callId === undefined) return []
  if (!ownTool(toolName)) return work.ended(callId, output ?? error, Boolean(error), at)
  return [{ type: "result", callId, ok: !error, ...known({ result: output ?? undefined }) }]
}
