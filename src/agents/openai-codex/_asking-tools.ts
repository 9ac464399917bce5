/** The tool with which Codex asks the person. */
import type { AskingTools } from "../questions.ts"

export const askingTools: AskingTools = { request_user_input: "question" }
