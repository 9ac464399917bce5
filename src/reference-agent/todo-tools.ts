/**
 * The agent's list tools with the host's options. They are not shown, never run in parallel, and write through the
 * tracker.
 */
import type { Dialect } from "../dialects/dialect.ts"
import type { Toolset } from "../host/toolset.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { AgentTool } from "./registry.ts"

export type TodoToolsOptions = { toolset: Toolset; tracker: Tracker; isEnabled: boolean }

/** Not safe to run in parallel: two list calls in one turn are applied in order (behaviour C26). */
export const createTodoTools = ({ toolset, tracker, isEnabled }: TodoToolsOptions): AgentTool[] =>
  toolset.definitions.map(({ inputSchema, call: _, checkPermissions: __, ...definition }) => ({
    ...definition,
    schema: inputSchema,
    isEnabled: () => isEnabled && definition.isEnabled(),
    isSilent: true,
    needsPermission: async () => undefined,
    async run(input, { callId }) {
      // Some models number their calls from 1 in every answer. Each call arrives here once, so a known id belongs to
      // another call.
      const named = tracker.ledger.calls.has(callId) ? {} : { callId }
      const { text, isError } = await toolset.call(tracker, { name: definition.name, input, ...named })
      return { text, isError }
    },
  }))

/** Whether this agent gets the list at all (behaviour O17): it may be off, and some lists are not for sub-agents. */
export const offersTodos = (
  { notForSubAgents = false, notWithYield = false }: Pick<Dialect, "notForSubAgents" | "notWithYield">,
  host: { isEnabled: boolean; isSubAgent: boolean; includesYield: boolean },
): boolean => host.isEnabled && !(notForSubAgents && host.isSubAgent) && !(notWithYield && host.includesYield)
