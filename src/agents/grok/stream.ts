/** Grok's `--output-format streaming-messages-json`: the format of Claude Code, with Grok's own tools. */
import type { Stream, Wants } from "../../streams/stream.ts"
import { isGrokLine, openClaudeShape } from "../block-messages.ts"
import { ownReplyNeedles, ownToolNeedles } from "../own-tool.ts"
import { nativeTool } from "./_calls.ts"
import { grokWork } from "./_work.ts"

export const grokStream = {
  id: "grok-stream",
  agentType: "grok",
  title: "grok --output-format streaming-messages-json",
  printedBy: { command: "grok", words: [["--single", "-p"], ["--output-format streaming-messages-json"]] },
  recognises: (line) => typeof line.session_id === "string" && isGrokLine(line),
  // Calls have the tool's name, their results a kind or `"is_error":true`.
  needles: ['"init"', "todo_w", "TodosU", '_error":t', "_subagen", ownToolNeedles.claude, ...ownReplyNeedles],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) =>
    openClaudeShape({
      tools: { [nativeTool]: { dialect: "cursor" } },
      agentTools: ["spawn_subagent"],
      asking: {},
      versionKey: "grok_version",
      work: wants?.work ? grokWork : undefined,
    }),
} as const satisfies Stream
