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
    PermissionRequest: "state",
    QuestionAsked: "state",
    Replied: "state",
    StopFailure: "state",
  },
  listTools: { todowrite: "opencode" },
  ownTool: "headway_todo",
  isNeverHeld: true,
  agentState: async () => (await import("./agent-state.ts")).readAgentState,
  answer: answerWith("block"),
}
