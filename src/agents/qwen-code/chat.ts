/** Qwen Code's session files, `~/.qwen/projects/<slug>/chats/<session>.jsonl`. */
import { isRecord } from "../../plan/log/shape.ts"
import { activity, type Fields, fieldsOf, jsonLines, objectsOf, seenCall, textOf } from "../../streams/line.ts"
import { createSeenCalls, type SeenId } from "../../streams/seen-calls.ts"
import { createNews, type NewsSnapshot } from "../../streams/session-news.ts"
import type { Signal, Stream, StreamReader } from "../../streams/stream.ts"
import { ownTool, ownToolNeedles } from "../own-tool.ts"

const listTool = "todo_write"

export const qwenChat = {
  id: "qwen-chat",
  agentType: "qwen-code",
  title: "Qwen Code session file",
  recognises: (line) =>
    typeof line.sessionId === "string" &&
    line.parentUuid !== undefined &&
    line.isSidechain === undefined &&
    (typeof line.provenance === "string" || Array.isArray(fieldsOf(line.message).parts)),
  // Calls and results both name the tool; the first line, with `"parentUuid":null`, says where and which version.
  needles: ["todo_w", 'uid":n', ownToolNeedles.claude],
  quickNeedles: () => ({ all: [ownToolNeedles.claude], last: ["todo_w"] }),
  open: (from?: unknown) => openChat(from as Partial<SavedState> | undefined),
} as const satisfies Stream

type SavedState = { made: SeenId[]; news: NewsSnapshot }

/** Calls that may still be answered, or be said again. */
const remembered = 50

const openChat = (from: Partial<SavedState> = {}): StreamReader => {
  const newsAbout = createNews(from.news)
  const made = createSeenCalls(from.made)

  const called = ({ id, name, args }: Fields, at: unknown): Signal[] => {
    const given = textOf(name) ?? ""
    const list = given === listTool ? { dialect: "qwen", tool: listTool } : ownTool(given)
    if (!list) return [activity("main", "tool", { tool: given, at })]
    const callId = textOf(id)
    if (callId === undefined || !made.isNew(callId, args)) return []
    return [seenCall("main", list.dialect, { tool: list.tool, input: args, callId, at })]
  }

  const assistant = (parts: Fields[], at: unknown): Signal[] => {
    const signals = parts.flatMap(({ text, thought, functionCall }): Signal[] => {
      if (isRecord(functionCall)) return called(functionCall, at)
      return textOf(text) && thought !== true ? [activity("main", "text", { at })] : []
    })
    // The model goes on as long as it calls tools.
    const isLast = parts.length > 0 && !parts.some(({ functionCall }) => isRecord(functionCall))
    return isLast ? [...signals, activity("main", "turn-ended", { at })] : signals
  }

  const answered = (parts: Fields[], outcome: Fields): Signal[] =>
    parts.flatMap(({ functionResponse }): Signal[] => {
      const { id, response } = fieldsOf(functionResponse)
      const callId = textOf(id) ?? ""
      if (!made.has(callId)) return []
      const { error, output } = fieldsOf(response)
      const { status, resultDisplay } = outcome.callId === callId ? outcome : {}
      const ok = status === undefined ? error === undefined : status === "success"
      return [{ type: "result", callId, ok, result: isRecord(resultDisplay) ? resultDisplay : (error ?? output) }]
    })

  const reader = jsonLines((line) => {
    const { message, timestamp: at } = line
    const parts = objectsOf(fieldsOf(message).parts)
    const news: Signal[] = newsAbout("main", {
      session: textOf(line.sessionId),
      project: textOf(line.cwd),
      version: textOf(line.version),
      model: textOf(line.model),
    })
    if (line.type === "assistant") return [...news, ...assistant(parts, at)]
    if (line.type === "tool_result") return [...news, ...answered(parts, fieldsOf(line.toolCallResult))]
    const isPrompt = line.type === "user" && (line.provenance ?? "real_user") === "real_user" && parts.length > 0
    return isPrompt ? [...news, activity("main", "prompt", { at })] : news
  })
  return { ...reader, snapshot: (): SavedState => ({ made: made.last(remembered), news: newsAbout.snapshot() }) }
}
