/** Calls of Headway's own tools in the sessions of other agents: which dialect they use, and how to find them. */
import { offeredTools } from "../dialects/offered-tools.ts"
import { textOf } from "../streams/line.ts"
import { ownToolName, serverName } from "./own-tool-name.ts"

export { serverName } from "./own-tool-name.ts"

/** The dialect of a call to us, and the tool under its own name. */
export type OwnTool = { dialect: string; tool: string }

/** Some bytes of the names clients give to our tools that are rare elsewhere, for the needles of a stream. */
export const ownToolNeedles = {
  /** `…headway__todo` */
  claude: "way__",
  /** `mcp_headway_todo`, `headway_todo` */
  underscore: "way_",
} as const

/**
 * Bytes that occur in every reply of ours that has ids: its structured part, as data and as JSON in a text, and its
 * last line ("1/5 done, next: 2 …").
 */
export const ownReplyNeedles = ["uredCo", 'dos\\":[', "e, next"] as const

export const ownTool = (name: unknown): OwnTool | undefined => {
  const tool = ownToolName(textOf(name) ?? "")
  return tool === undefined ? undefined : toolOf(tool)
}

/** For a client that names the server and its tool apart. */
export const ownToolOf = (server: unknown, tool: unknown): OwnTool | undefined =>
  server === serverName ? toolOf(textOf(tool) ?? "") : undefined

const toolOf = (tool: string): OwnTool | undefined => {
  const dialect = Object.hasOwn(offeredTools, tool) ? offeredTools[tool] : undefined
  return dialect && { dialect, tool }
}
