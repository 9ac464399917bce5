/** Qwen Code's session files, `~/.qwen/projects/<slug>/chats/<session>.jsonl`. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  activity,
  asked,
  type Fields,
  fieldsOf,
  gistOf,
  jsonLines,
  nameIn,
  objectsOf,
  seenCall,
  subAgentNamed,
  textOf,
} from "../../streams/line.ts"
import { createOpenCalls } from "../../streams/open-calls.ts"
import { createSeenCalls, type SeenId } from "../../streams/seen-calls.ts"
import { createNews, type NewsSnapshot } from "../../streams/session-news.ts"
import type { Signal, Stream, StreamReader, Wants } from "../../streams/stream.ts"
import { createWork } from "../../streams/work.ts"
import { orderOf } from "../blocks.ts"
import { commonTools } from "../common-tools.ts"
import { type OwnTool, ownTool, ownToolNeedles } from "../own-tool.ts"
import { questionByCall } from "../questions.ts"
import { askingTools } from "./_asking-tools.ts"
import { qwenBackground, qwenResult } from "./_work.ts"

export const qwenChat = {
  id: "qwen-chat",
  agentType: "qwen-code",
  title: "Qwen Code session file",
  recognises: (line) =>
    typeof line.sessionId === "string" &&
    line.parentUuid !== undefined &&
    line.isSidechain === undefined &&
    (typeof line.provenance === "string" || Array.isArray(fieldsOf(line.message).parts)),
  // Calls and results both name the tool, even those of sub-agents. The first line, with `"parentUuid":null`, has the
  // folder
  // and the version. Calls that start sub-agents show when the sub-agents end.
  needles: ["_write", 'uid":n', ownToolNeedles.claude, 'e":"agent"'],
  // One file has the lists of several agents, so the last list alone is not enough.
  quickNeedles: () => ({ all: [ownToolNeedles.claude, "_write", 'e":"agent"'], last: [] }),
  titleNeedles: ["om_title"],
  tellsWork: true,
  open: (from?: unknown, wants?: Wants) => openChat(from as Partial<SavedState> | undefined, wants),
} as const satisfies Stream

type SavedState = {
  made: SeenId[]
  news: NewsSnapshot
  started: string[]
  working: string[]
  orders: [string, ReturnType<typeof orderOf>][]
}

/** The most calls remembered that may still get a result, or be repeated. */
const remembered = 50

