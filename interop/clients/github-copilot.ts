/** Copilot CLI, offline with a provider of our own. Its list is a table that its model changes with SQL. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Client, NativeTodo } from "./client.ts"

/** So many tokens fill its context. */
const limit = 200_000

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

const statusOf = ({ status }: NativeTodo): string => quoted(status === "completed" ? "done" : status)

/** New todos are inserted, and those that were there get their status by their id. */
const queryFor = (list: readonly NativeTodo[], before: readonly NativeTodo[] = []): string =>
  list
    .map((todo) => {
      const id = quoted(todo.content.toLowerCase().replaceAll(" ", "-"))
      return before.some(({ content }) => content === todo.content)
        ? `UPDATE todos SET status = ${statusOf(todo)} WHERE id = ${id};`
        : `INSERT INTO todos (id, title, status) VALUES (${id}, ${quoted(todo.content)}, ${statusOf(todo)});`
    })
    .join(" ")

export const githubCopilot: Client = {
  id: "copilot",
  title: "Copilot CLI",
  agent: "github-copilot",
  package: "@github/copilot",
  version: "latest",
  program: "copilot",
  ownTool: "headway-todo",
  otherCall: { tool: "glob", input: { pattern: "*.md" } },
  work: {
    write: (path, content) => ({
      tool: "bash",
      input: { command: `cat > ${path} <<'EOF'\n${content}EOF`, description: "Write it" },
    }),
    run: (command) => ({ tool: "bash", input: { command, description: "Run it" } }),
  },
  env: ({ url }) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "none",
    COPILOT_PROVIDER_MAX_PROMPT_TOKENS: String(limit),
    COPILOT_MODEL: "scripted",
  }),
  args: (prompt, { isResumed }) => [
    ...["--output-format", "json", "--allow-all-tools", "--no-color"],
    ...(isResumed ? ["--continue"] : []),
    "--prompt",
    prompt,
  ],
  // It keeps the first events of a session in memory for a while.
  isWrittenDown: ({ home }) => {
    const folder = join(home, ".copilot", "session-state")
    return existsSync(folder) && readdirSync(folder).some((id) => existsSync(join(folder, id, "events.jsonl")))
  },
  delegation: (task) => [
    {
      calls: [
        {
          tool: "task",
          input: { name: "look", description: "Look", prompt: task, agent_type: "general-purpose", mode: "sync" },
        },
      ],
    },
  ],
  asides: [{ when: { tools: false }, text: "A plan" }],
  natives: [
    {
      tool: "sql",
      turns: (list, before) => [
        { calls: [{ tool: "sql", input: { description: "Keep the list", query: queryFor(list, before) } }] },
      ],
      isThere: true,
    },
  ],
  cannot: {
    compaction: "A script cannot make it shorten a conversation.",
    forking: "It has no option that forks a session.",
    clearing: "`copilot --prompt` takes one prompt and ends.",
    plugin: "There is no plugin of ours for it.",
  },
}
