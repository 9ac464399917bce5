/** OpenAI's Responses: `POST /v1/responses`, items in and out, a stream of named and numbered events. */
import { type Asked, type ModelReply, type StopReason, textOf } from "../exchange.ts"
import { type Fields, fieldsOf, stringOf, texts } from "./_fields.ts"
import { openaiFailure, openaiModels } from "./_openai.ts"
import { itemFrames, itemsOf, type ResponseEvent } from "./_response-events.ts"
import { messagesOf, offeredTools, wholeInput } from "./_response-items.ts"
import type { Frame, Speaker, Wire, WireRequest } from "./wire.ts"

export const openaiResponses = {
  id: "openai-responses",
  title: "OpenAI Responses",
  matches: ({ method, path }) => method === "POST" && path.endsWith("/responses"),
  isFrom: ({ path }) => path.includes("/responses"),
  read,
  whole: (reply, asked, request, speaker) => {
    const output = itemsOf(reply, speaker, wantsEncrypted(request))
    return remember(finished(started(asked, request, speaker), reply, output), request)
  },
  frames,
  failure: openaiFailure,
  other: openaiModels,
} as const satisfies Wire

function read(request: WireRequest): Asked {
  const { model, instructions, stream } = fieldsOf(request.body)
  const items = wholeInput(request)
  const messages = messagesOf(items)
  const first = messages.findIndex(({ role }) => role !== "system")
  const leading = messages.slice(0, first < 0 ? messages.length : first)
  return {
    model: stringOf(model),
    system: texts([instructions, ...leading.map(textOf)]).join("\n"),
    messages: messages.slice(leading.length),
    tools: offeredTools(request, items),
    stream: stream === true,
  }
}

const wantsEncrypted = ({ body }: WireRequest): boolean => {
  const { include } = fieldsOf(body)
  return Array.isArray(include) && include.includes("reasoning.encrypted_content")
}

const started = ({ model }: Asked, { body }: WireRequest, { newId, now }: Speaker): Fields => {
  const { instructions, previous_response_id, store, tool_choice, parallel_tool_calls } = fieldsOf(body)
  return {
    id: newId("resp_"),
    object: "response",
    created_at: Math.floor(now().getTime() / 1000),
    status: "in_progress",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    max_output_tokens: null,
    model,
    output: [],
    parallel_tool_calls: parallel_tool_calls ?? true,
    previous_response_id: previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    service_tier: "default",
    store: store ?? true,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: tool_choice ?? "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: null,
    user: null,
    metadata: {},
  }
}

const incompleteReasons: Partial<Record<StopReason, string>> = {
  length: "max_output_tokens",
  refusal: "content_filter",
}

const finished = (response: Fields, { usage, stop }: ModelReply, output: Fields[]): Fields => {
  const reason = incompleteReasons[stop]
  return {
    ...response,
    status: reason ? "incomplete" : "completed",
    incomplete_details: reason ? { reason } : null,
    output,
    usage: {
      input_tokens: usage.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: usage.input + usage.output,
    },
  }
}

/** Stores a response, because clients refer to earlier items and responses by id. */
const remember = (response: Fields, request: WireRequest): Fields => {
  const output = response.output as Fields[]
  request.memory.set(stringOf(response.id), [...wholeInput(request), ...output])
  for (const item of output) request.memory.set(stringOf(item.id), item)
  return response
}

function frames(reply: ModelReply, asked: Asked, request: WireRequest, speaker: Speaker): Frame[] {
  const response = started(asked, request, speaker)
  const output = itemsOf(reply, speaker, wantsEncrypted(request))
  const whole = remember(finished(response, reply, output), request)
  const events: ResponseEvent[] = [
    { data: { type: "response.created", response } },
    { data: { type: "response.in_progress", response } },
    ...output.flatMap(itemFrames),
    { data: { type: whole.status === "completed" ? "response.completed" : "response.incomplete", response: whole } },
  ]
  return events.map(({ data, isPiece = false }, index) => ({
    event: data.type,
    data: { ...data, sequence_number: index },
    isPiece,
  }))
}
