/** The tools with which Claude Code asks the person. */
import type { AskingTools } from "../questions.ts"

export const askingTools: AskingTools = { AskUserQuestion: "question", ExitPlanMode: "plan" }
