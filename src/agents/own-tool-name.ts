/** How clients name the tools of Headway's own MCP server: each prefixes the server's name in its own way. */

/** The name of our server in every agent's configuration. */
export const serverName = "headway"

/**
 * `mcp__headway__todo` (Claude Code, Qwen Code), `mcp__plugin_headway_headway__todo` (from a plugin), `mcp__headway.todo`
 * (Codex), `mcp_headway_todo` (Gemini CLI), `headway_todo` (opencode), and the same with another sign in between.
 */
const names = new RegExp(String.raw`^(?:\w*_)?${serverName}(?:_{1,2}|[./:-])(?<tool>[\w-]{1,64})$`)

/** The tool's name on our server; undefined for a tool of another server. */
export const ownToolName = (name: string): string | undefined => names.exec(name)?.groups?.tool
