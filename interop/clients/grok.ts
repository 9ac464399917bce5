/** Grok, with a model of our own. Its hooks are told what happens, and are heard only before a call. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Client, saidWhole } from "./client.ts"

/** So many tokens fill its context. */
const limit = 200_000

export const grok: Client = {
  id: "grok",
  title: "Grok",
  agent: "grok",
  package: "@xai-official/grok",
  version: "latest",
  program: "grok",
  ownTool: "headway__todo",
  ownToolUnlisted: {
    reason:
      "Tools of servers are not listed in a request: the model finds ours with `search_tool` and calls it with `use_tool`.",
    call: (input) => ({ tool: "use_tool", input: { tool_name: "headway__todo", tool_input: input } }),
  },
  isHeld: true,
  work: {
    write: (file_path, content) => ({ tool: "write", input: { file_path, content } }),
    run: (command) => ({ tool: "run_terminal_command", input: { command, description: "Run it" } }),
  },
  prepare({ home, url }) {
    const folder = join(home, ".grok")
    mkdirSync(folder, { recursive: true })
    const lines = [
      "[models]",
      'default = "scripted"',
      "[model.scripted]",
      'model = "scripted"',
      `base_url = "${url}/v1"`,
      'api_key = "none"',
      `context_window = ${limit}`,
      "[telemetry]",
      "enabled = false",
    ]
    writeFileSync(join(folder, "config.toml"), `${lines.join("\n")}\n`)
  },
  env: () => ({ GROK_DISABLE_AUTOUPDATE: "1" }),
  args: (prompt, { isResumed }) => [
    ...["--output-format", "streaming-json", "--permission-mode", "bypassPermissions", "--model", "scripted"],
    ...(isResumed ? ["--continue"] : []),
    "--single",
    prompt,
  ],
  forking: (session) => ["--resume", session, "--fork-session"],
  delegation: (task) => [
    {
      calls: [
        { tool: "spawn_subagent", input: { description: "Look", prompt: task, subagent_type: "general-purpose" } },
      ],
    },
  ],
  asides: [
    { when: { system: "generating the session title" }, text: "A plan" },
    { when: { last: "ultra-short dashboard line" }, text: "Asked." },
  ],
  natives: [
    {
      tool: "todo_write",
      turns: saidWhole((list) => ({
        tool: "todo_write",
        input: { todos: list.map((one, index) => ({ id: String(index + 1), ...one })), merge: false },
      })),
      isThere: true,
      isObserved: true,
    },
  ],
  cannot: {
    beginning: "It uses what a hook returns only when it stops.",
    clearing: "`grok --single` takes one prompt and ends.",
    compaction: "It uses what a hook returns only when it stops.",
    plugin: "There is no plugin of ours for it.",
  },
}
