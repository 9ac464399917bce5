/** A todo tool in ten lines: a call that is not valid JSON goes in, a plan comes out. */
import { findDialect, openStore, openTracker } from "headway"

const store = await openStore("memory:") // "file:plans" keeps the plan in the folder plans
const tracker = await openTracker({ store, session: "my-session" })

const input = "{'todos': [{'task': 'Run the tests', 'status': 'doing'}, 'Fix what fails'" // as a model sent it
const { text, plan } = await tracker.write({ tool: "TodoWrite", input }, findDialect("claude-todos"))

console.log(text) // what to tell the model
console.log(plan.todos) // two todos, the first in progress
