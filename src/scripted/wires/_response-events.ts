/** Turns a model's reply into the items of a Responses answer, and each item into events of its stream. */
import { inPieces, type ModelReply, type ReplyCall } from "../exchange.ts"
import { type Fields, fieldsOf, listOf, parsedInput, stringOf } from "./_fields.ts"
import type { Speaker } from "./wire.ts"

export type ResponseEvent = { data: Fields & { type: string }; isPiece?: boolean }

export const itemsOf = ({ thinking, text, calls }: ModelReply, { newId }: Speaker, isEncrypted: boolean): Fields[] => [
  ...(thinking === ""
    ? []
    : [
        {
          id: newId("rs_"),
          type: "reasoning",
          summary: [{ type: "summary_text", text: thinking }],
          ...(isEncrypted ? { encrypted_content: newId("enc") } : {}),
        },
      ]),
  ...(text === ""
    ? []
    : [
        {
          id: newId("msg_"),
          type: "message",
          status: "completed",
          role: "assistant",
          content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
        },
      ]),
  ...calls.map((call) => callItem(call, newId)),
]

const callItem = ({ id: call_id, tool, input, offered }: ReplyCall, newId: Speaker["newId"]): Fields => {
  const namespace = offered?.namespace
  const name = namespace ? tool.slice(namespace.length + 1) : tool
  const status = "completed"
  if (offered?.kind === "custom") {
    return {
      id: newId("ctc_"),
      type: "custom_tool_call",
      status,
      call_id,
      name,
      input: programOf(input),
      ...(namespace ? { namespace } : {}),
    }
  }
  if (offered?.kind === "shell") {
    const { command = [] } = fieldsOf(parsedInput(input))
    return { id: newId("lsh_"), type: "local_shell_call", status, call_id, action: { type: "exec", command, env: {} } }
  }
  return {
    id: newId("fc_"),
    type: "function_call",
    status,
    call_id,
    name,
    arguments: input,
    ...(namespace ? { namespace } : {}),
  }
}

/** The text for a custom tool. If the script has an object, its only field is used. */
const programOf = (input: string): string => {
  const value = parsedInput(input)
  if (typeof value === "string") return value
  const values = Object.values(fieldsOf(value))
  return values.length === 1 && typeof values[0] === "string" ? values[0] : input
}

export const itemFrames = (item: Fields, output_index: number): ResponseEvent[] => {
  const item_id = item.id
  const here = { item_id, output_index }
  const within = (added: Fields, events: ResponseEvent[]): ResponseEvent[] => [
    { data: { type: "response.output_item.added", output_index, item: { ...item, ...added } } },
    ...events,
    { data: { type: "response.output_item.done", output_index, item } },
  ]
  const pieces = (type: string, fields: Fields, text: string): ResponseEvent[] =>
    inPieces(text).map((delta) => ({ data: { type, ...fields, delta }, isPiece: true }))

  switch (item.type) {
    case "reasoning":
      return within({ summary: [] }, reasoningEvents(item, here, pieces))
    case "message":
      return within({ status: "in_progress", content: [] }, messageEvents(item, here, pieces))
    case "function_call": {
      const text = stringOf(item.arguments)
      return within({ status: "in_progress", arguments: "" }, [
        ...pieces("response.function_call_arguments.delta", here, text),
        { data: { type: "response.function_call_arguments.done", ...here, arguments: text } },
      ])
    }
    case "custom_tool_call": {
      const text = stringOf(item.input)
      return within({ status: "in_progress", input: "" }, [
        ...pieces("response.custom_tool_call_input.delta", here, text),
        { data: { type: "response.custom_tool_call_input.done", ...here, input: text } },
      ])
    }
    default:
      return within({ status: "in_progress" }, [])
  }
}

type Pieces = (type: string, fields: Fields, text: string) => ResponseEvent[]

const reasoningEvents = (item: Fields, where: Fields, pieces: Pieces): ResponseEvent[] => {
  const part = fieldsOf(listOf(item.summary)[0])
  const here = { ...where, summary_index: 0 }
  return [
    { data: { type: "response.reasoning_summary_part.added", ...here, part: { ...part, text: "" } } },
    ...pieces("response.reasoning_summary_text.delta", here, stringOf(part.text)),
    { data: { type: "response.reasoning_summary_text.done", ...here, text: part.text } },
    { data: { type: "response.reasoning_summary_part.done", ...here, part } },
  ]
}

const messageEvents = (item: Fields, where: Fields, pieces: Pieces): ResponseEvent[] => {
  const part = fieldsOf(listOf(item.content)[0])
  const here = { ...where, content_index: 0 }
  return [
    { data: { type: "response.content_part.added", ...here, part: { ...part, text: "" } } },
    ...pieces("response.output_text.delta", { ...here, logprobs: [] }, stringOf(part.text)),
    { data: { type: "response.output_text.done", ...here, text: part.text, logprobs: [] } },
    { data: { type: "response.content_part.done", ...here, part } },
  ]
}
