/** One exchange with a model, independent of the wire: the request, and the reply. */

export type Asked = {
  model: string
  /** All system texts before the first message, joined by line breaks. */
  system: string
  messages: AskedMessage[]
  tools: OfferedTool[]
  stream: boolean
}

/**
 * Results are in separate messages, whichever role the wire gives them, and neighbouring messages of one role are
 * joined, so that a conversation is the same over every wire. A system message is one that came after the first
 * message.
 */
export type AskedMessage = { role: "system" | "user" | "assistant" | "tool"; parts: AskedPart[] }

export type AskedPart =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  /** `input` is a text if the model did not send JSON. */
  | { type: "call"; id: string; tool: string; input: unknown }
  /** `isError` only if the wire has such a field. */
  | { type: "result"; id: string; text: string; isError?: boolean }
  /** A picture or document, of which only the media type is kept. */
  | { type: "file"; mediaType: string }

export type OfferedTool = {
  /** The name for calls in a script. If the wire has namespaces, it is `namespace.name`. */
  name: string
  description: string
  schema: unknown
  namespace?: string
  /** @default "function" */
  kind?: "function" | "custom" | "shell"
}

export type ModelReply = {
  thinking: string
  text: string
  calls: ReplyCall[]
  usage: { input: number; output: number }
  stop: StopReason
  /** The stream breaks after this many pieces: the connection is closed, or stays open and silent. */
  breaks?: { after: number; how: "drop" | "hang" }
}

export type ReplyCall = {
  id: string
  /** The tool's name in the request, or the script's own name if the request has no such tool. */
  tool: string
  /** The arguments as text: JSON, or the script's text instead. */
  input: string
  offered?: OfferedTool
}

export type StopReason = "end" | "calls" | "length" | "refusal"

/** An error response of a provider. */
export type Failure = { status: number; message: string }

/** Joins neighbouring messages of one role and leaves out empty ones, so that conversations can be compared. */
export const joinMessages = (messages: readonly AskedMessage[]): AskedMessage[] => {
  const joined: AskedMessage[] = []
  for (const { role, parts } of messages) {
    if (parts.length === 0) continue
    const last = joined.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else joined.push({ role, parts: [...parts] })
  }
  return joined
}

/** All text of a message, including that of results. */
export const textOf = ({ parts }: AskedMessage): string =>
  parts.flatMap((part) => (part.type === "text" || part.type === "result" ? [part.text] : [])).join("\n")

/** A rough estimate: four letters per token. */
export const tokensIn = (letters: number): number => Math.max(1, Math.ceil(letters / 4))

export const countTokens = ({ system, messages, tools }: Asked): number =>
  tokensIn(system.length + JSON.stringify(messages).length + (tools.length > 0 ? JSON.stringify(tools).length : 0))

/** Splits a text like a model's stream: a few letters at a time, never within a character. */
export const inPieces = (text: string): string[] => text.match(/[\s\S]{1,24}/gu) ?? []

/** The parts of a stream that are sent before it breaks, without its proper end. */
export const untilBreak = <Part extends { isPiece?: boolean }>(
  parts: readonly Part[],
  { breaks }: ModelReply,
): Part[] => {
  if (!breaks) return [...parts]
  const pieces = [...parts.keys()].filter((index) => parts[index]?.isPiece)
  return parts.slice(0, pieces[breaks.after] ?? (pieces.at(-1) ?? -1) + 1)
}
