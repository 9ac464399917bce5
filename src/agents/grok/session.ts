/**
 * Grok's session files, `~/.grok/sessions/<folder>/<session>/updates.jsonl`: updates in the format of the Agent Client
 * Protocol.
 */
import {
  activity,
  asked,
  type Fields,
  failedTurn,
  fieldsOf,
  interrupted,
  jsonLines,
  known,
  nameIn,
  subAgentNamed,
  textOf,
} from "../../streams/line.ts"
import { createNews, type NewsSnapshot } from "../../streams/session-news.ts"
import type { Signal, Stream, StreamReader, Wants } from "../../streams/stream.ts"
import { ownReplyNeedles, ownToolNeedles } from "../own-tool.ts"
import { createCalls, type OpenCalls } from "./_calls.ts"
import { isGrokUpdate } from "./update-lines.ts"

export const grokSession = {
  id: "grok-session",
  agentType: "grok",
  title: "Grok session file",
  recognises: isGrokUpdate,
  // Calls have the tool's name, their results a kind or `failed`; the starts of sub-agents; the model in use. Plan
  // updates are
  // not used, because they mark all todos completed when a turn ends.
  needles: [...["todo_w", "TodosU", '"failed"', "nt_spaw", "modelId"], ownToolNeedles.claude, ...ownReplyNeedles],
  tellsWork: true,
  open: (from?: unknown, wants?: Wants) => openUpdates(from as Partial<SavedState> | undefined, wants),
} as const satisfies Stream

type SavedState = { open: OpenCalls; news: NewsSnapshot }

const openUpdates = (from: Partial<SavedState> = {}, wants?: Wants): StreamReader => {
  const calls = createCalls(from.open, wants)
  const newsAbout = createNews(from.news)

  const reader = jsonLines((line): Signal[] => {
    const { sessionId, update: told, _meta } = fieldsOf(line.params)
    const update = fieldsOf(told)
    const at = fieldsOf(_meta).agentTimestampMs ?? seconds(line.timestamp)
    const model = textOf(fieldsOf(update._meta).modelId)
    const news = newsAbout("main", { session: textOf(sessionId), model })
    return [...news, ...readUpdate(update, at)]
  })

  const readUpdate = (update: Fields, at: unknown): Signal[] => {
    switch (update.sessionUpdate) {
      case "tool_call":
        return calls.read(update, toolOf(update), at)
      case "tool_call_update":
        return calls.read(update, undefined, at)
      case "user_message_chunk":
        return isReminder(update) ? [] : [...asked("main", wordsIn(update)), activity("main", "prompt", { at })]
      case "agent_message_chunk":
      case "agent_thought_chunk":
        return [activity("main", "text", { at })]
      case "turn_completed":
        return [ending(update, at)]
      case "subagent_spawned":
        return spawned(update)
      case "subagent_finished":
        return finished(update, at)
      default:
        return []
    }
  }

  return { ...reader, snapshot: (): SavedState => ({ open: calls.open(), news: newsAbout.snapshot() }) }
}

const seconds = (value: unknown): number | undefined => (typeof value === "number" ? value * 1000 : undefined)

/** The tool of a call. The title may be a text for the person; a separate field names the tool. */
const toolOf = ({ title, _meta }: Fields): string =>
  textOf(fieldsOf(fieldsOf(_meta)["x.ai/tool"]).name) ?? textOf(title) ?? ""

/** Whether a user message is a text by the client, not by the person. */
const isReminder = (update: Fields): boolean => wordsIn(update).trimStart().startsWith("<system-reminder>")

const wordsIn = ({ content }: Fields): string => textOf(fieldsOf(content).text) ?? ""

const ending = ({ stop_reason: reason, agent_result: result }: Fields, at: unknown): Signal => {
  if (reason === "end_turn") return activity("main", "turn-ended", { at })
  return failedTurn("main", reason === "cancelled" ? interrupted : (textOf(result) ?? reason), { at })
}

const spawned = ({ subagent_id, tool_call_id, description, subagent_type }: Fields): Signal[] => {
  const id = textOf(subagent_id)
  if (id === undefined) return []
  const parent = { agent: "main", ...known({ callId: textOf(tool_call_id) }) }
  const order = known({ title: nameIn(description), role: nameIn(subagent_type) })
  return [{ type: "session", agent: subAgentNamed(id), parent, ...order }]
}

const finished = ({ subagent_id, status, error }: Fields, at: unknown): Signal[] => {
  const id = textOf(subagent_id)
  const reason = status === "completed" ? undefined : (textOf(error) ?? textOf(status))
  return id === undefined ? [] : [activity(subAgentNamed(id), "ended", { at, error: reason })]
}
