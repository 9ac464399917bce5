/** Codex's hooks: the events and replies of Claude Code, and its own plan tool. */

import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { answerWith } from "../hook-answer.ts"
import { isAccepted } from "./_answer.ts"

export const hooks: HookAgent = {
  agentType: "openai-codex",
  moments: {
    SessionStart: "start",
    UserPromptSubmit: "prompt",
    PostToolUse: "tool",
    Stop: "stop",
    PermissionRequest: "state",
    SessionEnd: "state",
  },
  listTools: { update_plan: "codex" },
  ownTool: "todo",
  isRefused: ({ tool_response: output }) => !isAccepted(output),
  agentState: async () => (await import("./agent-state.ts")).readAgentState,
  answer: answerWith("block"),
}
