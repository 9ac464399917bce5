/** The tools that keep a list in a session of Kimi Code. */
import { type OwnTool, ownTool } from "../own-tool.ts"

export const nativeTool = "TodoList"

export const listTool = (name: string | undefined): OwnTool | undefined =>
  name === nativeTool ? { dialect: "kimi", tool: nativeTool } : ownTool(name)
