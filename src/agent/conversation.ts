/** What was said so far, as a log that can be kept, read back and cut; and the messages a model is sent. */
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai"
import type { Attachment, TurnMessage } from "../guidance/index.ts"

/** One line of a transcript. */
export type Spoken =
  | { type: "user"; text: string }
  | { type: "assistant"; message: AssistantModelMessage }
  | { type: "results"; message: ToolModelMessage }
  /** Something of ours, in the user's role and not shown to the user. */
  | { type: "reminder"; attachment: Attachment; text: string }
  /** Everything before this is replaced by a summary. */
  | { type: "compaction"; summary: string }

/** Where a transcript is kept. */
export interface Transcript {
  load(): Promise<readonly unknown[]>
  append(spoken: Spoken): Promise<void>
}

export const createMemoryTranscript = (): Transcript & { spoken: Spoken[] } => {
  const spoken: Spoken[] = []
  return {
    spoken,
    load: async () => spoken,
    append: async (one) => void spoken.push(one),
  }
}

/** What lines somebody kept can be read as; what is none of ours is left out. */
export const readSpoken = (lines: readonly unknown[]): Spoken[] => lines.filter(isSpoken)

/** The messages a model is sent. A call whose result was lost with the process gets one that says so. */
export const messagesOf = (spoken: readonly Spoken[]): ModelMessage[] => {
  const messages: ModelMessage[] = []
  let open: { toolCallId: string; toolName: string }[] = []
  const close = (): void => {
    if (open.length > 0) messages.push(resultsOf(open.map((call) => ({ ...call, text: lostResult, isError: true }))))
    open = []
  }
  for (const one of spoken) {
    if (one.type === "compaction") {
      messages.splice(0)
      open = []
      messages.push({ role: "user", content: summaryText(one.summary) })
    } else if (one.type === "results") {
      const answered = new Set(one.message.content.flatMap((part) => ("toolCallId" in part ? [part.toolCallId] : [])))
      open = open.filter(({ toolCallId }) => !answered.has(toolCallId))
      messages.push(one.message)
    } else {
      close()
      if (one.type === "assistant") {
        messages.push(one.message)
        open = callsIn(one.message)
      } else messages.push({ role: "user", content: one.text })
    }
  }
  close()
  return messages
}

/** What a line is to the counting of turns. */
export const turnMessageOf = (one: Spoken): TurnMessage => {
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

export const callsIn = ({ content }: AssistantModelMessage): { toolCallId: string; toolName: string }[] =>
  typeof content === "string"
    ? []
    : content.flatMap((part) =>
        part.type === "tool-call" ? [{ toolCallId: part.toolCallId, toolName: part.toolName }] : [],
      )

const lostResult =
  "The session ended before this was done; whether it had an effect is not known. Look before you repeat it."

const summaryText = (summary: string): string =>
  `The conversation so far was replaced by this summary, so that there is room to go on:\n\n${summary}`

const isSpoken = (line: unknown): line is Spoken => {
  if (typeof line !== "object" || line === null || !("type" in line)) return false
  const one = line as Record<string, unknown>
  if (one.type === "user") return typeof one.text === "string"
  if (one.type === "compaction") return typeof one.summary === "string"
  if (one.type === "reminder") return typeof one.text === "string" && isRecord(one.attachment)
  if (one.type !== "assistant" && one.type !== "results") return false
  return isRecord(one.message) && (Array.isArray(one.message.content) || typeof one.message.content === "string")
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
