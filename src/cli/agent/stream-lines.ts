/** Our agent's activity as JSON lines: text, tool calls, results, and every list as a unified event (behaviour A2). */
import type { AgentEvent } from "../../reference-agent/index.ts"
import { createPlanEvents } from "../../streams/events.ts"

export const createStreamLines = ({
  session,
  now,
}: {
  session: string
  now: () => Date
}): ((event: AgentEvent) => object[]) => {
  const texts = new Map<string, string>()
  const listOf = createPlanEvents({ session, agentType: "headway", now })

  /** The complete text of a turn: text of a failed attempt is discarded and was never printed. */
  const words = (agent: string): object[] => {
    const text = texts.get(agent) ?? ""
    texts.delete(agent)
    return text === "" ? [] : [{ type: "text", text }]
  }

  const linesOf = (event: AgentEvent): object[] => {
    const { agent } = event
    switch (event.type) {
      case "text-said":
        texts.set(agent, `${texts.get(agent) ?? ""}${event.text}`)
        return []
      case "turn-failed":
        texts.delete(agent)
        return [{ type: "turn_failed", message: event.message, willRetry: event.willRetry }]
      case "turn-ended":
        return words(agent)
      case "tool-called":
        // Calls of list tools are reported as lists (behaviour A3).
        return event.isSilent ? [] : [{ type: "tool_call", id: event.id, tool: event.tool, input: event.input }]
      case "tool-ended": {
        const { id, tool, text, isError, isSilent } = event
        return isSilent ? [] : [{ type: "tool_result", id, tool, text, isError }]
      }
      case "permission-asked": {
        const { action, target, isOutside, question, detail } = event.permission
        return [{ type: "permission", action, target, isOutside, question, detail, allowed: event.allowed }]
      }
      case "agent-started": {
        const { description, depth, todo } = event
        return [{ type: "agent_started", description, depth, ...(todo === undefined ? {} : { todo }) }]
      }
      case "agent-ended":
        return [{ type: "agent_ended", ending: event.ending, text: event.text }]
      case "compacted":
        return [{ type: "compacted", summary: event.summary }]
      case "mode-changed":
        return [{ type: "mode_changed", isPlanMode: event.isPlanMode }]
      case "notice-given":
        return [{ type: "notice", message: event.message }]
      default:
        return []
    }
  }

  return (event) => {
    const list = event.type === "plan-changed" ? listOf(event.agent, event.plan) : undefined
    const agentId = event.agent === "main" ? session : event.agent
    return [...(list ? [list] : []), ...linesOf(event).map((line) => ({ ...line, agentId }))]
  }
}
