/** A scripted model in the same process, for use without a key and for tests. */
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
} from "@ai-sdk/provider"
import { APICallError } from "ai"
import { HeadwayError, isHeadwayError } from "../plan/index.ts"
import {
  type Asked,
  type AskedMessage,
  type AskedPart,
  type Failure,
  inPieces,
  joinMessages,
  type ModelReply,
  untilBreak,
} from "./exchange.ts"
import { readScript, type Script } from "./script.ts"
import { createPlayer, type Played, type PlayerOptions } from "./script-player.ts"

export type ScriptModel = LanguageModelV3 & {
  /** All requests so far with their answers, the oldest first. */
  requests: readonly { neutral: Asked; played: Played }[]
}

export type ScriptModelOptions = PlayerOptions & {
  /** @default "script" */
  modelId?: string
}

export const createScriptModel = (
  script: Script,
  { modelId = "script", ...options }: ScriptModelOptions = {},
): ScriptModel => {
  const player = createPlayer(script, options)
  const requests: { neutral: Asked; played: Played }[] = []

  const answer = (asked: LanguageModelV3CallOptions, stream: boolean): ModelReply => {
    asked.abortSignal?.throwIfAborted()
    const neutral = readOptions(asked, modelId, stream)
    const played = player.answer(neutral)
    requests.push({ neutral, played })
    if (played.failure) throw failed(played.failure)
    return played.reply
  }

  return {
    specificationVersion: "v3",
    provider: "script",
    modelId,
    supportedUrls: {},
    requests,
    async doGenerate(asked) {
      const reply = answer(asked, false)
      if (reply.breaks?.how === "hang") await aborted(asked.abortSignal)
      if (reply.breaks) throw failed({ status: 0, message: connectionLost })
      return { content: contentOf(reply), finishReason: finishOf(reply), usage: usageOf(reply), warnings: [] }
    },
    async doStream(asked) {
      const reply = answer(asked, true)
      return { stream: speak(untilBreak(partsOf(reply), reply), reply, asked.abortSignal) }
    },
  }
}

/** Opens the model for a script file, as for `--model script:FILE`. */
export const openScriptModel = async (file: string, options: ScriptModelOptions = {}): Promise<ScriptModel> => {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const why =
      cause.code === "ENOENT" ? `There is no script ${file}.` : `The script ${file} cannot be read: ${cause.message}`
    throw new HeadwayError("script-unreadable", why, { cause })
  })
  try {
    return createScriptModel(readScript(text), { modelId: basename(file), ...options })
  } catch (cause) {
    throw isHeadwayError(cause) ? new HeadwayError(cause.code, `${file}\n${cause.message}`, { cause }) : cause
  }
}

const connectionLost = "The connection was lost before the answer was complete."

const failed = ({ status, message }: Failure): APICallError =>
  new APICallError({
    message,
    url: "script:",
    requestBodyValues: {},
    ...(status === 0 ? { isRetryable: true } : { statusCode: status }),
    // No pause is needed before the next try, because no real service is involved.
    responseHeaders: { "retry-after-ms": "0" },
  })

/** Never resolves: a silent connection ends only when the other side gives up. */
const aborted = (signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }))

const readOptions = ({ prompt, tools = [] }: LanguageModelV3CallOptions, model: string, stream: boolean): Asked => {
  const first = prompt.findIndex(({ role }) => role !== "system")
  const start = first < 0 ? prompt.length : first
  return {
    model,
    system: prompt
      .slice(0, start)
      .flatMap((message) => (message.role === "system" ? [message.content] : []))
      .join("\n"),
    messages: joinMessages(prompt.slice(start).map(messageOf)),
    tools: tools.flatMap((tool) =>
      tool.type === "function"
        ? [{ name: tool.name, description: tool.description ?? "", schema: tool.inputSchema }]
        : [],
    ),
    stream,
  }
}

