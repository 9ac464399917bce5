/** A todo tool in ten lines: its definition goes out, a call that is not valid JSON comes in, and a plan is made of it. */
import { findDialect, openStore, openTracker, toolDefinitions } from "headway"

const dialect = findDialect("claude-todos") // the tool as Claude models know it: TodoWrite
const tools = toolDefinitions(dialect) // each with a name, a description and an inputSchema
const store = await openStore("memory:") // "file:plans" keeps it in a folder: headway list --home plans
const tracker = await openTracker({ store, session: "my-session" })

const input = "{'todos': [{'task': 'Run the tests', 'status': 'doing'}, 'Fix what fails'" // as a model sent it
const { text, plan } = await tracker.write({ tool: "TodoWrite", input }, dialect)
console.log(tools.map(({ name }) => name)) // what to offer to the model
console.log(text) // what to tell the model
console.log(plan.todos) // two todos, the first in progress
