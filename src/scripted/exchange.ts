/** One exchange with a model, whatever the wire: what it was asked, and what it says. */

export type Asked = {
  model: string
  /** Every system text before the first message, one below the other. */
  system: string
  messages: AskedMessage[]
  tools: OfferedTool[]
  stream: boolean
}

/**
 * Results are in separate messages, whichever role the wire gives them, and neighbours of one role are one
 * message: so the same conversation reads the same over every wire. A system message is one said later on.
 */
export type AskedMessage = { role: "system" | "user" | "assistant" | "tool"; parts: AskedPart[] }

export type AskedPart =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  /** `input` is text where the model did not send JSON. */
  | { type: "call"; id: string; tool: string; input: unknown }
  /** `isError` only where the wire can say so. */
  | { type: "result"; id: string; text: string; isError?: boolean }
  /** A picture or document; only what kind is kept. */
  | { type: "file"; mediaType: string }

export type OfferedTool = {
  /** As a script may call it; with its namespace in front, `space.name`, where the wire has such. */
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
  /** The stream breaks after this many pieces: the connection is cut, or stays open and silent. */
  breaks?: { after: number; how: "drop" | "hang" }
}

export type ReplyCall = {
  id: string
  /** The name the request offered, or the script's word where it offered none like it. */
  tool: string
  /** The arguments as text: JSON, or what the script sends in its place. */
  input: string
  offered?: OfferedTool
}

export type StopReason = "end" | "calls" | "length" | "refusal"

/** An error response of a provider. */
export type Failure = { status: number; message: string }

/** Stands between messages as they came and as they are compared: joins neighbours of one role, leaves out empty ones. */
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

/** All text of a message, also of its results. */
export const textOf = ({ parts }: AskedMessage): string =>
  parts.flatMap((part) => (part.type === "text" || part.type === "result" ? [part.text] : [])).join("\n")

/** Roughly: four letters are a token. */
export const tokensIn = (letters: number): number => Math.max(1, Math.ceil(letters / 4))

export const countTokens = ({ system, messages, tools }: Asked): number =>
  tokensIn(system.length + JSON.stringify(messages).length + (tools.length > 0 ? JSON.stringify(tools).length : 0))

/** Streamed like a model's output: a few letters at a time, never half a character. */
export const inPieces = (text: string): string[] => text.match(/[\s\S]{1,24}/gu) ?? []

/** What still gets out of a stream that breaks: up to the piece that is one too many, never its proper end. */
export const untilBreak = <Part extends { isPiece?: boolean }>(
  parts: readonly Part[],
  { breaks }: ModelReply,
): Part[] => {
  if (!breaks) return [...parts]
  const pieces = [...parts.keys()].filter((index) => parts[index]?.isPiece)
  return parts.slice(0, pieces[breaks.after] ?? (pieces.at(-1) ?? -1) + 1)
}
