/** Gemini CLI's hooks: other names for the same moments. They say whose call it is, which its MCP client does not. */

import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { answerWith } from "../hook-answer.ts"
import { hasError } from "../hook-refusal.ts"

export const hooks: HookAgent = {
  agentType: "google-gemini",
  moments: {
    SessionStart: "start",
    BeforeAgent: "prompt",
    BeforeTool: "call",
    AfterTool: "tool",
    AfterAgent: "stop",
    Notification: "state",
    SessionEnd: "state",
  },
  listTools: {
    write_todos: "gemini",
    tracker_create_task: "gemini-tracker",
    tracker_update_task: "gemini-tracker",
    tracker_add_dependency: "gemini-tracker",
  },
  ownTool: "mcp_headway_todo",
  isRefused: hasError,
  agentState: async () => (await import("./agent-state.ts")).readAgentState,
  answer: answerWith("deny"),
}
