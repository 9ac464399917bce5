/** Makes an answer safe to send back: every provider accepts it, and it can be stored as JSON. */
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
  // Some providers refuse a text that contains only white space.
  if (part.type === "text") return part.text.trim() === "" ? [] : [part]
  if (part.type !== "tool-call") return [part]
  // All providers require arguments to be an object. The tool itself got what the model really sent.
  return [{ ...part, toolName: sendableName(part.toolName), input: isRecord(part.input) ? part.input : {} }]
}

/** Replaces characters that no provider accepts, because a model may have invented a tool's name. */
export const sendableName = (tool: string): string => tool.replace(/[^\w-]/g, "_").slice(0, 64) || "_"
