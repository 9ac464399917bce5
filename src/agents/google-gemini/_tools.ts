/** The list tools in Gemini CLI, its own and ours, and the dialect of each. */
import { type OwnTool, ownTool } from "../own-tool.ts"

/** The dialect of a tool, and its name there; undefined if the tool keeps no list. */
export const listTool = (name: string | undefined): OwnTool | undefined => {
  if (name === "write_todos") return { dialect: "gemini", tool: name }
  return name?.startsWith("tracker_") ? { dialect: "gemini-tracker", tool: name } : ownTool(name)
}
