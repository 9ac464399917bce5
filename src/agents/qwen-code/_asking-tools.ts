/** The tools with which Qwen Code asks the person. */
import type { AskingTools } from "../questions.ts"

export const askingTools: AskingTools = { ask_user_question: "question", exit_plan_mode: "plan" }
