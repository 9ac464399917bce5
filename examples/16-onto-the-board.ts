/** Your own agent on the board: its plan written into Headway's home, or printed as events under `headway run`. */
import { homedir } from "node:os"
import { join } from "node:path"
import { findDialect, openStore, openTracker } from "headway"
import type { TodoListEvent } from "headway/streams"

const home = process.env.HEADWAY_HOME ?? join(homedir(), ".headway")
const tracker = await openTracker({
  store: await openStore("file:", { home }),
  session: "nightly-2026-11-16",
  opened: { agentType: "nightly", project: process.cwd() },
})

// Each line is one whole list. "main" is the agent itself, any other id one of its sub-agents.
const events = tracker.subscribe(({ plan }) => {
  const items = plan.todos.map(({ content, status }) => ({ text: content, status }))
  const event: Pick<TodoListEvent, "type" | "agentId" | "items"> = { type: "todo_list", agentId: "main", items }
  console.log(JSON.stringify(event))
})

const dialect = findDialect("headway")
const todos = [{ content: "Fetch the orders", status: "in_progress" }, { content: "Send the report" }]
await tracker.write({ tool: "todo", input: { todos } }, dialect)
await tracker.write({ tool: "todo", input: { todos: [{ id: "1", status: "completed" }] } }, dialect)
events()
await tracker.close()
