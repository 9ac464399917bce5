/** A test of an agent without a key: a script contains the model's answers to the agent and to each sub-agent. */
import { mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openStore, openTracker } from "headway"
import { createMemoryTranscript, openAgent } from "headway/agent"
import { createScriptModel, readScript } from "headway/scripted"

const model = createScriptModel(
  readScript(`
{ "calls": [{ "tool": "todo", "input": { "todos": [{ "content": "Search", "status": "in_progress" }] } }] }
{ "calls": [{ "tool": "Task", "input": { "description": "Searches", "prompt": "Find every caller", "todo": "1" } }] }
{ "calls": [{ "tool": "todo", "input": { "todos": [{ "id": "1", "status": "completed" }] } }] }
{ "text": "Two callers." }
{ "thread": "searcher", "when": { "prompt": "Find every caller" } }
{ "calls": [{ "tool": "todo", "input": { "todos": [{ "content": "Look in src", "status": "completed" }] } }] }
{ "text": "orders.ts and pay.ts." }
`),
)

const tracker = await openTracker({ store: await openStore("memory:"), session: "my-test" })
const agent = await openAgent({
  model,
  contextWindow: 200_000,
  tracker,
  transcript: createMemoryTranscript(),
  cwd: await mkdtemp(join(tmpdir(), "my-test-")),
  planFile: join(tmpdir(), "my-test.md"),
  dialect: "headway",
  permit: async () => true,
  confirm: async () => true,
  onEvent: () => {},
})
const { text } = await agent.run("Who calls it?", new AbortController().signal)
agent.close()

console.log(text)
console.log(tracker.plan.todos.map(({ content, status }) => `${status} ${content}`))
for (const { parent, progress } of await tracker.children())
  console.log(`for todo ${parent?.todo}: ${progress.completed}/${progress.total}`)
// The thread and turn that answered each request, and the request itself.
for (const { neutral, played } of model.requests) console.log(played.thread, neutral.messages.length)
