/** Codex: with the model it has by default, which calls tools from programs it writes, and with one that calls each by itself. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ScriptCall } from "../../src/scripted/script.ts"
import { type Client, type Place, saidWhole } from "./client.ts"

/** So many tokens fill its context. */
const limit = 200_000

const configOf = (
  { url }: Place,
  model: string | undefined,
): string => `${model ? `model = "${model}"\n` : ""}model_provider = "loopback"
model_auto_compact_token_limit = ${limit}

[model_providers.loopback]
name = "Loopback"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
request_max_retries = 0
stream_max_retries = 0
`

/** Writes a file, which may be there already. */
const patchFor = (path: string, content: string): string =>
  [
    "*** Begin Patch",
    `*** Add File: ${path}`,
    ...content
      .trimEnd()
      .split("\n")
      .map((line) => `+${line}`),
    "*** End Patch",
  ].join("\n")

type Flavour = {
  id: string
  title: string
  model?: string
  pluginUnseen?: string
  call: (tool: string, input: object) => ScriptCall
  patch: (text: string) => ScriptCall
  delegation?: NonNullable<Client["delegation"]>
}

const codex = ({ id, title, model, pluginUnseen, call, patch, delegation }: Flavour): Client => ({
  id,
  title,
  agent: "openai-codex",
  package: "@openai/codex",
  version: "latest",
  program: "codex",
  ownTool: "mcp__headway.todo",
  ...(pluginUnseen ? { pluginUnseen } : {}),
  otherCall: call("exec_command", { cmd: "pwd" }),
  work: {
    write: (path, content) => patch(patchFor(path, content)),
    run: (cmd) => call("exec_command", { cmd, yield_time_ms: 30_000 }),
  },
  prepare(place) {
    const folder = join(place.home, ".codex")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "config.toml"), configOf(place, model))
  },
  env: () => ({ LOOPBACK_KEY: "none" }),
  args: (prompt, { isResumed }) => [
    "exec",
    ...["--json", "--skip-git-repo-check", "--sandbox", "danger-full-access", "--dangerously-bypass-hook-trust"],
    ...(isResumed ? ["resume", "--last"] : []),
    prompt,
  ],
  compaction: { when: { last: "CONTEXT CHECKPOINT" }, text: "Work has begun.", usage: limit + 1 },
  forking: (session) => ["fork", session],
  ...(delegation ? { delegation } : {}),
  natives: [
    {
      tool: "update_plan",
      turns: saidWhole((list) =>
        call("update_plan", { plan: list.map(({ content, status }) => ({ step: content, status })) }),
      ),
    },
  ],
  cannot: { clearing: "`codex exec` takes one prompt and ends." },
})

export const openaiCodex = codex({
  id: "codex",
  title: "Codex, its default model",
  pluginUnseen: "A model that calls tools from its programs is not shown the tools of a plugin; set-up is needed.",
  call: (tool, input) => ({ tool: "exec", input: `text(await tools.${tool}(${JSON.stringify(input)}))` }),
  patch: (text) => ({ tool: "exec", input: `text(await tools.apply_patch(${JSON.stringify(text)}))` }),
  delegation: (task) => [
    { calls: [{ tool: "spawn_agent", input: { task_name: "look", message: task, fork_turns: "none" } }] },
    { calls: [{ tool: "wait_agent", input: { timeout_ms: 30_000 } }] },
  ],
})

export const openaiCodexDirect = codex({
  id: "codex-direct",
  title: "Codex, a model that calls tools itself",
  model: "gpt-5.1",
  call: (tool, input) => ({ tool, input }),
  // Models without a tool for patches give them to the shell, where the client takes them.
  patch: (text) => ({ tool: "exec_command", input: { cmd: `apply_patch <<'EOF'\n${text}\nEOF` } }),
  // Only the client knows the id that it would have to wait for.
  delegation: (task) => [
    { calls: [{ tool: "multi_agent_v1.spawn_agent", input: { message: task } }] },
    { calls: [{ tool: "exec_command", input: { cmd: "sleep 8", yield_time_ms: 10_000 } }] },
  ],
})
