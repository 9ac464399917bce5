/** Whether a session has a plan tool, according to its list of tools: the agent's own, or Headway's. */
import type { Source } from "../sessions/source.ts"
import { ownToolName } from "./own-tool-name.ts"

/**
 * With a tool search, tools that were not searched for are not listed, so a missing one proves nothing.
 */
const searches: readonly string[] = ["ToolSearch", "tool_search"]

export const planToolFrom =
  (names: readonly string[]): Source["planTool"] =>
  ({ tools }) => {
    if (tools === undefined) return "unknown"
    // Headway's server has no other tools than those for plans.
    if (tools.some((tool) => names.includes(tool) || ownToolName(tool) !== undefined)) return "present"
    return tools.some((tool) => searches.includes(tool)) ? "unknown" : "absent"
  }
