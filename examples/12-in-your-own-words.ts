/** What a host can change: tool, names, texts, pace, and messages between turns; and the typed result of a call. */
import { readFile, writeFile } from "node:fs/promises"
import Anthropic from "@anthropic-ai/sdk"
import { findDialect, openStore, openTracker } from "headway"
import { todoTools } from "headway/anthropic"
import { createChangedFiles, createQueuedMessages } from "headway/guidance"

if (!process.env.ANTHROPIC_API_KEY) {
  console.error("Set ANTHROPIC_API_KEY to run this example.")
  process.exit(1)
}

const tracker = await openTracker({ store: await openStore("memory:"), session: "my-session" })
const queued = createQueuedMessages()
const files = createChangedFiles({ read: (path) => readFile(path, "utf8") })

const todos = todoTools(tracker, {
  dialect: "oh-my-pi",
  tool: "todo_write", // its former tool, which takes a batch of operations
  names: { todo_write: "plan" }, // prompts, reminders and errors say so too
  level: "full",
  profile: "classic",
  pace: { turnsSinceWrite: 12, turnsSinceReminder: 5 }, // 7 and 3 otherwise
  system: "You are a careful gardener.",
  overrides: {
    tools: { todo_write: { fields: { "ops.task": "the exact words of a bed" } } },
    system: { closing: "", commit: "" },
    reminders: { "todo-reminder": ({ type }) => `Look at the plan again (${type}).` },
    reply: ({ plan }, ours) => `${plan.todos.length} beds.\n${ours}`,
  },
  generators: { queued: queued.generator, files: files.generator },
})

await writeFile("beds.txt", "north\n")
files.saw("beds.txt", "north\n") // the model knows this file
await writeFile("beds.txt", "north\nsouth\n") // and another program changes it
queued.push("No roses, please.") // typed while the agent works

const client = new Anthropic()
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Plan the spring." }]
for (;;) {
  const { content } = await client.messages.create({
    model: "claude-sonnet-4-5",
    max_tokens: 4096,
    system: todos.system,
    tools: todos.tools,
    messages: await todos.remind(messages),
  })
  messages.push({ role: "assistant", content })
  const results: Anthropic.ToolResultBlockParam[] = []
  for (const block of content) if (block.type === "tool_use") results.push(await todos.execute(block))
  if (results.length === 0) break
  messages.push({ role: "user", content: results })
}

const dialect = findDialect("oh-my-pi")
const { data } = await tracker.write({ tool: "todo_write", input: { ops: [{ op: "done" }] } }, dialect)
for (const { name, tasks } of data.phases) console.log(name, tasks)
