/** Grok's `--output-format streaming-messages-json`: the shape is Claude Code's, the tools its own. */
import type { Stream } from "../../streams/stream.ts"
import { isGrokLine, openClaudeShape } from "../block-messages.ts"
import { ownReplyNeedles, ownToolNeedles } from "../own-tool.ts"
import { nativeTool } from "./_calls.ts"

export const grokStream = {
  id: "grok-stream",
  agentType: "grok",
  title: "grok --output-format streaming-messages-json",
  printedBy: { command: "grok", words: [["--single", "-p"], ["--output-format streaming-messages-json"]] },
  recognises: (line) => typeof line.session_id === "string" && isGrokLine(line),
  // Calls have the tool's name, their results say what kind they are, or `"is_error":true`.
  needles: ['"init"', "todo_w", "TodosU", '_error":t', "_subagen", ownToolNeedles.claude, ...ownReplyNeedles],
  open: () =>
    openClaudeShape({
      tools: { [nativeTool]: { dialect: "cursor" } },
      agentTools: ["spawn_subagent"],
      asking: {},
      versionKey: "grok_version",
    }),
} as const satisfies Stream
