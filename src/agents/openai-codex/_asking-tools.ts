/** The tool by which Codex asks the person. */
import type { AskingTools } from "../asked.ts"

export const askingTools: AskingTools = { request_user_input: "question" }
