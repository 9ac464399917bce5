/** Gemini CLI, which needs a newer Node. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { ScriptCall } from "../../src/scripted/script.ts"
import { type Client, type NativeTodo, saidWhole } from "./client.ts"

/** Its model is chosen by another one, which is asked first. */
const routed = JSON.stringify({ complexity_reasoning: "A simple task.", complexity_score: 1, model_choice: "flash" })

const trackerCall = ({ content }: NativeTodo): ScriptCall => ({
  tool: "tracker_create_task",
  input: { title: content, description: content, type: "task" },
})

export const googleGemini: Client = {
  id: "gemini",
  title: "Gemini CLI",
  agent: "google-gemini",
  package: "@google/gemini-cli",
  version: "latest",
  program: "gemini",
  runsOn: { package: "node", version: "24" },
  ownTool: "mcp_headway_todo",
  consent: ["--consent"],
  otherCall: { tool: "list_directory", input: { dir_path: "." } },
  work: {
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    run: (command) => ({ tool: "run_shell_command", input: { command } }),
  },
  prepare({ home }) {
    const folder = join(home, ".gemini")
    mkdirSync(folder, { recursive: true })
    const settings = { security: { auth: { selectedType: "gemini-api-key" } } }
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`)
  },
  env: ({ url }) => ({ GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: url, GEMINI_TELEMETRY_ENABLED: "false" }),
  args: (prompt, { isResumed }) => [
    ...["--output-format", "stream-json", "--skip-trust", "--approval-mode", "yolo"],
    ...(isResumed ? ["--resume", "latest"] : []),
    "--prompt",
    prompt,
  ],
  asides: [{ when: { tools: false }, text: routed }],
  natives: [
    {
      tool: "tracker_create_task",
      turns: (list) => [{ calls: list.map(trackerCall) }],
      onlyPending: "Gemini CLI gives its tasks random ids, which a script cannot know.",
    },
    {
      // Offered to models of the generation before.
      tool: "write_todos",
      turns: saidWhole((list) => ({
        tool: "write_todos",
        input: { todos: list.map(({ content, status }) => ({ description: content, status })) },
      })),
      isThere: true,
      args: ["--model", "gemini-2.5-pro"],
    },
  ],
  cannot: {
    compaction: "There is no event after compression; the plan comes back with the next prompt or tool result.",
    clearing: "`gemini --prompt` takes one prompt and ends.",
    "sub-agent":
      "Hooks do not say which sub-agent calls, and its chat file says so only afterwards: it writes to the plan of its session.",
    forking: "Gemini CLI cannot fork a session.",
  },
}
