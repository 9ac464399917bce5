/** The conversation as a log that can be saved, restored and shortened, and the messages for a model. */
import {
  type AssistantModelMessage,
  assistantModelMessageSchema,
  type ModelMessage,
  type ToolModelMessage,
  toolModelMessageSchema,
} from "ai"
import type { Attachment, TurnMessage } from "../guidance/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import type { Usage } from "./event.ts"

/** One line of a transcript. */
export type Spoken =
  | { type: "user"; text: string }
  | { type: "assistant"; message: AssistantModelMessage; usage?: Usage }
  | { type: "results"; message: ToolModelMessage }
  /** A text by Headway in the user's role, which the person does not see. */
  | { type: "reminder"; attachment: Attachment; text: string }
  /** The same kind of text, which sends the model back to work. */
  | { type: "push"; text: string }
  /** A summary replaces everything before this. The person's last request is kept in their words. */
  | { type: "compaction"; summary: string; request?: string }
  /** Plan mode was entered or left. Not sent to the model. */
  | { type: "mode"; isPlanMode: boolean }

/** The storage of a transcript. */
export interface Transcript {
  /** Returns all stored lines. Unreadable ones may be left out. */
  load(): Promise<readonly unknown[]>
  append(spoken: Spoken): Promise<void>
  /** Returns the storage of a sub-agent's transcript. @default sub-agents' transcripts are not stored */
  child?(agent: string): Transcript
}

export const createMemoryTranscript = (kept: readonly Spoken[] = []): Transcript & { spoken: Spoken[] } => {
  const spoken = [...kept]
  return {
    spoken,
    load: async () => [...spoken],
    append: async (one) => void spoken.push(one),
  }
}

/** The lines of a stored transcript. Lines in another form are left out. */
export const readSpoken = (lines: readonly unknown[]): Spoken[] => lines.filter(isSpoken)

/**
 * The messages for a model. Even if lines were lost, the first message is the user's, and every call has exactly one
 * result. A call whose result was lost with the process gets a result that says so.
 */
export const messagesOf = (spoken: readonly Spoken[]): ModelMessage[] => {
  const messages: ModelMessage[] = []
  let open = new Map<string, string>()
  const close = (): void => {
    const lost = [...open].map(([toolCallId, toolName]) => ({ toolCallId, toolName, text: lostResult, isError: true }))
    if (lost.length > 0) addResults(messages, resultsOf(lost))
    open = new Map()
  }
  for (const one of spoken) {
    if (one.type === "mode") continue
    if (one.type === "results") {
      addResults(messages, answering(one.message, open))
      continue
    }
    close()
    if (one.type === "compaction") messages.splice(0)
    if (one.type === "assistant") {
      const { message } = one
      if (message.content.length === 0) continue
      if (messages.length === 0) messages.push({ role: "user", content: lostBeginning })
      messages.push(message)
      open = new Map(callsIn(message).map(({ toolCallId, toolName }) => [toolCallId, toolName]))
    } else messages.push({ role: "user", content: one.type === "compaction" ? summaryText(one) : one.text })
  }
  close()
  return messages
}

/** The results that belong to an open call. Removes each such call from the open ones. */
const answering = ({ content, ...message }: ToolModelMessage, open: Map<string, string>): ToolModelMessage => ({
  ...message,
  content: content.filter((part) => part.type === "tool-result" && open.delete(part.toolCallId)),
})

/** Puts all results of one answer into one message. */
const addResults = (messages: ModelMessage[], { role, content }: ToolModelMessage): void => {
  if (content.length === 0) return
  const last = messages.at(-1)
  if (last?.role === "tool") messages.splice(-1, 1, { role, content: [...last.content, ...content] })
  else messages.push({ role, content })
}

/** The line as a message for the turn counters; undefined if it does not count. */
export const turnMessageOf = (one: Spoken): TurnMessage | undefined => {
  if (one.type === "mode") return undefined
  if (one.type === "compaction") return { role: "compaction" }
  if (one.type === "reminder") return { role: "reminder", reminder: one.attachment.attachment.type }
  if (one.type !== "assistant") return { role: "user" }
  const { content } = one.message
  const parts = typeof content === "string" ? [] : content
  return {
    role: "assistant",
    tools: callsIn(one.message).map(({ toolName }) => toolName),
    isThinkingOnly: parts.length > 0 && parts.every(({ type }) => type === "reasoning"),
  }
}

export type CallResult = { toolCallId: string; toolName: string; text: string; isError: boolean }

export const resultsOf = (results: readonly CallResult[]): ToolModelMessage => ({
  role: "tool",
  content: results.map(({ toolCallId, toolName, text, isError }) => ({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: isError ? "error-text" : "text", value: text },
  })),
})

const callsIn = ({ content }: AssistantModelMessage): { toolCallId: string; toolName: string }[] =>
  typeof content === "string" ? [] : content.filter((part) => part.type === "tool-call")

const lostResult =
  "The session ended before this was done; it is not known whether it had an effect. Check before you repeat it."

const lostBeginning = "(The beginning of this conversation was lost.)"

const summaryText = ({ summary, request }: Extract<Spoken, { type: "compaction" }>): string =>
  [
    `The conversation so far was replaced with this summary, to make room for the rest:\n\n${summary}`,
    ...(request === undefined ? [] : [`What the user asked for last, in their words:\n\n${request}`]),
  ].join("\n\n")

const isSpoken = (line: unknown): line is Spoken => {
  if (!isRecord(line)) return false
  switch (line.type) {
    case "user":
    case "push":
      return isText(line.text)
    case "reminder":
      return isText(line.text) && isRecord(line.attachment) && isRecord(line.attachment.attachment)
    case "compaction":
      return isText(line.summary) && (line.request === undefined || isText(line.request))
    case "mode":
      return typeof line.isPlanMode === "boolean"
    case "assistant":
      return assistantModelMessageSchema.safeParse(line.message).success
    case "results":
      return toolModelMessageSchema.safeParse(line.message).success
    default:
      return false
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
