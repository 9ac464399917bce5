/** Google's Gemini API: `POST /v1beta/models/{model}:generateContent` and `:streamGenerateContent`, contents of parts. */
import { isRecord } from "../../plan/log/shape.ts"
import {
  type Asked,
  type AskedMessage,
  type AskedPart,
  countTokens,
  inPieces,
  joinMessages,
  type ModelReply,
} from "../exchange.ts"
import { type Fields, fieldsOf, listOf, parsedInput, stringOf, texts } from "./_fields.ts"
import type { Frame, Speaker, Wire, WireRequest } from "./wire.ts"

export const gemini = {
  id: "gemini",
  title: "Gemini API",
  matches: ({ method, path }) => method === "POST" && /:(?:streamG|g)enerateContent$/.test(path),
  isFrom: ({ path, headers }) => /\/v1(?:alpha|beta)/.test(path) || "x-goog-api-key" in headers,
  read,
  whole: (reply, asked, _, speaker) => chunk(reply, asked, speaker, partsOf(reply, speaker), finishOf(reply)),
  frames,
  failure: ({ status, message }) => ({
    error: { code: status, message, status: statuses[status] ?? (status < 500 ? "INVALID_ARGUMENT" : "INTERNAL") },
  }),
  other: (request) => {
    if (request.path.endsWith(":countTokens")) return { totalTokens: countTokens(read(request)) }
    if (request.method === "GET" && request.path.endsWith("/models")) return { models: [] }
    return undefined
  },
} as const satisfies Wire

const statuses: Partial<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
}

function read({ path, body }: WireRequest): Asked {
  const { contents, systemInstruction, tools } = fieldsOf(body)
  return {
    model: decodeURIComponent(/([^/:]+):\w+$/.exec(path)?.[1] ?? ""),
    system: texts(listOf(fieldsOf(systemInstruction).parts).map(({ text }) => text)).join("\n"),
    messages: joinMessages(listOf(contents).flatMap(messagesOf)),
    tools: listOf(tools).flatMap(({ functionDeclarations }) =>
      listOf(functionDeclarations).map(({ name, description, parameters, parametersJsonSchema }) => ({
        name: stringOf(name),
        description: stringOf(description),
        schema: parametersJsonSchema ?? parameters,
      })),
    ),
    stream: path.endsWith(":streamGenerateContent"),
  }
}

const messagesOf = ({ role, parts }: Fields): AskedMessage[] => {
  const all = listOf(parts).flatMap(partOf)
  return [
    { role: "tool", parts: all.filter(({ type }) => type === "result") },
    { role: role === "model" ? "assistant" : "user", parts: all.filter(({ type }) => type !== "result") },
  ]
}

/** Reads one part. Older models and clients have no ids, so the name identifies the call. */
const partOf = (part: Fields): AskedPart[] => {
  if (typeof part.text === "string") return [{ type: part.thought === true ? "thinking" : "text", text: part.text }]
  if (part.functionCall) {
    const { id, name, args } = fieldsOf(part.functionCall)
    return [{ type: "call", id: stringOf(id ?? name), tool: stringOf(name), input: args }]
  }
  if (part.functionResponse) {
    const { id, name, response } = fieldsOf(part.functionResponse)
    return [{ type: "result", id: stringOf(id ?? name), ...resultOf(fieldsOf(response)) }]
  }
  const { mimeType } = fieldsOf(part.inlineData ?? part.fileData)
  return typeof mimeType === "string" ? [{ type: "file", mediaType: mimeType }] : []
}

/** The text of a tool's result. A response is an object with the text in one of these fields. */
const resultOf = (response: Fields): { text: string; isError?: boolean } => {
  const { error } = response
  const value = error ?? response.output ?? response.content ?? response.result ?? response
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return error === undefined ? { text } : { text, isError: true }
}

const partsOf = ({ thinking, text, calls }: ModelReply, speaker: Speaker): Fields[] => [
  ...(thinking === "" ? [] : [{ text: thinking, thought: true }]),
  ...(text === "" ? [] : [{ text }]),
  ...callParts(calls, speaker),
]

/** Arguments are objects here, so a call that is not a JSON object cannot be sent: see `finishOf`. */
const callParts = (calls: ModelReply["calls"], { newId }: Speaker): Fields[] =>
  calls.flatMap(({ id, tool, input }, index) => {
    const args = parsedInput(input)
    if (!isRecord(args)) return []
    const functionCall = { id, name: tool, args }
    // Newer models sign the first call of a turn, and require the signature in later requests.
    return [index === 0 ? { functionCall, thoughtSignature: newId("") } : { functionCall }]
  })

/** The reason of the end, including the service's report that the model's call cannot be parsed. */
const finishOf = ({ stop, calls }: ModelReply): Fields => {
  const broken = calls.find(({ input }) => !isRecord(parsedInput(input)))
  if (broken) {
    return { finishReason: "MALFORMED_FUNCTION_CALL", finishMessage: `Malformed function call: ${broken.tool}` }
  }
  return { finishReason: stop === "length" ? "MAX_TOKENS" : stop === "refusal" ? "SAFETY" : "STOP" }
}

const chunk = (
  reply: ModelReply,
  { model }: Asked,
  { newId }: Speaker,
  parts: Fields[],
  finish: Fields = {},
): Fields => ({
  candidates: [{ content: { parts, role: "model" }, index: 0, ...finish }],
  usageMetadata: {
    promptTokenCount: reply.usage.input,
    candidatesTokenCount: reply.usage.output,
    totalTokenCount: reply.usage.input + reply.usage.output,
  },
  modelVersion: model,
  responseId: newId(""),
})

function frames(reply: ModelReply, asked: Asked, _: WireRequest, speaker: Speaker): Frame[] {
  const responseId = speaker.newId("")
  const one = (parts: Fields[], finish?: Fields): Fields => ({
    ...chunk(reply, asked, speaker, parts, finish),
    responseId,
  })
  const piece = (part: Fields): Frame => ({ data: one([part]), isPiece: true })
  return [
    ...inPieces(reply.thinking).map((text) => piece({ text, thought: true })),
    ...inPieces(reply.text).map((text) => piece({ text })),
    ...callParts(reply.calls, speaker).map(piece),
    { data: one([{ text: "" }], finishOf(reply)) },
  ]
}
