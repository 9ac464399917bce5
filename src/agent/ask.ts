/** One answer of a model: streamed as it comes, asked again when the connection breaks, whole or not at all. */
import {
  APICallError,
  type AssistantModelMessage,
  jsonSchema,
  type LanguageModel,
  type ModelMessage,
  streamText,
  type Tool,
} from "ai"
import type { Usage } from "./event.ts"

export type Offered = { name: string; description: string; schema: Record<string, unknown> }

export type Question = {
  model: LanguageModel
  system: string
  messages: ModelMessage[]
  tools: readonly Offered[]
  signal: AbortSignal
  onText?: (text: string) => void
  onThought?: (text: string) => void
  /** Told when an answer broke off; what was said of it is void. */
  onFailure?: (message: string, willRetry: boolean) => void
  /** Tries in all. @default 3 */
  tries?: number
  /** Waits before the next try. @default a second, then two, … */
  pause?: (tried: number, signal: AbortSignal) => Promise<void>
}

export type Call = { id: string; tool: string; input: unknown }

export type Answer = {
  message: AssistantModelMessage
  text: string
  calls: Call[]
  usage: Usage
  /** Why it ended, where that is not because all was said. */
  cut?: "length" | "refusal"
}

/** The provider or the way to it failed, for good or too often. */
export type AskFailure = { failure: string }

export const ask = async (question: Question): Promise<Answer | AskFailure> => {
  const { signal, tries = 3, pause = backOff, onFailure } = question
  for (let tried = 1; ; tried += 1) {
    try {
      return await askOnce(question)
    } catch (cause) {
      if (signal.aborted) throw cause
      const willRetry = tried < tries && isPassing(cause)
      const message = messageOf(cause)
      onFailure?.(message, willRetry)
      if (!willRetry) return { failure: message }
      await pause(tried, signal)
    }
  }
}

const askOnce = async ({ model, system, messages, tools, signal, onText, onThought }: Question): Promise<Answer> => {
  const result = streamText({
    model,
    system,
    messages,
    tools: Object.fromEntries(tools.map((offered) => [offered.name, offer(offered)])),
    abortSignal: signal,
    maxRetries: 0,
    // Failures come as parts of the stream, and are dealt with there.
    onError: () => {},
  })
  const calls: Call[] = []
  const parts: Exclude<AssistantModelMessage["content"], string> = []
  let text = ""
  let isEnded = false
  let usage: Usage = { input: 0, output: 0 }
  let cut: Answer["cut"]
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") {
      text += part.text
      onText?.(part.text)
    } else if (part.type === "reasoning-delta") onThought?.(part.text)
    else if (part.type === "tool-call") calls.push({ id: part.toolCallId, tool: part.toolName, input: part.input })
    else if (part.type === "error") throw part.error
    else if (part.type === "abort") signal.throwIfAborted()
    else if (part.type === "finish") {
      isEnded = true
      usage = { input: part.totalUsage.inputTokens ?? 0, output: part.totalUsage.outputTokens ?? 0 }
      if (part.finishReason === "length") cut = "length"
      if (part.finishReason === "content-filter") cut = "refusal"
      if (part.finishReason === "error") throw new Error("The model's service reported an error.")
    }
  }
  if (!isEnded) throw new Error("The answer broke off.")
  const { messages: said } = await result.response
  for (const message of said)
    if (message.role === "assistant" && typeof message.content !== "string") parts.push(...message.content)
  return { message: { role: "assistant", content: parts }, text, calls, usage, ...(cut ? { cut } : {}) }
}

/** What a model sends is checked by the tool it is for, which can say better what would be right. */
const offer = ({ description, schema }: Offered): Tool => ({
  description,
  inputSchema: jsonSchema(schema, { validate: (value) => ({ success: true, value }) }),
})

/** Worth another try: the connection, a busy or failing service. A refused key or request stays refused. */
const isPassing = (cause: unknown): boolean =>
  !APICallError.isInstance(cause) || cause.isRetryable || cause.statusCode === undefined || cause.statusCode === 0

const messageOf = (cause: unknown): string => {
  if (APICallError.isInstance(cause) && cause.statusCode)
    return `The model's service answered ${cause.statusCode}: ${cause.message}`
  return cause instanceof Error ? cause.message : String(cause)
}

const backOff = (tried: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, tried * 1000)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })
