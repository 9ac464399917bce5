/** The Agent Client Protocol between an editor and an agent: `session/update` with the plan, in its envelope or bare. */
import { warning } from "../../plan/index.ts"
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  agentsBySession,
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
  objectsOf,
  seenCall,
  snapshot,
  textOf,
  waits,
  worked,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { wordsOf } from "../blocks.ts"
import { isGrokUpdate } from "../grok/update-lines.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"
import { withText } from "../questions.ts"
import { sqlTodos } from "../sql-todos.ts"
import { createAcpWork } from "./_work.ts"

export const acp = {
  id: "acp",
  agentType: "acp",
  title: "Agent Client Protocol",
  recognises: (line) =>
    !isGrokUpdate(line) &&
    ((typeof line.method === "string" && /^(?:session|cursor)\//.test(line.method)) ||
      typeof updateIn(line)?.sessionUpdate === "string"),
  titleNeedles: ["n_info_u"],
  // Updates of the kind `plan`, Cursor's `update_todos`, calls of our own tool, tables of todos, the ends of all calls,
  // and
  // the `cwd` with which a session is opened.
  needles: [':"plan', "e_todo", "headway", " todo", "l_upda", '"todowr', 'wd":"'],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const state: State = {
      agentOf: agentsBySession(),
      sessions: new Set(),
      plans: new Map(),
      own: new Map(),
      told: new Set(),
      prompts: new Map(),
      work: createAcpWork(wants?.work === true),
    }
    return jsonLines((line) => readMessage(line, state))
  },
} satisfies Stream

type State = {
  agentOf: ReturnType<typeof agentsBySession>
  sessions: Set<string>
  /** In the draft of the protocol, a session may have several plans: the latest state of each, by agent and plan id. */
  plans: Map<string, Map<string, Fields>>
  /** Calls of list tools, by id, because later updates may omit the tool. */
  own: Map<string, OwnTool>
  /** The agents whose list is derived from their calls. */
  told: Set<string>
  /** The agents with an unanswered prompt, by request id. The response ends the turn. */
  prompts: Map<unknown, string>
  work: ReturnType<typeof createAcpWork>
}

/** The most unanswered prompts remembered. */
const mostPrompts = 1_000

/** The update in a line, which may be the whole message, its parameters or the update itself. */
const updateIn = (line: Fields): Fields | undefined => {
  if (typeof line.sessionUpdate === "string") return line
  const params = isRecord(line.params) ? line.params : line
  return isRecord(params.update) ? params.update : undefined
}

const readMessage = (line: Fields, state: State): Signal[] => {
  const params = isRecord(line.params) ? line.params : line
  const answer = fieldsOf(line.result)
  const session = textOf(params.sessionId) ?? textOf(answer.sessionId)
  const signals = session === undefined ? [] : newSession(session, params, state)
  const agent = state.agentOf(session)
  const update = updateIn(line)
  if (update) return [...signals, ...readUpdate(update, agent, session, state)]
  const { method } = line
  if (method === "session/new") return [...signals, { type: "session", ...known({ project: textOf(params.cwd) }) }]
  if (method === "session/prompt") {
    if (state.prompts.size >= mostPrompts) state.prompts.clear()
    state.prompts.set(line.id, agent)
    return [...signals, ...asked(agent, wordsOf(params.prompt)), activity(agent, "prompt")]
  }
  if (method === "session/request_permission") {
    const { title } = fieldsOf(params.toolCall)
    return [...signals, waits(agent, withText("permission", textOf(title) ?? ""))]
  }
  if (method === "cursor/update_todos") return [...signals, ...readCursor(params, agent, session)]
  return method === undefined ? [...signals, ...readAnswer(line, agent, state)] : signals
}

/**
 * Reads the response to a prompt, or an error. A recording of only the agent's output has responses without requests.
 */
const readAnswer = (line: Fields, agent: string, { prompts }: State): Signal[] => {
  const { stopReason } = fieldsOf(line.result)
  const asked = prompts.get(line.id)
  if (typeof stopReason !== "string" && !(isRecord(line.error) && asked !== undefined)) return []
  prompts.delete(line.id)
  const whose = asked ?? agent
  if (typeof stopReason !== "string") return [failedTurn(whose, fieldsOf(line.error).message)]
  if (stopReason === "cancelled") return [failedTurn(whose, interrupted)]
  return [stopReason === "end_turn" ? activity(whose, "turn-ended") : failedTurn(whose, stopReason)]
}

const newSession = (session: string, { cwd }: Fields, state: State): Signal[] => {
  if (state.sessions.has(session)) return []
  state.sessions.add(session)
  const agent = state.agentOf(session)
  return [{ type: "session", session, ...(agent === "main" ? {} : { agent }), ...known({ project: textOf(cwd) }) }]
}

