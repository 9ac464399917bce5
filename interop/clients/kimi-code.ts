/** Kimi Code, which needs a newer Node. Its hooks hear a person's prompts and nothing else. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Client, saidWhole } from "./client.ts"

/** So many tokens fill its context. */
const limit = 200_000

export const kimiCode: Client = {
  id: "kimi",
  title: "Kimi Code",
  agent: "kimi-code",
  package: "@moonshot-ai/kimi-code",
  version: "latest",
  program: "kimi",
  runsOn: { package: "node", version: "24" },
  ownTool: "mcp__headway__todo",
  work: {
    write: (path, content) => ({ tool: "Write", input: { path, content } }),
    run: (command) => ({ tool: "Bash", input: { command } }),
  },
  prepare({ home, url }) {
    const folder = join(home, ".kimi-code")
    mkdirSync(folder, { recursive: true })
    const lines = [
      'default_model = "scripted"',
      "telemetry = false",
      "[providers.loopback]",
      'type = "openai"',
      `base_url = "${url}/v1"`,
      'api_key = "none"',
      "[models.scripted]",
      'provider = "loopback"',
      'model = "scripted"',
      `max_context_size = ${limit}`,
    ]
    writeFileSync(join(folder, "config.toml"), `${lines.join("\n")}\n`)
  },
  env: () => ({ KIMI_CODE_NO_AUTO_UPDATE: "1" }),
  args: (prompt, { isResumed }) => [
    ...["--output-format", "stream-json"],
    ...(isResumed ? ["--continue"] : []),
    "--prompt",
    prompt,
  ],
  delegation: (task) => [
    { calls: [{ tool: "Agent", input: { description: "Look", prompt: task, subagent_type: "coder" } }] },
  ],
  asides: [{ when: { tools: false }, text: "A plan" }],
  natives: [
    {
      tool: "TodoList",
      turns: saidWhole((list) => ({
        tool: "TodoList",
        input: {
          todos: list.map(({ content: title, status }) => ({
            title,
            status: status === "completed" ? "done" : status,
          })),
        },
      })),
      isThere: true,
      isObserved: true,
    },
  ],
  cannot: {
    beginning: "No hook that runs when a session begins can pass a text to the model.",
    plugin: "There is no plugin of ours for it.",
    clearing: "`kimi --prompt` takes one prompt and ends.",
    compaction: "No hook of its own can give a plan back after compaction.",
    forking: "`kimi fork` copies a session without going on in it.",
    stopping: "Its hook for the end of a turn does not tell sub-agents from the main agent, so it is not used.",
  },
}