const messageOf = (message: LanguageModelV3Message): AskedMessage =>
  message.role === "system"
    ? { role: "system", parts: [{ type: "text", text: message.content }] }
    : { role: message.role, parts: message.content.flatMap(partOf) }

type Part = Exclude<LanguageModelV3Message["content"], string>[number]

const partOf = (part: Part): AskedPart[] => {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text }]
    case "reasoning":
      return [{ type: "thinking", text: part.text }]
    case "tool-call":
      return [{ type: "call", id: part.toolCallId, tool: part.toolName, input: part.input }]
    case "tool-result":
      return [{ type: "result", id: part.toolCallId, ...resultOf(part.output) }]
    case "file":
      return [{ type: "file", mediaType: part.mediaType }]
    default:
      return []
  }
}

type Output = Extract<Part, { type: "tool-result" }>["output"]

const resultOf = (output: Output): { text: string; isError?: boolean } => {
  switch (output.type) {
    case "text":
      return { text: output.value }
    case "error-text":
      return { text: output.value, isError: true }
    case "execution-denied":
      return { text: output.reason ?? "", isError: true }
    case "content":
      return { text: output.value.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") }
    default:
      return { text: JSON.stringify(output.value), ...(output.type === "error-json" ? { isError: true } : {}) }
  }
}

const contentOf = ({ thinking, text, calls }: ModelReply): LanguageModelV3Content[] => [
  ...(thinking === "" ? [] : [{ type: "reasoning" as const, text: thinking }]),
  ...(text === "" ? [] : [{ type: "text" as const, text }]),
  ...calls.map(({ id, tool, input }) => ({ type: "tool-call" as const, toolCallId: id, toolName: tool, input })),
]

const finishReasons = { end: "stop", calls: "tool-calls", length: "length", refusal: "content-filter" } as const

const finishOf = ({ stop }: ModelReply): LanguageModelV3FinishReason => ({ unified: finishReasons[stop], raw: stop })

const usageOf = ({ usage: { input, output } }: ModelReply): LanguageModelV3Usage => ({
  inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: output, text: output, reasoning: 0 },
})

type StreamPart = { part: LanguageModelV3StreamPart; isPiece?: boolean }

const partsOf = (reply: ModelReply): StreamPart[] => [
  { part: { type: "stream-start", warnings: [] } },
  ...blockOf("reasoning", reply.thinking),
  ...blockOf("text", reply.text),
  ...reply.calls.flatMap(callParts),
  { part: { type: "finish", finishReason: finishOf(reply), usage: usageOf(reply) } },
]

const blockOf = (kind: "text" | "reasoning", text: string): StreamPart[] =>
  text === ""
    ? []
    : [
        { part: { type: `${kind}-start`, id: kind } },
        ...inPieces(text).map(
          (delta): StreamPart => ({ part: { type: `${kind}-delta`, id: kind, delta }, isPiece: true }),
        ),
        { part: { type: `${kind}-end`, id: kind } },
      ]

const callParts = ({ id, tool, input }: ModelReply["calls"][number]): StreamPart[] => [
  { part: { type: "tool-input-start", id, toolName: tool } },
  ...inPieces(input).map((delta): StreamPart => ({ part: { type: "tool-input-delta", id, delta }, isPiece: true })),
  { part: { type: "tool-input-end", id } },
  { part: { type: "tool-call", toolCallId: id, toolName: tool, input } },
]

/** Streams one part whenever the listener asks for it, so that it can stop in the middle. */
const speak = (
  parts: readonly StreamPart[],
  { breaks }: ModelReply,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV3StreamPart> => {
  let at = 0
  return new ReadableStream({
    async pull(controller) {
      signal?.throwIfAborted()
      const next = parts[at]
      at += 1
      if (next) return controller.enqueue(next.part)
      if (!breaks) return controller.close()
      if (breaks.how === "hang") await aborted(signal)
      throw new TypeError(connectionLost)
    },
  })
}
