/** Codex's app server (`codex app-server`): JSON-RPC notifications about threads, turns, items and the plan. */
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
  nameIn,
  seenCall,
  snapshot,
  textOf,
  waits,
} from "../../streams/line.ts"
import type { Signal, Stream, Wants } from "../../streams/stream.ts"
import { wordsOf } from "../blocks.ts"
import { ownToolOf } from "../own-tool.ts"
import { permissionFor, questionFrom } from "../questions.ts"
import { itemSignals } from "./_work.ts"

const talk = ["agentMessage", "reasoning", "plan"]

export const codexAppServer = {
  id: "codex-app-server",
  agentType: "openai-codex",
  title: "Codex app server",
  recognises: ({ method, params, result }) =>
    typeof method === "string"
      ? /^(?:thread|turn|item)\//.test(method) && typeof params === "object"
      : typeof fieldsOf(fieldsOf(result).thread).id === "string",
  // `turn/plan/updated`, `thread/started` (and other starts, which are short), the response with a `thread`, and calls
  // of our
  // own tool.
  needles: ["/plan/", "/start", 'read":', '"headway"'],
  titleNeedles: ["d/name/u"],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) => {
    const agentOf = agentsBySession()
    return jsonLines(({ method, params, result }) => {
      const thread = fieldsOf(fieldsOf(method === "thread/started" ? params : result).thread)
      if (method === undefined || method === "thread/started") return readThread(thread, fieldsOf(result), agentOf)
      const fields = fieldsOf(params)
      const agent = agentOf(textOf(fields.threadId))
      if (typeof method !== "string") return []
      const work = wants?.work ? workIn(method, fieldsOf(fields.item), agent) : []
      return [...readNotification(method, fields, agent), ...work]
    })
  },
} satisfies Stream

const readThread = (thread: Fields, answer: Fields, agentOf: ReturnType<typeof agentsBySession>): Signal[] => {
  const session = textOf(thread.id)
  if (session === undefined) return []
  const agent = agentOf(session)
  const project = textOf(thread.cwd) ?? textOf(answer.cwd)
  const model = textOf(answer.model) ?? textOf(thread.model)
  const role = textOf(thread.agentNickname) ?? textOf(thread.agentRole)
  const about = known({ project, model, version: textOf(thread.cliVersion), title: nameIn(thread.name), role })
  return [{ type: "session", session, ...(agent === "main" ? {} : { agent }), ...about }]
}

/** Calls of our own tool are read as the list, not as work. */
const workIn = (method: string, item: Fields, agent: string): Signal[] =>
  /^item\/(?:started|completed)$/.test(method) && !(item.type === "mcpToolCall" && ownToolOf(item.server, item.tool))
    ? itemSignals(item, agent, method === "item/completed")
    : []

const turnEnd = ({ status, error }: Fields, agent: string): Signal => {
  if (status === "interrupted") return failedTurn(agent, interrupted)
  return status === "failed" ? failedTurn(agent, fieldsOf(error).message) : activity(agent, "turn-ended")
}

const readNotification = (method: string, params: Fields, agent: string): Signal[] => {
  if (method === "turn/plan/updated") {
    const input = known({ explanation: textOf(params.explanation), plan: params.plan })
    return [snapshot(agent, "codex", { tool: "update_plan", input, session: textOf(params.threadId) })]
  }
  if (method === "thread/name/updated") {
    const title = nameIn(params.threadName)
    return title === undefined ? [] : [{ type: "session", agent, title }]
  }
  if (method === "turn/started") return [activity(agent, "prompt")]
  if (method === "turn/completed") return [turnEnd(fieldsOf(params.turn), agent)]
  if (method === "thread/closed") return [activity(agent, "ended")]
  if (/\/requestApproval$/.test(method))
    return [waits(agent, permissionFor(undefined, { command: params.command, description: params.reason }))]
  if (/\/requestUserInput$/.test(method)) return [waits(agent, questionFrom(params))]
  if (method !== "item/started" && method !== "item/completed") return []
  const { type, tool, server, id, arguments: input, status, error, result } = fieldsOf(params.item)
  const own = type === "mcpToolCall" ? ownToolOf(server, tool) : undefined
  const callId = textOf(id)
  if (own && callId !== undefined) {
    const call = seenCall(agent, own.dialect, { tool: own.tool, input, callId, session: textOf(params.threadId) })
    const ok = status !== "failed" && !error
    return method === "item/started"
      ? [call]
      : [call, { type: "result", callId, ok, ...known({ result: result ?? undefined }) }]
  }
  if (method !== "item/started") return []
  if (type === "userMessage") return asked(agent, wordsOf(fieldsOf(params.item).content))
  if (talk.includes(String(type))) return [activity(agent, "text")]
  return [activity(agent, "tool", { tool: textOf(tool) ?? type })]
}
