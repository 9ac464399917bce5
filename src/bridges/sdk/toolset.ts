/** The list tools for one plan and one model API: a call counts once, even if a service reuses call ids. */
import type { HostOptions } from "../../host/options.ts"
import { createToolset, type ToolAnswer, type Toolset } from "../../host/toolset.ts"
import type { Tracker } from "../../tracker/tracker.ts"
import { callIdOf } from "../calls/call-id.ts"

export type PlanTools = Omit<Toolset, "call"> & {
  /** Never rejects for what a model sent; input may be a value or raw text. */
  call(name: string, input: unknown, id: string | undefined): Promise<ToolAnswer>
}

export const toolsForPlan = (tracker: Tracker, options: HostOptions): PlanTools => {
  const toolset = createToolset(options)
  return {
    ...toolset,
    call: (name, input, id) =>
      toolset.call(tracker, { name, input, ...(id === undefined ? {} : { callId: callIdOf(id, input) }) }),
  }
}
