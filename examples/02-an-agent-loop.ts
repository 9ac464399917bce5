/**
 * An agent's loop with a tracker: passes tools and prompt to the model, its calls to the plan, and the replies back.
 */
import { findDialect, openStore, openTracker, systemPrompt, type ToolCall, toolDefinitions } from "headway"
import { panelText } from "headway/views"

const dialect = findDialect("headway")
const store = await openStore("memory:")
const tracker = await openTracker({ store, session: "release", opened: { agentType: "my-agent" } })

const tools = toolDefinitions(dialect, { level: "quiet" })
const system = ["You are a careful engineer.", systemPrompt({ tools: { list: "todo" }, level: "quiet" })].join("\n\n")

/** Stands in for a model: give `system`, `tools` and the messages so far to yours instead. */
const script: (ToolCall | string)[] = [
  { tool: "todo", callId: "a", input: { todos: [{ content: "Run the tests", status: "in_progress" }] } },
  { tool: "todo", callId: "b", input: '{"todos":[{"id":"1","status":"completed"},{"content":"Publish"}]' },
  "The tests pass. Shall I publish?",
]

const stop = tracker.subscribe(({ plan }) => console.log(panelText(plan, { width: 60 })))

console.log(`${tools.length} tool, a prompt of ${system.length} characters`)
for (const turn of script) {
  if (typeof turn === "string") {
    console.log(`the agent says: ${turn}`)
    break
  }
  const { ok, text } = await tracker.write(turn, dialect)
  console.log(`${ok ? "result" : "error"} for the model: ${text}`)
}
stop()
await tracker.close()
