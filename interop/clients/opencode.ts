/** opencode, with a provider of our own. A plugin stands for hooks, and cannot send it back to work. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Client, saidWhole } from "./client.ts"

/** So many tokens fill its context. */
const limit = 200_000

export const opencode: Client = {
  id: "opencode",
  title: "opencode",
  agent: "opencode",
  package: "opencode-ai",
  version: "latest",
  program: "opencode",
  ownTool: "headway_todo",
  // Its glob needs ripgrep, which it fetches where the machine has none.
  otherCall: { tool: "bash", input: { command: "pwd", description: "Say where we are" } },
  work: {
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    run: (command) => ({ tool: "bash", input: { command, description: "Run it" } }),
  },
  prepare({ home, url }) {
    const folder = join(home, ".config", "opencode")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "opencode.json"), `${JSON.stringify(configFor(url), null, 2)}\n`)
  },
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
  }),
  args: (prompt, { isResumed }) => ["run", "--format", "json", ...(isResumed ? ["--continue"] : []), prompt],
  delegation: (task) => [
    { calls: [{ tool: "task", input: { description: "Look", prompt: task, subagent_type: "general" } }] },
  ],
  forking: (session) => ["--session", session, "--fork"],
  asides: [{ when: { tools: false }, text: "A plan" }],
  compaction: { when: { last: "anchored summary" }, text: "Work has begun.", usage: limit + 1 },
  natives: [
    {
      tool: "todowrite",
      turns: saidWhole((list) => ({
        tool: "todowrite",
        input: { todos: list.map((one) => ({ ...one, priority: "medium" })) },
      })),
      isThere: true,
    },
  ],
  cannot: {
    clearing: "`opencode run` takes one prompt and ends.",
    stopping: "A plugin is told that the agent stops, and cannot send it back to work.",
  },
}

/** With a provider of our own, for opencode and what was made from it. */
export const configFor = (url: string): object => ({
  autoupdate: false,
  share: "disabled",
  model: "loopback/scripted",
  small_model: "loopback/scripted",
  enabled_providers: ["loopback"],
  provider: {
    loopback: {
      npm: "@ai-sdk/openai-compatible",
      name: "Loopback",
      options: { baseURL: `${url}/v1`, apiKey: "none" },
      models: { scripted: { name: "Scripted", tool_call: true, limit: { context: limit, output: 8000 } } },
    },
  },
})
