/** What our plugin in opencode tells of: it names events as Claude Code's hooks do. */

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
