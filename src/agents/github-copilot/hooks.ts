/** Copilot CLI's hooks: Claude Code's events, with replies in its own format. */
import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { sqlTodos } from "../sql-todos.ts"
import { lastMessageIn } from "./_last-message.ts"

export const hooks: HookAgent = {
  agentType: "github-copilot",
  moments: {
    SessionStart: "start",
    UserPromptSubmit: "prompt",
    PreToolUse: "call",
    PostToolUse: "tool",
    Stop: "stop",
  },
  listTools: { sql: "copilot" },
  sharedTools: ["sql"],
  isListInFiles: true,
  ownTool: "headway-todo",
  isRefused: ({ tool_result: result }) =>
    isRecord(result) && result.result_type !== undefined && result.result_type !== "success",
  // Rows of other tables are not todos.
  resultOf: ({ tool_input: input, tool_result: result }) =>
    sqlTodos(input) && isRecord(result) ? result.text_result_for_llm : undefined,
  rootField: "parent_agent_id",
  lastWords: async ({ transcript_path: path }) => (typeof path === "string" ? lastMessageIn(path) : undefined),
  answer: ({ moment }, { context, holds }) => {
    if (moment === "stop" && holds !== undefined) return { decision: "block", reason: holds }
    return context === undefined ? undefined : { additionalContext: context }
  },
}
