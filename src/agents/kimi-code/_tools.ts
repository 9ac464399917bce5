/** The tools that keep a list in a session of Kimi Code, and those by which it asks the person. */
import type { AskingTools } from "../asked.ts"
import { type OwnTool, ownTool } from "../own-tool.ts"

export const nativeTool = "TodoList"

export const listTool = (name: string | undefined): OwnTool | undefined =>
  name === nativeTool ? { dialect: "kimi", tool: nativeTool } : ownTool(name)

export const askingTools: AskingTools = { AskUserQuestion: "question", ExitPlanMode: "plan" }
