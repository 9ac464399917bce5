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
  },
  listTools: { todowrite: "opencode" },
  ownTool: "headway_todo",
  isNeverHeld: true,
  answer: answerWith("block"),
}
