/** The tools by which Claude Code asks the person. */
import type { AskingTools } from "../asked.ts"

export const askingTools: AskingTools = { AskUserQuestion: "question", ExitPlanMode: "plan" }
