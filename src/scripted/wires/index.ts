/** The table of wires, one row each. The first one that recognises a request handles it. */
import { anthropicMessages } from "./anthropic-messages.ts"
import { gemini } from "./gemini.ts"
import { openaiChat } from "./openai-chat.ts"
import { openaiResponses } from "./openai-responses.ts"
import type { Wire } from "./wire.ts"

export const wires = {
  "anthropic-messages": anthropicMessages,
  "openai-responses": openaiResponses,
  gemini,
  "openai-chat": openaiChat,
} as const satisfies Record<string, Wire>

export type { Frame, Speaker, Wire, WireRequest } from "./wire.ts"
