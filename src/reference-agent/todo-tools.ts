/** The list tools of the agent, in the vocabulary it was given: silent, exclusive, and written through the tracker. */
import { toolDefinitions } from "../dialects/definition.ts"
import type { Dialect, PromptLevel } from "../dialects/dialect.ts"
import type { Tracker } from "../tracker/tracker.ts"
import type { AgentTool } from "./registry.ts"

export type TodoToolsOptions = {
  dialect: Dialect
  level: PromptLevel
  tracker: Tracker
  isEnabled: boolean
}

/** Never two at once: a list call is not safe beside another, so that two in one turn apply in their order (C26). */
export const createTodoTools = ({ dialect, level, tracker, isEnabled }: TodoToolsOptions): AgentTool[] =>
  toolDefinitions(dialect, { level }).map((definition) => ({
    name: definition.name,
    description: definition.description,
    schema: definition.inputSchema,
    isEnabled: () => isEnabled && definition.isEnabled(),
    isReadOnly: definition.isReadOnly,
    isConcurrencySafe: definition.isConcurrencySafe,
    isSilent: true,
    needsPermission: async () => undefined,
    async run(input, { callId }) {
      // Some models number their calls from the start in every answer. Here each is made once, so a known id is another call's.
      const named = tracker.ledger.calls.has(callId) ? {} : { callId }
      const { ok, text } = await tracker.write({ tool: definition.name, input, ...named }, dialect)
      return { text, isError: !ok }
    },
  }))

/** Whether the list is offered to this agent at all (O17): it may be off, and some lists are not for sub-agents. */
export const offersTodos = (
  { notForSubAgents = false, notWithYield = false }: Pick<Dialect, "notForSubAgents" | "notWithYield">,
  host: { isEnabled: boolean; isSubAgent: boolean; includesYield: boolean },
): boolean => host.isEnabled && !(notForSubAgents && host.isSubAgent) && !(notWithYield && host.includesYield)
