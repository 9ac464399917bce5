/** Anthropic's Messages: `POST /v1/messages`, blocks of content, a stream of named events. */
import {
  type Asked,
  type AskedMessage,
  type AskedPart,
  countTokens,
  inPieces,
  joinMessages,
  type ModelReply,
} from "../exchange.ts"
import { contentText, type Fields, fieldsOf, listOf, parsedInput, stringOf } from "./_fields.ts"
import type { Frame, Speaker, Wire, WireRequest } from "./wire.ts"

export const anthropicMessages = {
  id: "anthropic-messages",
  title: "Anthropic Messages",
  matches: ({ method, path }) => method === "POST" && path.endsWith("/messages"),
  isFrom: ({ path, headers }) => "anthropic-version" in headers || path.includes("/messages"),
  read,
  whole: (reply, { model }, _, speaker) => ({
    ...messageStart(reply, model, speaker),
    content: blocksOf(reply, speaker),
    stop_reason: stopReasons[reply.stop],
    usage: usageOf(reply, reply.usage.output),
  }),
  frames,
  failure: ({ status, message }) => ({
    type: "error",
    error: { type: errorTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error"), message },
    request_id: null,
  }),
  other: (request) => {
    if (request.path.endsWith("/messages/count_tokens")) return { input_tokens: countTokens(read(request)) }
    if (request.path.endsWith("/models")) return { data: [], has_more: false, first_id: null, last_id: null }
    return undefined
  },
} as const satisfies Wire

const stopReasons = { end: "end_turn", calls: "tool_use", length: "max_tokens", refusal: "refusal" } as const

const errorTypes: Partial<Record<number, string>> = {
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
}

function read({ body }: WireRequest): Asked {
  const { model, system, messages, tools, stream } = fieldsOf(body)
  return {
    model: stringOf(model),
    system: contentText(system),
    messages: joinMessages(listOf(messages).flatMap(messagesOf)),
    tools: listOf(tools).map(({ name, description, input_schema }) => ({
      name: stringOf(name),
      description: stringOf(description),
      schema: input_schema,
    })),
    stream: stream === true,
  }
}

const roles = ["system", "user", "assistant"] as const

/** Results have the user's role and come before the user's text. */
const messagesOf = ({ role, content }: Fields): AskedMessage[] => {
  const parts = (typeof content === "string" ? [{ type: "text", text: content }] : listOf(content)).flatMap(partOf)
  const results = parts.filter(({ type }) => type === "result")
  const others = parts.filter(({ type }) => type !== "result")
  return [
    { role: "tool", parts: results },
    { role: roles.find((known) => known === role) ?? "user", parts: others },
  ]
}

const partOf = (block: Fields): AskedPart[] => {
  switch (block.type) {
    case "text":
      return [{ type: "text", text: stringOf(block.text) }]
    case "thinking":
      return [{ type: "thinking", text: stringOf(block.thinking) }]
    case "tool_use":
      return [{ type: "call", id: stringOf(block.id), tool: stringOf(block.name), input: block.input }]
    case "tool_result":
      return [
        {
          type: "result",
          id: stringOf(block.tool_use_id),
          text: contentText(block.content),
          ...(typeof block.is_error === "boolean" ? { isError: block.is_error } : {}),
        },
      ]
    case "image":
    case "document":
      return [{ type: "file", mediaType: stringOf(fieldsOf(block.source).media_type) }]
    default:
      return []
  }
}

const messageStart = (reply: ModelReply, model: string, { newId }: Speaker): Fields => ({
  id: newId("msg_"),
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: usageOf(reply, 1),
})

const usageOf = ({ usage }: ModelReply, output: number): Fields => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: output,
  service_tier: "standard",
})

/** The blocks of the complete answer. The input of a call that is not JSON is its text. */
const blocksOf = ({ thinking, text, calls }: ModelReply, { newId }: Speaker): Fields[] => [
  ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: newId("sig") }]),
  ...(text === "" ? [] : [{ type: "text", text }]),
  ...calls.map(({ id, tool, input }) => ({ type: "tool_use", id, name: tool, input: parsedInput(input) })),
]

function frames(reply: ModelReply, { model }: Asked, _: WireRequest, speaker: Speaker): Frame[] {
  const inputs = new Map(reply.calls.map(({ id, input }) => [id, input]))
  const blocks = blocksOf(reply, speaker).flatMap((block, index) =>
    blockFrames(block, index, inputs.get(stringOf(block.id)) ?? ""),
  )
  return [
    { data: { type: "message_start", message: messageStart(reply, model, speaker) } },
    { data: { type: "ping" } },
    ...blocks,
    {
      data: {
        type: "message_delta",
        delta: { stop_reason: stopReasons[reply.stop], stop_sequence: null },
        usage: usageOf(reply, reply.usage.output),
      },
    },
    { data: { type: "message_stop" } },
  ].map((frame) => ({ event: frame.data.type, ...frame }))
}

type Event = { data: Fields & { type: string }; isPiece?: boolean }

const blockFrames = (block: Fields, index: number, input: string): Event[] => {
  const delta = (fields: Fields): Event => ({
    data: { type: "content_block_delta", index, delta: fields },
    isPiece: true,
  })
  const within = (start: Fields, deltas: Event[]): Event[] => [
    { data: { type: "content_block_start", index, content_block: start } },
    ...deltas,
    { data: { type: "content_block_stop", index } },
  ]
  if (block.type === "text") {
    const pieces = inPieces(stringOf(block.text))
    return within(
      { type: "text", text: "" },
      pieces.map((text) => delta({ type: "text_delta", text })),
    )
  }
  if (block.type === "thinking") {
    const pieces = inPieces(stringOf(block.thinking))
    const signature: Event = { ...delta({ type: "signature_delta", signature: block.signature }), isPiece: false }
    return within({ type: "thinking", thinking: "", signature: "" }, [
      ...pieces.map((thinking) => delta({ type: "thinking_delta", thinking })),
      signature,
    ])
  }
  return within(
    { ...block, input: {} },
    inPieces(input).map((partial_json) => delta({ type: "input_json_delta", partial_json })),
  )
}
