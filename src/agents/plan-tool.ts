/** Whether a session has a tool for plans, going by what the client says about itself. */
import type { PlanTool } from "../sessions/source.ts"

/** From the names of a client's tools, where it says them. */
export const planToolIn = (tools: readonly string[] | undefined, names: readonly string[]): PlanTool | undefined => {
  if (tools === undefined) return undefined
  return names.some((name) => tools.includes(name)) ? "present" : "absent"
}
