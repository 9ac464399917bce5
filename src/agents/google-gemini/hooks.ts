/** Gemini CLI's hooks: other names for the same moments. They name the caller, which its MCP client does not. */

import type { HookAgent } from "../../bridges/hooks/hook.ts"
import { isRecord } from "../../plan/log/shape.ts"
import { answerWith } from "../hook-answer.ts"
import { hasError } from "./hook-refusal.ts"

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
  // The text for the model, which contains the tracker's ids; the rest is for the screen.
  resultOf: ({ tool_response: result }) => (isRecord(result) ? textOf(result.llmContent) : result),
  agentState: async () => (await import("./agent-state.ts")).readAgentState,
  answer: answerWith("deny"),
}

/** The text of a content, which is a string or a list of parts. */
const textOf = (content: unknown): string => {
  if (typeof content === "string") return content
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return parts.flatMap((part) => (isRecord(part) && typeof part.text === "string" ? part.text : [])).join("\n")
}
