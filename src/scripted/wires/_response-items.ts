/** Reads the input of a Responses request: items of many types, some only named by id, become messages and tools. */
import { type AskedMessage, type AskedPart, joinMessages, type OfferedTool } from "../exchange.ts"
import { contentText, type Fields, fieldsOf, listOf, parsedInput, stringOf, textPart, texts } from "./_fields.ts"
import type { WireRequest } from "./wire.ts"

/** All input items of a request; references are replaced by what they refer to. */
export const wholeInput = ({ body, memory }: WireRequest): Fields[] => {
  const { input, previous_response_id } = fieldsOf(body)
  const before = listOf(memory.get(stringOf(previous_response_id)))
  const items = typeof input === "string" ? [{ role: "user", content: input }] : listOf(input)
  const known = items.map((item) =>
    item.type === "item_reference" ? fieldsOf(memory.get(stringOf(item.id)) ?? item) : item,
  )
  return [...before, ...known]
}

export const messagesOf = (items: readonly Fields[]): AskedMessage[] => joinMessages(items.map(messageOf))

const messageOf = (item: Fields): AskedMessage => {
  const type = stringOf(item.type)
  if (type.endsWith("_output")) {
    return { role: "tool", parts: [{ type: "result", id: stringOf(item.call_id), text: outputText(item.output) }] }
  }
  if (type === "reasoning") {
    const text = texts(listOf(item.summary).map((part) => part.text)).join("\n")
    return { role: "assistant", parts: text === "" ? [] : [{ type: "thinking", text }] }
  }
  if (type.endsWith("_call")) return { role: "assistant", parts: callPart(item) }
  // A message from another agent of a team counts as a user's message.
  const role = item.role === "developer" ? "system" : type === "agent_message" ? "user" : item.role
  const known = (["system", "user", "assistant"] as const).find((one) => one === role)
  return known ? { role: known, parts: contentParts(item.content) } : { role: "user", parts: [] }
}

const outputText = (output: unknown): string =>
  typeof output === "string" || Array.isArray(output) ? contentText(output) : JSON.stringify(output ?? "")

const callPart = ({ type, call_id, name, namespace, arguments: input, input: custom, action }: Fields): AskedPart[] => {
  if (typeof call_id !== "string") return []
  const tool = texts([namespace, name ?? type]).join(".")
  return [{ type: "call", id: call_id, tool, input: custom ?? action ?? parsedInput(stringOf(input)) }]
}

const contentParts = (content: unknown): AskedPart[] => {
  if (typeof content === "string") return textPart(content)
  // Only the service can read encrypted content. This service's own content is plain.
  return listOf(content).map(({ type, text, encrypted_content = text }) =>
    typeof encrypted_content === "string"
      ? { type: "text", text: encrypted_content }
      : { type: "file", mediaType: stringOf(type) },
  )
}

/** The tools of a request, which are next to the input; newer Codex versions put them into the input. */
export const offeredTools = ({ body }: WireRequest, items: readonly Fields[]): OfferedTool[] => [
  ...listOf(fieldsOf(body).tools).flatMap((tool) => toolsOf(tool)),
  ...items.flatMap((item) =>
    item.type === "additional_tools" ? listOf(item.tools).flatMap((tool) => toolsOf(tool)) : [],
  ),
]

const toolsOf = (tool: Fields, namespace?: string): OfferedTool[] => {
  const { type, description, parameters, format } = tool
  const name = stringOf(tool.name) || stringOf(type)
  if (type === "namespace") return listOf(tool.tools).flatMap((inner) => toolsOf(inner, name))
  const kind = type === "custom" ? "custom" : type === "local_shell" ? "shell" : "function"
  return [
    {
      name: namespace ? `${namespace}.${name}` : name,
      description: stringOf(description),
      schema: parameters ?? format,
      ...(namespace ? { namespace } : {}),
      ...(kind === "function" ? {} : { kind }),
    },
  ]
}
