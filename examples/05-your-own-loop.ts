/** A todo tool in your own loop, which uses the chat format of nearly every model server. */
import { findDialect, openStore, openTracker, toolDefinitions } from "headway"

const { OPENAI_BASE_URL: server, OPENAI_API_KEY: key } = process.env
if (!server) {
  console.error("Set OPENAI_BASE_URL to a server that speaks OpenAI's chat format, such as http://127.0.0.1:11434/v1.")
  process.exit(1)
}

const dialect = findDialect("headway")
const tracker = await openTracker({ store: await openStore("memory:"), session: "my-session" })
const tools = toolDefinitions(dialect).map(({ name, description, inputSchema }) => ({
  type: "function",
  function: { name, description, parameters: inputSchema },
}))

type Message = { role: string; content?: string | null; tool_call_id?: string; tool_calls?: ToolCall[] }
type ToolCall = { id: string; function: { name: string; arguments: string } }

const messages: Message[] = [{ role: "user", content: "Plan the release and begin with it." }]
for (;;) {
  const answer = await fetch(`${server}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) },
    body: JSON.stringify({ model: "qwen3", messages, tools }),
  })
  if (!answer.ok) {
    console.error(`${server} refused the request with ${answer.status}: ${await answer.text()}`)
    process.exit(1)
  }
  const { choices } = (await answer.json()) as { choices: [{ message: Message }] }
  const [{ message }] = choices
  messages.push(message)
  if (!message.tool_calls) break
  for (const { id, function: call } of message.tool_calls) {
    const { text } = await tracker.write({ tool: call.name, input: call.arguments, callId: id }, dialect)
    messages.push({ role: "tool", tool_call_id: id, content: text })
  }
}

console.log(messages.at(-1)?.content)
for (const { id, content, status } of tracker.plan.todos) console.log(id, status, content)
