/** Headway's own tools in the sessions of other agents: every client gives a tool of an MCP server a name of its own. */
import { dialects } from "../dialects/index.ts"
import { textOf } from "../streams/line.ts"

/** The dialect of a call to us, and the tool under its own name. */
export type OwnTool = { dialect: string; tool: string }

/**
 * `mcp__headway__todo` (Claude Code, Qwen Code), `mcp__plugin_headway_headway__todo` (from a plugin), `mcp__headway.todo`
 * (Codex), `mcp_headway_todo` (Gemini CLI), `headway_todo` (opencode), and the same with another sign in between.
 */
const names = /^(?:mcp_{1,2})?(?:plugin_headway_)?headway(?:_{1,2}|[./:-])(?<tool>[\w-]{1,64})$/

/** Some bytes of each of these names that are rare elsewhere, for the needles of a stream. */
export const ownToolNeedles = {
  /** `…headway__todo` */
  claude: "dway__",
  /** `mcp_headway_todo`, `headway_todo` */
  underscore: "adway_",
} as const

/**
 * Bytes that stand in every reply of ours that says ids: its structured part, as data and as JSON in a text, and its
 * last line ("1/5 done, next: 2 …").
 */
export const ownReplyNeedles = ["uredCo", 'dos\\":[', "e, next"] as const

export const ownTool = (name: unknown): OwnTool | undefined => {
  const tool = names.exec(textOf(name) ?? "")?.groups?.tool
  return tool === undefined ? undefined : toolOf(tool)
}

/** For a client that names the server and its tool apart. */
export const ownToolOf = (server: unknown, tool: unknown): OwnTool | undefined =>
  server === "headway" ? toolOf(textOf(tool) ?? "") : undefined

/** The server offers one dialect's tools; a name that two of them have means the first. */
const toolOf = (tool: string): OwnTool | undefined => {
  const found = Object.values(dialects).find(({ tools }) => tools.some(({ name }) => name === tool))
  return found && { dialect: found.id, tool }
}
