/** Gemini CLI's older chat files (`~/.gemini/tmp/<project>/chats/session-*.json`): one document with all records. */
import type { Stream } from "../../streams/stream.ts"
import { geminiChat } from "./chat.ts"

export const geminiDocument = {
  ...geminiChat,
  id: "gemini-document",
  title: "Gemini CLI chat document",
  isDocument: true,
  recognises: ({ sessionId, projectHash, messages }) =>
    typeof sessionId === "string" && typeof projectHash === "string" && Array.isArray(messages),
} satisfies Stream
