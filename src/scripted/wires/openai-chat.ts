/** OpenAI's Chat Completions, which most local servers speak too: `POST /v1/chat/completions`. */
import { type Asked, type AskedMessage, type AskedPart, inPieces, joinMessages, type ModelReply } from "../exchange.ts"
import { contentText, type Fields, fieldsOf, listOf, parsedInput, stringOf, textPart, texts } from "./_fields.ts"
import { openaiFailure, openaiModels } from "./_openai.ts"
import type { Frame, Speaker, Wire, WireRequest } from "./wire.ts"

export const openaiChat = {
  id: "openai-chat",
  title: "OpenAI Chat Completions",
  matches: ({ method, path }) => method === "POST" && path.endsWith("/chat/completions"),
  // Most clients use this wire, so it handles unknown clients.
  isFrom: () => true,
  read,
  whole: (reply, { model }, _, speaker) => ({
    ...head("chat.completion", model, speaker),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: reply.text === "" ? null : reply.text,
          refusal: null,
          ...(reply.thinking === "" ? {} : { reasoning_content: reply.thinking }),
          ...(reply.calls.length > 0 ? { tool_calls: reply.calls.map(callOf) } : {}),
        },
        logprobs: null,
        finish_reason: finishReasons[reply.stop],
      },
    ],
    usage: usageOf(reply),
  }),
  frames,
  failure: openaiFailure,
  other: openaiModels,
} as const satisfies Wire

const finishReasons = { end: "stop", calls: "tool_calls", length: "length", refusal: "content_filter" } as const

function read({ body }: WireRequest): Asked {
  const { model, messages, tools, stream } = fieldsOf(body)
  const all = listOf(messages)
  const start = all.findIndex(({ role }) => role !== "system" && role !== "developer")
  const first = start < 0 ? all.length : start
  return {
    model: stringOf(model),
    system: texts(all.slice(0, first).map(({ content }) => contentText(content))).join("\n"),
    messages: joinMessages(all.slice(first).map(messageOf)),
    tools: listOf(tools).flatMap(({ function: offered }) => {
      const { name, description, parameters } = fieldsOf(offered)
      return name ? [{ name: stringOf(name), description: stringOf(description), schema: parameters }] : []
    }),
    stream: stream === true,
  }
}

const messageOf = (message: Fields): AskedMessage => {
  const { role, content } = message
  if (role === "tool") {
    return {
      role,
      parts: [{ type: "result", id: stringOf(message.tool_call_id), text: contentText(content) }],
    }
  }
  if (role === "assistant") {
    const thinking = stringOf(message.reasoning_content)
    return {
      role,
      parts: [
        ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
        ...contentParts(content),
        ...listOf(message.tool_calls).map(callPart),
      ],
    }
  }
  return { role: role === "system" || role === "developer" ? "system" : "user", parts: contentParts(content) }
}

const contentParts = (content: unknown): AskedPart[] => {
  if (typeof content === "string") return textPart(content)
  return listOf(content).map(({ type, text }) =>
    type === "text" ? { type: "text", text: stringOf(text) } : { type: "file", mediaType: stringOf(type) },
  )
}

const callPart = ({ id, function: called }: Fields): AskedPart => {
  const { name, arguments: input } = fieldsOf(called)
  return { type: "call", id: stringOf(id), tool: stringOf(name), input: parsedInput(stringOf(input)) }
}

const head = (object: string, model: string, { newId, now }: Speaker): Fields => ({
  id: newId("chatcmpl-"),
  object,
  created: Math.floor(now().getTime() / 1000),
  model,
  service_tier: "default",
  system_fingerprint: null,
})

const callOf = ({ id, tool, input }: ModelReply["calls"][number]): Fields => ({
  id,
  type: "function",
  function: { name: tool, arguments: input },
})

const usageOf = ({ usage: { input, output } }: ModelReply): Fields => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
})

function frames(reply: ModelReply, { model }: Asked, { body }: WireRequest, speaker: Speaker): Frame[] {
  const fixed = head("chat.completion.chunk", model, speaker)
  const chunk = (delta: Fields, finish_reason: string | null = null): Fields => ({
    ...fixed,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  })
  const piece = (delta: Fields): Frame => ({ data: chunk(delta), isPiece: true })
  const wantsUsage = fieldsOf(fieldsOf(body).stream_options).include_usage === true
  return [
    { data: chunk({ role: "assistant", content: "", refusal: null }) },
    ...inPieces(reply.thinking).map((reasoning_content) => piece({ reasoning_content })),
    ...inPieces(reply.text).map((content) => piece({ content })),
    ...reply.calls.flatMap((call, index) => callDeltas(call, index).map(piece)),
    { data: chunk({}, finishReasons[reply.stop]) },
    ...(wantsUsage ? [{ data: { ...fixed, choices: [], usage: usageOf(reply) } }] : []),
    { data: "[DONE]" },
  ]
}

/** The deltas of a call: the first one names it, the others contain its arguments. */
const callDeltas = (call: ModelReply["calls"][number], index: number): Fields[] => [
  { tool_calls: [{ index, ...callOf({ ...call, input: "" }) }] },
  ...inPieces(call.input).map((input) => ({ tool_calls: [{ index, function: { arguments: input } }] })),
]
