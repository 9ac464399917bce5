/** Gets one answer of a model: streamed, retried if the connection breaks, and returned only if complete. */
import { setTimeout as wait } from "node:timers/promises"
import {
  type AssistantModelMessage,
  type FinishReason,
  jsonSchema,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
  type Tool,
} from "ai"
import type { LoadMode } from "../dialects/definition.ts"
import type { Usage } from "./event.ts"
import { isPassing, isTooLong, sayFailure, waitAsked } from "./failure.ts"
import { sendable } from "./sendable.ts"

/** What a model is told of a tool. */
export type Offered = {
  name: string
  description: string
  schema: Record<string, unknown>
  /** Worked inputs, for model services that show them. @default none */
  inputExamples?: readonly Record<string, unknown>[]
  /** The model service must enforce the schema if it can. @default false */
  strict?: boolean
  /** Whether the model has it before it from the start, or finds it by searching, where the service has that. @default "essential" */
  loadMode?: LoadMode
}

export type Question = {
  model: LanguageModel
  system: string
  messages: ModelMessage[]
  tools: readonly Offered[]
  signal: AbortSignal
  onText?: (text: string) => void
  onThought?: (text: string) => void
  /** Called when an answer failed. The part shown so far no longer counts. */
  onFailure?: (message: string, willRetry: boolean) => void
  /** The most tries. @default 4 */
  tries?: number
  /** Waits before the next try: as long as the service asks for, otherwise one second, then two, four, … */
  pause?: Pause
  /** How long a connection may be silent, in milliseconds. @default ten minutes */
  silence?: number
}

export type Pause = (tried: number, signal: AbortSignal, milliseconds: number) => Promise<void>

export type Call = {
  id: string
  tool: string
  input: unknown
  /** Whether the model's input is not JSON. `input` is then its text. */
  isBroken: boolean
}

export type Answer = {
  /** The message as it is sent back, with everything corrected that a provider would refuse. */
  message: AssistantModelMessage
  text: string
  calls: Call[]
  usage: Usage
  /** Why the answer ended, if it is not complete. */
  cut?: "length" | "refusal"
}

/** The provider or the connection failed permanently or too often. */
export type AskFailure = {
  failure: string
  /** Whether the conversation is too long for the model. */
  isTooLong: boolean
}

/** Rejects only if it is interrupted. */
export const askModel = async (question: Question): Promise<Answer | AskFailure> => {
  const { signal, tries = 4, pause = backOff, onFailure } = question
  for (let tried = 1; ; tried += 1) {
    signal.throwIfAborted()
    try {
      return await withOwnSignal(signal, (own) => askOnce({ ...question, signal: own }))
    } catch (cause) {
      if (signal.aborted) throw cause
      const willRetry = tried < tries && isPassing(cause)
      const failure = sayFailure(cause)
      onFailure?.(failure, willRetry)
      if (!willRetry) return { failure, isTooLong: isTooLong(cause) }
      await pause(tried, signal, waitAsked(cause) ?? 1000 * 2 ** (tried - 1))
    }
  }
}

/** Removes the listener of each reply with the reply, so that long work does not collect listeners. */
const withOwnSignal = async <Result>(
  signal: AbortSignal,
  action: (own: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const own = new AbortController()
  const giveUp = (): void => own.abort(signal.reason)
  signal.addEventListener("abort", giveUp, { once: true })
  try {
    return await action(own.signal)
  } finally {
    signal.removeEventListener("abort", giveUp)
  }
}

const askOnce = async (question: Question): Promise<Answer> => {
  const { model, system, messages, tools, signal, silence = 600_000, onText, onThought } = question
  const result = streamText({
    model,
    system,
    messages,
    tools: Object.fromEntries(tools.map((offered) => [offered.name, offer(offered)])),
    abortSignal: signal,
    timeout: { chunkMs: silence },
    maxRetries: 0,
    providerOptions,
    // Failures arrive as parts of the stream, and are handled there.
    onError: () => {},
  })
  const answer: Omit<Answer, "message"> & { isEnded: boolean } = {
    text: "",
    calls: [],
    usage: { input: 0, output: 0 },
    isEnded: false,
  }
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") {
      answer.text += part.text
      onText?.(part.text)
    } else if (part.type === "reasoning-delta") onThought?.(part.text)
    else if (part.type === "tool-call") answer.calls.push(callOf(part))
    else if (part.type === "error") throw part.error
    else if (part.type === "finish") Object.assign(answer, endOf(part))
  }
  const { isEnded, ...received } = answer
  if (!isEnded) throw new Error("The answer broke off.")
  return { ...received, message: sendable((await result.response).messages) }
}

const providerOptions = {
  // A conversation only grows, so the service can read earlier messages from its cache.
  anthropic: { cacheControl: { type: "ephemeral" } },
  // Earlier messages are sent again from our transcript instead of being stored on a provider's server.
  openai: { store: false },
} as const

type MadeCall = { toolCallId: string; toolName: string; input: unknown; invalid?: boolean | undefined }

const callOf = ({ toolCallId, toolName, input, invalid = false }: MadeCall): Call => ({
  id: toolCallId,
  tool: toolName,
  input,
  isBroken: invalid && typeof input === "string",
})

type End = { finishReason: FinishReason; totalUsage: LanguageModelUsage }

const endOf = ({ finishReason, totalUsage }: End): Pick<Answer, "usage" | "cut"> & { isEnded: true } => {
  // Some services report this if the model's call cannot be parsed.
  if (finishReason === "error") throw new Error("The model's service reported an error.")
  return {
    isEnded: true,
    usage: { input: totalUsage.inputTokens ?? 0, output: totalUsage.outputTokens ?? 0 },
    ...(finishReason === "length" ? { cut: "length" } : {}),
    ...(finishReason === "content-filter" ? { cut: "refusal" } : {}),
  }
}

/** Offers a tool to the model. Accepts any input, because the tool's own check gives clearer errors. */
const offer = ({ description, schema, inputExamples = [], strict = false, loadMode }: Offered): Tool => ({
  description,
  ...(inputExamples.length > 0 ? { inputExamples: inputExamples.map((input) => ({ input })) } : {}),
  ...(strict ? { strict } : {}),
  ...(loadMode === "discoverable" ? { providerOptions: deferred } : {}),
  inputSchema: jsonSchema(schema, { validate: (value) => ({ success: true, value }) }),
})

/** The options for a tool that must be searched for, for providers with a search for tools. */
const deferred = { anthropic: { deferLoading: true }, openai: { deferLoading: true } }

const backOff: Pause = (_, signal, milliseconds) => wait(milliseconds, undefined, { signal }).catch(() => {})
