/** Calls of Headway's own tools in the sessions of other agents: which dialect they use, and how to find them. */
import { offeredTools } from "../dialects/offered-tools.ts"
import { textOf } from "../streams/line.ts"
import { ownToolName, serverName } from "./own-tool-name.ts"

export { serverName } from "./own-tool-name.ts"

/** The dialect of a call to our server, and the tool's own name. */
export type OwnTool = { dialect: string; tool: string }

/** Parts of the names that clients give to our tools. They are rare elsewhere, so they serve as a stream's needles. */
export const ownToolNeedles = {
  /** `…headway__todo` */
  claude: "way__",
  /** `mcp_headway_todo`, `headway_todo` */
  underscore: "way_",
} as const

/**
 * Texts that occur in every reply of ours with ids: in its structured part, as data and as JSON in a string, and in its
 * last line ("1/5 done, next: 2 …").
 */
export const ownReplyNeedles = ["uredCo", 'dos\\":[', "e, next"] as const

export const ownTool = (name: unknown): OwnTool | undefined => {
  const tool = ownToolName(textOf(name) ?? "")
  return tool === undefined ? undefined : toolOf(tool)
}

/** Our tool, for a client that names server and tool separately. */
export const ownToolOf = (server: unknown, tool: unknown): OwnTool | undefined =>
  server === serverName ? toolOf(textOf(tool) ?? "") : undefined

const toolOf = (tool: string): OwnTool | undefined => {
  const dialect = Object.hasOwn(offeredTools, tool) ? offeredTools[tool] : undefined
  return dialect && { dialect, tool }
}
