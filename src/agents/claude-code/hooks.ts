/** Claude Code's hooks. */
import { join } from "node:path"
import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { answerWith } from "../hook-answer.ts"

export const hooks: HookAgent = {
  agentType: "claude-code",
  // Claude Code starts our server once, and does not tell it when it switches to another session or sub-agent.
  moments: {
    SessionStart: "start",
    UserPromptSubmit: "prompt",
    PreToolUse: "call",
    PostToolUse: "tool",
    TaskCompleted: "done",
    Stop: "stop",
    PermissionRequest: "state",
    SessionEnd: "state",
  },
  listTools: {
    TodoWrite: "claude-todos",
    TaskCreate: "claude-tasks",
    TaskUpdate: "claude-tasks",
    TaskList: "claude-tasks",
    TaskGet: "claude-tasks",
  },
  sharedTools: ["TaskCreate", "TaskUpdate", "TaskList", "TaskGet"],
  ownTool: "mcp__headway__todo",
  pluginTool: "mcp__plugin_headway_headway__todo",
  // Each call changes one task, so no later call repeats a change whose hook was killed.
  isListInFiles: true,
  projectVariable: "CLAUDE_PROJECT_DIR",
  subAgentFile: (session, agent) => join(session.replace(/\.jsonl$/, ""), "subagents", `agent-${agent}.jsonl`),
  agentState: async () => (await import("./agent-state.ts")).readAgentState,
  answer: answerWith("block"),
}
