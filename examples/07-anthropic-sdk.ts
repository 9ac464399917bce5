/**
 * The Anthropic SDK: todo tools for `messages.create`, in the vocabulary that Claude knows best, with the plan stored
 * in files.
 */
import Anthropic from "@anthropic-ai/sdk"
import { findDialect, openStore, openTracker } from "headway"
import { todoTools } from "headway/anthropic"

if (!process.env.ANTHROPIC_API_KEY) {
  console.error("Set ANTHROPIC_API_KEY to run this example.")
  process.exit(1)
}

const store = await openStore("file:.headway-example")
const tracker = await openTracker({ store, session: "my-session", opened: { agentType: "my-agent" } })
const todos = todoTools(tracker, { dialect: findDialect("claude-todos") })

const client = new Anthropic()
const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Repair the failing test." }]

for (;;) {
  const { content } = await client.messages.create({
    model: "claude-sonnet-4-5",
    max_tokens: 4000,
    system: `You are a careful engineer.\n\n${todos.system}`,
    tools: todos.tools,
    messages: await todos.remind(messages),
  })
  messages.push({ role: "assistant", content })
  for (const block of content) if (block.type === "text") console.log(block.text)
  const uses = content.filter((block) => block.type === "tool_use")
  if (uses.length === 0) break
  const results: Anthropic.ToolResultBlockParam[] = []
  for (const use of uses) results.push(await todos.execute(use))
  messages.push({ role: "user", content: results })
}

for (const { status, content } of tracker.plan.todos) console.log(status, content)
await tracker.close()
