/** The list tools of the agent, as the host wants them: silent, exclusive, and written through the tracker. */
import type { Dialect } from "../dialects/dialect.ts"
import type { Toolset } from "../host/toolset.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { AgentTool } from "./registry.ts"

export type TodoToolsOptions = { toolset: Toolset; tracker: Tracker; isEnabled: boolean }

/** Never in parallel: a list call is not safe next to another, so two in one turn are applied in order (C26). */
export const createTodoTools = ({ toolset, tracker, isEnabled }: TodoToolsOptions): AgentTool[] =>
  toolset.definitions.map(({ inputSchema, call: _, checkPermissions: __, ...definition }) => ({
    ...definition,
    schema: inputSchema,
    isEnabled: () => isEnabled && definition.isEnabled(),
    isSilent: true,
    needsPermission: async () => undefined,
    async run(input, { callId }) {
      // Some models number their calls from the start in every answer. Here each is made once, so a known id is another call's.
      const named = tracker.ledger.calls.has(callId) ? {} : { callId }
      const { text, isError } = await toolset.call(tracker, { name: definition.name, input, ...named })
      return { text, isError }
    },
  }))

/** Whether the list is offered to this agent at all (O17): it may be off, and some lists are not for sub-agents. */
export const offersTodos = (
  { notForSubAgents = false, notWithYield = false }: Pick<Dialect, "notForSubAgents" | "notWithYield">,
  host: { isEnabled: boolean; isSubAgent: boolean; includesYield: boolean },
): boolean => host.isEnabled && !(notForSubAgents && host.isSubAgent) && !(notWithYield && host.includesYield)
