/** An answer as it may be sent back: every provider takes it, and it survives being kept as JSON. */
import type { AssistantModelMessage, ModelMessage } from "ai"
import { isRecord } from "../plan/log/shape.ts"

type Parts = Exclude<AssistantModelMessage["content"], string>

export const sendable = (messages: readonly ModelMessage[]): AssistantModelMessage => ({
  role: "assistant",
  content: messages.flatMap((message) => (message.role === "assistant" ? partsOf(message).flatMap(sendablePart) : [])),
})

const partsOf = ({ content }: AssistantModelMessage): Parts =>
  typeof content === "string" ? [{ type: "text", text: content }] : content

const sendablePart = (part: Parts[number]): Parts => {
  // A text of nothing but white space is an error to some.
  if (part.type === "text") return part.text.trim() === "" ? [] : [part]
  if (part.type !== "tool-call") return [part]
  // Arguments are an object to all of them; what the model really sent went to the tool.
  return [{ ...part, toolName: sendableName(part.toolName), input: isRecord(part.input) ? part.input : {} }]
}

/** A tool the model made up may have a name that no provider takes. */
export const sendableName = (tool: string): string => tool.replace(/[^\w-]/g, "_").slice(0, 64) || "_"
