/** Reads an agent's state from the hook events that most agents share with Claude Code. */
import type { AgentState, ReadAgentState } from "../bridges/hooks/hook.ts"
import { textOf } from "../streams/line.ts"
import type { WaitsFor } from "../streams/stream.ts"
import { type AskingTools, permissionFor, questionByCall } from "./questions.ts"

/** `asking` are the tools with which the agent asks the person, by their names in its hooks. */
export const agentStateReader =
  (asking: AskingTools): ReadAgentState =>
  ({ hook_event_name, tool_name, tool_input, error, error_details, last_assistant_message }) => {
    switch (hook_event_name) {
      case "PermissionRequest": {
        const tool = textOf(tool_name)
        return asAgentState(questionByCall(asking, tool ?? "", tool_input) ?? permissionFor(tool, tool_input))
      }
      case "StopFailure":
        return failed(textOf(last_assistant_message) ?? textOf(error_details) ?? textOf(error))
      case "SessionEnd":
        return { kind: "ended" }
      default:
        return undefined
    }
  }

export const failed = (text: string | undefined): AgentState => ({
  kind: "failed",
  ...(text === undefined ? {} : { text }),
})

/** The end of a turn is reported by another event. */
export const asAgentState = ({ kind, text }: WaitsFor): AgentState | undefined =>
  kind === "turn" ? undefined : { kind, ...(text === undefined ? {} : { text }) }