const readUpdate = (update: Fields, agent: string, session: string | undefined, state: State): Signal[] => {
  const kind = update.sessionUpdate
  // The calls are more reliable: agents with a table send an empty plan, and Grok completes every todo when a turn
  // ends.
  if (kind === "plan" && state.told.has(agent)) return []
  if (kind === "plan") return [planSignal(update, agent, session)]
  if (kind === "plan_update" || kind === "plan_removed") return readDraft(update, agent, session, state)
  const own = kind === "tool_call" || kind === "tool_call_update" ? ownCall(update, agent, session, state) : undefined
  if (own) return own
  if (kind === "tool_call")
    return [...worked(agent, { tool: textOf(update.title) ?? update.kind }), ...state.work.read(update, agent)]
  if (kind === "tool_call_update") return state.work.read(update, agent)
  if (kind === "session_info_update") {
    const title = nameIn(update.title)
    return title === undefined ? [] : [{ type: "session", agent, title }]
  }
  if (kind === "user_message_chunk") return [...asked(agent, fieldsOf(update.content).text), activity(agent, "prompt")]
  if (kind === "agent_thought_chunk") return [activity(agent, "text")]
  if (kind !== "agent_message_chunk") return []
  return [activity(agent, "text"), ...message(agent, fieldsOf(update.content).text, true)]
}

/**
 * A call of a list tool: ours (recognised by its title), one that changes a table of todos, Grok's, or opencode's. Its
 * input may come with a later update, and its reply as data or as text.
 */
const ownCall = (update: Fields, agent: string, session: string | undefined, state: State): Signal[] | undefined => {
  const callId = textOf(update.toolCallId)
  const native = sqlTodos(update.rawInput) ?? grokTodos(update) ?? opencodeTodos(update)
  if (native) state.told.add(agent)
  const list = ownTool(update.title) ?? native ?? state.own.get(callId ?? "")
  if (!list || callId === undefined) return undefined
  state.own.set(callId, list)
  const { rawInput: input, rawOutput, content, status } = update
  const isCall = isRecord(input) && Object.keys(input).length > 0
  const call = isCall ? [seenCall(agent, list.dialect, { tool: list.tool, input, callId, session })] : []
  if (status !== "completed" && status !== "failed") return call
  state.own.delete(callId)
  const texts = objectsOf(content).flatMap((part) => textOf(fieldsOf(part.content).text) ?? [])
  const result = rawOutput ?? (texts.length > 0 ? texts.join("\n") : undefined)
  return [...call, { type: "result", callId, ok: status === "completed", ...known({ result }) }]
}

const planSignal = (input: Fields, agent: string, session: string | undefined): Signal =>
  snapshot(agent, "acp", { tool: "session/update", input: withCancelled(input), session })

/** The protocol has no status for a cancelled todo. Grok marks it completed and adds a note that it is not. */
const withCancelled = (input: Fields): Fields => {
  const isCancelled = (entry: Fields): boolean => fieldsOf(entry._meta).cancelled === true
  const entries = listOf(input.entries)
  if (!objectsOf(entries).some(isCancelled)) return input
  const marked = entries.map((entry) =>
    isRecord(entry) && isCancelled(entry) ? { ...entry, status: "cancelled" } : entry,
  )
  return { ...input, entries: marked }
}

/** opencode reports no plan, only calls of its tool. Their input comes in a later update with another title. */
const opencodeTodos = ({ title, sessionUpdate }: Fields): OwnTool | undefined =>
  sessionUpdate === "tool_call" && title === "todowrite" ? { dialect: "opencode", tool: "todowrite" } : undefined

/** Recognises Grok's list tool by its data, because the title may be a text for the person. */
const grokTodos = ({ _meta }: Fields): OwnTool | undefined =>
  fieldsOf(fieldsOf(_meta)["x.ai/tool"]).name === "todo_write" ? { dialect: "cursor", tool: "todo_write" } : undefined

/** Several plans of one agent become one list, in order of appearance. */
const readDraft = (update: Fields, agent: string, session: string | undefined, state: State): Signal[] => {
  const plan = fieldsOf(update.plan)
  const id = textOf(plan.planId) ?? textOf(plan.id) ?? textOf(update.planId) ?? textOf(update.id) ?? ""
  const plans = state.plans.get(agent) ?? new Map<string, Fields>()
  state.plans.set(agent, plans)
  if (plan.type === "file") return [inFile]
  if (update.sessionUpdate === "plan_removed") plans.delete(id)
  else plans.set(id, update)
  const [only, ...others] = plans.values()
  if (only && others.length === 0) return [planSignal(only, agent, session)]
  const entries = [...plans.values()].flatMap((one) => listOf(fieldsOf(one.plan).entries))
  return [planSignal({ sessionUpdate: "plan", entries }, agent, session)]
}

const inFile: Signal = {
  type: "problem",
  problem: warning("plan-in-file", "The agent keeps its plan in a file; the stream only names it."),
}

/** Reads Cursor's own method: a whole list or, with `merge`, a part of one. */
const readCursor = (params: Fields, agent: string, session: string | undefined): Signal[] => {
  const callId = textOf(params.toolCallId)
  const input = { merge: params.merge === true, todos: params.todos }
  const call = { tool: "todo_write", input, session }
  return [callId === undefined ? snapshot(agent, "cursor", call) : seenCall(agent, "cursor", { ...call, callId })]
}
