/** A list for a small host: one import, no store, no promises. */
import { createTodoManager, dialects } from "headway"

const todos = createTodoManager({ rules: dialects.gencode.rules })

todos.set([
  { content: "Run the tests", status: "in_progress", activeForm: "Running the tests" },
  { content: "Publish", status: "pending" },
])
console.log(todos.active()?.activeForm, todos.progress())

const problems = todos.set(todos.get().map((todo) => ({ ...todo, status: "in_progress" as const })))
console.log(problems[0]?.message) // two at once are refused here, and nothing is stored

const input = { todos: [{ content: "Run the tests", status: "completed", activeForm: "Running the tests" }] }
const { data, text } = todos.write({ tool: "TodoWrite", input }, dialects.gencode)
console.log(data.success, text)

todos.clear()
console.log(todos.get())
