/** Qwen Code's hooks: those of Claude Code, except that the prompt event also occurs at other moments. */

import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { hasError } from "../google-gemini/hook-refusal.ts"
import { answerWith } from "../hook-answer.ts"

export const hooks: HookAgent = {
  agentType: "qwen-code",
  moments: {
    SessionStart: "start",
    UserPromptSubmit: "prompt",
    PreToolUse: "call",
    PostToolUse: "tool",
    Stop: "stop",
    PermissionRequest: "state",
    StopFailure: "state",
    SessionEnd: "state",
  },
  promptField: "submitted_prompt",
  listTools: { todo_write: "qwen" },
  ownTool: "mcp__headway__todo",
  isRefused: hasError,
  agentState: async () => (await import("./agent-state.ts")).readAgentState,
  answer: answerWith("block"),
}
