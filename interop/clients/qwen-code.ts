/** Qwen Code, which needs a newer Node. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ScriptCall } from "../../src/scripted/script.ts"
import { type Client, saidWhole } from "./client.ts"

/** So many tokens make it shorten a conversation, and are not too many to go on with. */
const nearlyFull = 170_000

const shell = (command: string): ScriptCall => ({
  tool: "run_shell_command",
  input: { command, is_background: false },
})

export const qwenCode: Client = {
  id: "qwen",
  title: "Qwen Code",
  agent: "qwen-code",
  package: "@qwen-code/qwen-code",
  version: "latest",
  program: "qwen",
  runsOn: { package: "node", version: "24" },
  ownTool: "mcp__headway__todo",
  consent: ["--consent"],
  otherCall: { tool: "glob", input: { pattern: "*.md" } },
  work: {
    // Its own tool takes only full paths, which a script cannot know.
    write: (path, content) => shell(`cat > ${path} <<'EOF'\n${content}EOF`),
    run: (command) => shell(command),
  },
  prepare({ home }) {
    const folder = join(home, ".qwen")
    mkdirSync(folder, { recursive: true })
    // Its memory asks the model once more after the last answer.
    const memory = { enableManagedAutoMemory: false, enableManagedAutoDream: false }
    const settings = { security: { auth: { selectedType: "openai" } }, memory }
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`)
  },
  env: ({ url }) => ({ OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" }),
  args: (prompt, { isResumed }) => [
    ...["--output-format", "stream-json", "--approval-mode", "yolo"],
    ...(isResumed ? ["--continue"] : []),
    "--prompt",
    prompt,
  ],
  asides: [
    { when: { tools: false }, text: "A plan" },
    { when: { system: "managed memory extraction" }, text: "Nothing to save." },
  ],
  compaction: {
    when: { last: "context window is about to overflow" },
    text: "<state_snapshot>Work has begun.</state_snapshot>",
    usage: nearlyFull,
    late: "Qwen Code does not wait for its hook after compaction: the plan comes with a later request.",
  },
  forking: (session) => ["--resume", session, "--fork-session"],
  delegation: (task) => [
    { calls: [{ tool: "agent", input: { description: "Look", prompt: task, subagent_type: "general-purpose" } }] },
  ],
  natives: [
    {
      tool: "todo_write",
      turns: saidWhole((list) => ({
        tool: "todo_write",
        input: { todos: list.map((one, index) => ({ id: String(index + 1), ...one })) },
      })),
    },
  ],
  cannot: { clearing: "`qwen --prompt` takes one prompt and ends." },
}
