/** Qwen Code's `--output-format stream-json`: the format of Claude Code, with Qwen Code's own tool. */

import type { Stream, Wants } from "../../streams/stream.ts"
import { isQwenLine, openClaudeShape } from "../block-messages.ts"
import { ownReplyNeedles, ownToolNeedles } from "../own-tool.ts"
import { askingTools } from "./_asking-tools.ts"
import { qwenWork } from "./_work.ts"

export const qwenStream = {
  id: "qwen-stream",
  agentType: "qwen-code",
  title: "Qwen Code stream-json",
  printedBy: { command: "qwen", words: [["--output-format stream-json", "-o stream-json"]] },
  recognises: (line) => typeof line.session_id === "string" && isQwenLine(line),
  // Calls have the tool's name; their results only a text ("Todos have been modified"), or `"is_error":true`.
  // `"agent"` is the call that starts a sub-agent.
  needles: ['"init"', "todo_w", "Todos ", '_error":t', 'agent",', ownToolNeedles.claude, ...ownReplyNeedles],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) =>
    openClaudeShape({
      tools: { todo_write: { dialect: "qwen" } },
      agentTools: ["agent"],
      asking: askingTools,
      versionKey: "qwen_code_version",
      namesByLine: true,
      work: wants?.work ? qwenWork : undefined,
    }),
} as const satisfies Stream
