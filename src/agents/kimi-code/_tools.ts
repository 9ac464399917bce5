/** The tools with which Kimi Code keeps a list, and those with which it asks the person. */

import { type OwnTool, ownTool } from "../own-tool.ts"
import type { AskingTools } from "../questions.ts"

export const nativeTool = "TodoList"

export const listTool = (name: string | undefined): OwnTool | undefined =>
  name === nativeTool ? { dialect: "kimi", tool: nativeTool } : ownTool(name)

export const askingTools: AskingTools = { AskUserQuestion: "question", ExitPlanMode: "plan" }
