/** Claude Code's `-p --output-format stream-json --verbose`. */

import type { Stream, Wants } from "../../streams/stream.ts"
import { isGrokLine, isQwenLine, openClaudeShape } from "../block-messages.ts"
import { claudeAgentTools, claudeTools, contentOf, usesTool } from "../blocks.ts"
import { ownReplyNeedles, ownToolNeedles } from "../own-tool.ts"
import { askingTools } from "./_asking-tools.ts"
import { claudeWork } from "./_work.ts"

/** Tool names that no other agent uses. A line with such a call is Claude Code's, whatever else it lacks. */
const listTools = ["TodoWrite", "TaskCreate", "TaskUpdate", "TaskList"]

const messages = ["assistant", "user", "stream_event"]

export const claudeStream = {
  id: "claude-stream",
  agentType: "claude-code",
  title: "Claude Code stream-json",
  printedBy: {
    command: "claude",
    words: [["-p", "--print"], ["--output-format stream-json"], ["--verbose"]],
  },
  recognises: (line) => {
    if (isQwenLine(line) || isGrokLine(line)) return false
    const hasList = usesTool(contentOf(line), listTools)
    // Logs of programs that drive the client keep only the message of a line.
    if (line.session_id === undefined && line.sessionId === undefined) return line.type === "assistant" && hasList
    if (typeof line.session_id !== "string") return false
    // Cursor's lines look similar, but have no tools, parents or turns.
    if (line.type === "system") return line.subtype === "init" ? Array.isArray(line.tools) : line.uuid !== undefined
    if (line.type === "result") return line.num_turns !== undefined
    if (!messages.includes(String(line.type))) return false
    return line.parent_tool_use_id !== undefined || hasList
  },
  needles: [
    // The first line, and lines that connect a sub-agent's id with the call that started it.
    '"init"',
    'Agent"',
    'Task",',
    "sk_sta",
    // Calls, by name. `TaskC` is in a hook's veto too ("TaskCompleted hook feedback").
    "TodoW",
    "TaskC",
    "TaskU",
    "TaskL",
    "TaskG",
    ownToolNeedles.claude,
    // Results contain only the id of their call, and those of sub-agents only text: "Todos have been modified",
    // "Task #1 created", "Updated task #1", "Task not found".
    "Todos ",
    "Task #",
    "task #",
    "Task n",
    // Structured data has names: `"updatedFields":[`, `"tasks":[`, `"task":{`. A refusal has `"is_error":true`.
    "Fields",
    'ks":[',
    'sk":{',
    '_error":t',
    // Our own tool's replies, as data and as text.
    ...ownReplyNeedles,
  ],
  tellsWork: true,
  open: (_from?: unknown, wants?: Wants) =>
    openClaudeShape({
      work: wants?.work ? claudeWork : undefined,
      tools: claudeTools,
      agentTools: claudeAgentTools,
      asking: askingTools,
      versionKey: "claude_code_version",
    }),
} as const satisfies Stream