const openChat = (from: Partial<SavedState> = {}, wants?: Wants): StreamReader => {
  const newsAbout = createNews(from.news)
  const made = createSeenCalls(from.made)
  const open = createOpenCalls()
  const work = createWork(wants?.work ? commonTools : undefined)
  /** Open calls that have started sub-agents. */
  const started = new Set(from.started)
  /** Sub-agents seen at work since the last time no such call was open. */
  const working = new Set(from.working)
  const orders = new Map<string, ReturnType<typeof orderOf>>(from.orders)
  /**
   * The task of a sub-agent of this kind. No line connects a sub-agent with its call, so this is only used if one call
   * is open.
   */
  const orderFor = (role: string): string | undefined => [...orders.values()].find((one) => one.role === role)?.title

  const called = ({ id, name, args }: Fields, at: unknown): Signal[] => {
    const given = textOf(name) ?? ""
    const list = listTool(given)
    const callId = textOf(id)
    if (given === agentTool && callId !== undefined) {
      started.add(callId)
      orders.set(callId, orderOf(args))
    }
    const asks = questionByCall(askingTools, given, args)
    const asking = callId === undefined ? [] : open.made("main", callId, { at, asks })
    if (!list) {
      const began = work.began("main", { callId, tool: given, input: args, at })
      return [activity("main", "tool", { tool: given, on: gistOf(args), at }), ...began, ...asking]
    }
    if (callId === undefined || !made.isNew(callId, args)) return []
    return [seenCall("main", list.dialect, { tool: list.tool, input: args, callId, at })]
  }

  const assistant = (parts: Fields[], at: unknown): Signal[] => {
    const signals = parts.flatMap(({ text, thought, functionCall }): Signal[] => {
      if (isRecord(functionCall)) return called(functionCall, at)
      return textOf(text) && thought !== true ? [activity("main", "text", { at })] : []
    })
    // The model continues after a message that calls tools.
    const isLast = parts.length > 0 && !parts.some(({ functionCall }) => isRecord(functionCall))
    return isLast ? [...signals, activity("main", "turn-ended", { at })] : signals
  }

  const ended = (callId: string, text: string, status: unknown, at: unknown): Signal[] => {
    const isRunning = qwenBackground(text) !== undefined
    return work.ended("main", callId, isRunning ? { isRunning } : qwenResult(text, { status }), at)
  }

  const answered = (parts: Fields[], outcome: Fields, at: unknown): Signal[] =>
    parts.flatMap(({ functionResponse }): Signal[] => {
      const { id, response } = fieldsOf(functionResponse)
      const callId = textOf(id) ?? ""
      const { error, output } = fieldsOf(response)
      const { status, resultDisplay } = outcome.callId === callId ? outcome : {}
      if (!made.has(callId)) {
        const text = textOf(error) ?? textOf(output) ?? ""
        return [
          ...ended(callId, text, status ?? (error === undefined ? "success" : "error"), at),
          ...open.answered("main", callId, { at }),
        ]
      }
      open.settled(callId)
      const ok = status === undefined ? error === undefined : status === "success"
      const result = isRecord(resultDisplay) ? resultDisplay : (error ?? output)
      return [{ type: "result", callId, ok, result }]
    })

  /** No line reports the end of a sub-agent. All have ended when every call that started one has a result. */
  const returned = (parts: Fields[], at: unknown): Signal[] => {
    for (const { functionResponse } of parts) {
      const callId = textOf(fieldsOf(functionResponse).id) ?? ""
      started.delete(callId)
      orders.delete(callId)
    }
    if (started.size > 0) return []
    const ended = [...working].map((agent) => activity(agent, "ended", { at }))
    working.clear()
    return ended
  }

  /** Reads the client's telemetry events, the only record of sub-agents' work. */
  const told = (event: Fields, line: Fields): Signal[] => {
    const id = /^[^#]*#(?<agent>[^#]+)#\d+$/.exec(textOf(event.prompt_id) ?? "")?.groups?.agent
    if (id === undefined)
      return event["event.name"] === apiError
        ? [activity("main", "prompt", { at: line.timestamp, error: reasonIn(event) })]
        : []
    const agent = subAgentNamed(id)
    working.add(agent)
    const at = line.timestamp
    const role = nameIn(event.subagent_name) ?? id.replace(/-[a-z\d]{6}$/, "")
    const about = { session: textOf(line.sessionId), role, title: orders.size === 1 ? orderFor(role) : undefined }
    const [callId] = started.size === 1 ? started : []
    const news = newsAbout(agent, about, { agent: "main", ...(callId === undefined ? {} : { callId }) })
    if (event["event.name"] !== "qwen-code.tool_call") return [...news, activity(agent, "text", { at })]
    const tool = textOf(event.function_name) ?? ""
    const [list, ownId] = [listTool(tool), textOf(line.uuid)]
    if (!list || ownId === undefined)
      return [...news, activity(agent, "tool", { tool, at }), ...workTold(event, agent, ownId, at)]
    const ok = event.status === undefined ? event.success !== false : event.status === "success"
    const call = seenCall(agent, list.dialect, { tool: list.tool, input: event.function_args, callId: ownId, at })
    return [...news, call, { type: "result", callId: ownId, ok }]
  }

  /** A sub-agent's command. Its output is not recorded, only an error. */
  const workTold = (event: Fields, agent: string, callId: string | undefined, at: unknown): Signal[] => {
    const tool = textOf(event.function_name) ?? ""
    if (callId === undefined) return []
    const result = qwenResult(textOf(event.error) ?? "", {
      status: event.status ?? (event.success === false ? "error" : "success"),
    })
    return [
      ...work.began(agent, { callId, tool, input: event.function_args, at }),
      ...work.ended(agent, callId, result, at),
    ]
  }

  const reader = jsonLines((line) => {
    const { message, timestamp: at } = line
    if (line.subtype === "ui_telemetry") return told(fieldsOf(fieldsOf(line.systemPayload).uiEvent), line)
    const parts = objectsOf(fieldsOf(message).parts)
    const news: Signal[] = newsAbout("main", {
      session: textOf(line.sessionId),
      project: textOf(line.cwd),
      version: textOf(line.version),
      model: textOf(line.model),
    })
    if (line.type === "assistant") return [...news, ...assistant(parts, at)]
    if (line.type === "tool_result")
      return [...news, ...answered(parts, fieldsOf(line.toolCallResult), at), ...returned(parts, at)]
    if (line.subtype === "custom_title") {
      const title = nameIn(fieldsOf(line.systemPayload).customTitle)
      return [...news, ...newsAbout("main", { title })]
    }
    const isPrompt = line.type === "user" && (line.provenance ?? "real_user") === "real_user" && parts.length > 0
    if (!isPrompt) return news
    open.forget("main")
    const words = parts.flatMap(({ text }) => textOf(text) ?? []).join("\n")
    return [...news, ...asked("main", words), activity("main", "prompt", { at })]
  })
  return {
    ...reader,
    snapshot: (): SavedState => ({
      made: made.last(remembered),
      news: newsAbout.snapshot(),
      started: [...started].slice(-remembered),
      working: [...working].slice(-remembered),
      orders: [...orders].slice(-remembered),
    }),
  }
}

/** The tool that starts a sub-agent. */
const agentTool = "agent"

/** The event of a failed request, which the client may retry. */
const apiError = "qwen-code.api_error"

const reasonIn = ({ error_message, error, error_type }: Fields): string =>
  textOf(error_message) ?? textOf(error) ?? textOf(error_type) ?? "A request to the model failed."

const listTool = (name: string): OwnTool | undefined =>
  name === "todo_write" ? { dialect: "qwen", tool: name } : ownTool(name)
