/** The tools of Gemini CLI that are about a list, its own and ours, and the dialect each belongs to. */
import { type OwnTool, ownTool } from "../own-tool.ts"

/** The dialect of a tool, and its name there; undefined when it has nothing to do with a list. */
export const listTool = (name: string | undefined): OwnTool | undefined => {
  if (name === "write_todos") return { dialect: "gemini", tool: name }
  return name?.startsWith("tracker_") ? { dialect: "gemini-tracker", tool: name } : ownTool(name)
}
