/** The events of our plugin in opencode, named like those of Claude Code's hooks. */

import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { answerWith } from "../hook-answer.ts"

export const hooks: HookAgent = {
  agentType: "opencode",
  moments: {
    SessionStart: "start",
    UserPromptSubmit: "prompt",
    PreToolUse: "call",
    PostToolUse: "tool",
    Stop: "stop",
    PermissionRequest: "stand",
    QuestionAsked: "stand",
    Replied: "stand",
    StopFailure: "stand",
  },
  listTools: { todowrite: "opencode" },
  ownTool: "headway_todo",
  isNeverHeld: true,
  stand: async () => (await import("./stand.ts")).readStand,
  answer: answerWith("block"),
}
