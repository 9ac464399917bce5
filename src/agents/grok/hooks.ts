/** Grok's hooks, of which only the reply at stopping has an effect. Lists and calls come from its session files. */
import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { answerWith } from "../hook-answer.ts"

export const hooks: HookAgent = {
  agentType: "grok",
  moments: { Stop: "stop" },
  listTools: {},
  ownTool: "headway__todo",
  // It is also called at the end of the program, when nothing can follow.
  isPassedOver: ({ reason }) => reason === "shutdown" || reason === "channel_closed",
  answer: answerWith("block"),
}
