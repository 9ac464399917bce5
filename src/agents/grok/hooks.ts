/** Grok's hooks, of which one is heard: what is said when it stops. Its lists and calls are known by its session files. */
import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { answerWith } from "../hook-answer.ts"

export const hooks: HookAgent = {
  agentType: "grok",
  moments: { Stop: "stop" },
  listTools: {},
  ownTool: "headway__todo",
  // It is also told of the end of the program, when nothing can follow.
  isPassedOver: ({ reason }) => reason === "shutdown" || reason === "channel_closed",
  answer: answerWith("block"),
}
