/** Decides from a session's list of tools whether it has a plan tool: the agent's own, or Headway's. */
import type { Source } from "../sessions/source.ts"
import { ownToolName } from "./own-tool-name.ts"

/**
 * With a tool search, tools are only listed once they were searched for, so a missing tool may still exist.
 */
const searches: readonly string[] = ["ToolSearch", "tool_search"]

export const planToolFrom =
  (names: readonly string[]): Source["planTool"] =>
  ({ tools }) => {
    if (tools === undefined) return "unknown"
    // All tools of Headway's server are plan tools.
    if (tools.some((tool) => names.includes(tool) || ownToolName(tool) !== undefined)) return "present"
    return tools.some((tool) => searches.includes(tool)) ? "unknown" : "absent"
  }
