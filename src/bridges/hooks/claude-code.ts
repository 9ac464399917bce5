/** Claude Code's hooks. */
import { answerWith } from "./_shape.ts"
import type { HookAgent } from "./hook.ts"

export const claudeCode: HookAgent = {
  agentType: "claude-code",
  moments: { SessionStart: "start", UserPromptSubmit: "prompt", PostToolUse: "tool", Stop: "stop" },
  listTools: {
    TodoWrite: "claude-todos",
    TaskCreate: "claude-tasks",
    TaskUpdate: "claude-tasks",
    TaskList: "claude-tasks",
    TaskGet: "claude-tasks",
  },
  sharedTools: ["TaskCreate", "TaskUpdate", "TaskList", "TaskGet"],
  ownTool: "mcp__headway__todo",
  answer: answerWith("block"),
}
