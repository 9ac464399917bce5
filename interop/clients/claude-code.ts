/** Claude Code: the newest, and the last of those that offer their own list to every model. */
import type { ScriptCall } from "../../src/scripted/script.ts"
import { type Client, type Native, saidWhole } from "./client.ts"

/** Tasks are made one by one, and numbered in that order. */
const taskTurns: Native["turns"] = (list, before = []) => {
  const created = list
    .slice(before.length)
    .map(({ content }): ScriptCall => ({ tool: "TaskCreate", input: { subject: content, description: content } }))
  const updated = list.flatMap(({ status }, index): ScriptCall[] =>
    status === (before[index]?.status ?? "pending")
      ? []
      : [{ tool: "TaskUpdate", input: { taskId: String(index + 1), status } }],
  )
  return [created, updated].filter((calls) => calls.length > 0).map((calls) => ({ calls }))
}

const tasks: Native = { tool: "TaskUpdate", turns: taskTurns, isThere: true }

const todos: Native = {
  tool: "TodoWrite",
  turns: saidWhole((list) => ({
    tool: "TodoWrite",
    input: { todos: list.map((one) => ({ ...one, activeForm: `${one.content}, now` })) },
  })),
  isThere: true,
  env: { CLAUDE_CODE_ENABLE_TASKS: "0" },
}

/** The newest keeps its own tools back until the model looks for them. */
const searchedTasks: Native = {
  tool: "TaskUpdate",
  turns: (...lists) => [
    { calls: [{ tool: "ToolSearch", input: { query: "select:TaskCreate,TaskUpdate" } }] },
    ...taskTurns(...lists),
  ],
}

const claude = (version: string, natives: readonly Native[]): Client => ({
  id: version === "latest" ? "claude-code" : `claude-code-${version}`,
  title: "Claude Code",
  agent: "claude-code",
  package: "@anthropic-ai/claude-code",
  version,
  program: "claude",
  ownTool: "mcp__headway__todo",
  pluginTool: "mcp__plugin_headway_headway__todo",
  otherCall: { tool: "Bash", input: { command: "pwd", description: "Say where we are" } },
  work: {
    write: (file_path, content) => ({ tool: "Write", input: { file_path, content } }),
    run: (command) => ({ tool: "Bash", input: { command, description: "Run it" } }),
    args: ["--permission-mode", "acceptEdits"],
  },
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  }),
  args: (_, { isResumed }) => [
    "--print",
    "--verbose",
    ...[
      "--input-format",
      "stream-json",
      "--output-format",
      "stream-json",
      "--allowedTools",
      "Bash,mcp__plugin_headway_headway",
    ],
    ...(isResumed ? ["--continue"] : []),
  ],
  argsAlone: (prompt) => [
    ...["--print", prompt, "--verbose", "--output-format", "stream-json", "--allowedTools", "Bash"],
  ],
  dialogue: {
    write: (prompt) => `${JSON.stringify({ type: "user", message: { role: "user", content: prompt } })}\n`,
    isTurnEnd: (line) => /"type":"result"/.test(line),
  },
  asides: [{ when: { tools: false }, text: "A plan" }],
  compaction: { when: { last: "TEXT ONLY" }, text: "<summary>Work has begun.</summary>", prompt: "/compact" },
  clearing: "/clear",
  forking: (session) => ["--resume", session, "--fork-session"],
  delegation: (task) => [
    {
      calls: [
        {
          tool: "Agent",
          input: { description: "Look", prompt: task, subagent_type: "general-purpose", run_in_background: false },
        },
      ],
    },
  ],
  natives,
})

export const claudeCode = claude("latest", [searchedTasks])

export const claudeCodeWithTasks = claude("2.1.197", [tasks, todos])
