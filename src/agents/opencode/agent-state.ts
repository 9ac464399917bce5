/** Reads opencode's state from the events of our plugin. */
import type { ReadAgentState } from "../../bridges/hooks/hook.ts"
import { agentStateReader, asAgentState } from "../hook-agent-state.ts"
import { questionFrom } from "../questions.ts"

const readCommon = agentStateReader({})

export const readAgentState: ReadAgentState = (given) => {
  if (given.hook_event_name === "QuestionAsked") return asAgentState(questionFrom({ questions: given.questions }))
  return given.hook_event_name === "Replied" ? { kind: "goes-on" } : readCommon(given)
}
