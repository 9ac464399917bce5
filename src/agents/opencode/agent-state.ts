/** Reads opencode's state from our plugin in it. */
import type { ReadAgentState } from "../../bridges/hooks/hook.ts"
import { forReply } from "../asked.ts"
import { agentStateReader, asAgentState } from "../hook-agent-state.ts"

const readCommon = agentStateReader({})

export const readAgentState: ReadAgentState = (given) => {
  if (given.hook_event_name === "QuestionAsked") return asAgentState(forReply({ questions: given.questions }))
  return given.hook_event_name === "Replied" ? { kind: "goes-on" } : readCommon(given)
}
