/** Grok's hooks. Only the reply to the hook for stopping has an effect. Lists and calls come from its session files. */
import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { answerWith } from "../hook-answer.ts"

export const hooks: HookAgent = {
  agentType: "grok",
  moments: { Stop: "stop" },
  listTools: {},
  ownTool: "headway__todo",
  // Also called when the program ends, when the agent cannot continue.
  isPassedOver: ({ reason }) => reason === "shutdown" || reason === "channel_closed",
  answer: answerWith("block"),
}
