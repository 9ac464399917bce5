/** The tools of Gemini CLI that are about its list, and the dialect each belongs to. */

/** The dialect of a tool, or undefined when it has nothing to do with a list. */
export const geminiDialect = (tool: unknown): string | undefined => {
  if (tool === "write_todos") return "gemini"
  return typeof tool === "string" && tool.startsWith("tracker_") ? "gemini-tracker" : undefined
}
