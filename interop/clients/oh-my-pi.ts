/** oh-my-pi, which runs on Bun. It has no hooks that are commands, so only our tool speaks to its model. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ScriptCall } from "../../src/scripted/script.ts"
import type { Client, Native, Place } from "./client.ts"

/** So many tokens fill its context. */
const limit = 200_000

const modelsOf = ({ url }: Place): string => `providers:
  loopback:
    baseUrl: ${url}/v1
    apiKey: none
    api: openai-completions
    models:
      - id: scripted
        name: Scripted
        contextWindow: ${limit}
        maxTokens: 8000
`

/** Its list is made once; the first todo that is not done is the one in progress. */
const todoTurns: Native["turns"] = (list, before = []) => {
  const call = (input: object): ScriptCall => ({ tool: "todo", input })
  if (before.length === 0)
    return [{ calls: [call({ op: "init", list: [{ phase: "Work", items: list.map(({ content }) => content) }] })] }]
  const done = list.filter(({ status }, index) => status === "completed" && before[index]?.status !== "completed")
  return done.map(({ content }) => ({ calls: [call({ op: "done", task: content })] }))
}

const noHooks = "Its hooks are modules of its own, not commands, and Headway has none."

export const ohMyPi: Client = {
  id: "oh-my-pi",
  title: "oh-my-pi",
  agent: "oh-my-pi",
  package: "@oh-my-pi/pi-coding-agent",
  version: "latest",
  program: "omp",
  runsOn: { package: "bun", version: "latest" },
  ownTool: "mcp__headway_todo",
  ownToolUnlisted: {
    reason:
      "Tools of servers are not listed in a request: the model finds ours with `read xd://` and calls it with `write`.",
    call: (input) => ({
      tool: "write",
      input: { i: "Keep the plan", path: "xd://mcp__headway_todo", content: JSON.stringify(input) },
    }),
  },
  work: {
    write: (path, content) => ({ tool: "write", input: { i: "Write it", path, content } }),
    run: (command) => ({ tool: "bash", input: { i: "Run it", command } }),
  },
  prepare(place) {
    const folder = join(place.home, ".omp", "agent")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "models.yml"), modelsOf(place))
  },
  env: () => ({}),
  args: (prompt, { isResumed }) => [
    ...["--print", "--mode", "json", "--model", "loopback/scripted", "--auto-approve", "--no-title", "--no-lsp"],
    ...(isResumed ? ["--continue"] : []),
    prompt,
  ],
  asides: [{ when: { tools: false }, text: "A plan" }],
  // It goes on while its sub-agent works.
  delegation: (task) => [
    { calls: [{ tool: "task", input: { i: "Look", context: "The house.", tasks: [{ name: "Look", task }] } }] },
    { calls: [{ tool: "bash", input: { i: "Wait", command: "sleep 8" } }] },
  ],
  delegateEnd: { tool: "yield", input: { i: "Done", result: { data: "Dust." } } },
  natives: [{ tool: "todo", turns: todoTurns, isThere: true, isObserved: true }],
  cannot: {
    compaction: noHooks,
    beginning: noHooks,
    stopping: noHooks,
    plugin: noHooks,
    clearing: "`omp --print` takes one prompt and ends.",
    forking: "`omp --print` has no option that forks a session.",
  },
}
