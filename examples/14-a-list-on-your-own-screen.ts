/** A plan on your own screen: visible todos, active forms, markdown and back, and moving on to another session. */
import { findDialect, openStore, openTracker } from "headway"
import { houseMarks, printChecklist, readChecklist } from "headway/dialects"
import { activeFormOf, visibleTodos } from "headway/plan"

const store = await openStore("file:.headway-example")
const tracker = await openTracker({
  store,
  session: "monday",
  onProblem: ({ code, message }) => console.error(`${code}: ${message}`), // else they go to errors.log
})

const phases = [
  { phase: "Build", items: ["Compile", "Run the tests"] },
  { phase: "Release", items: ["Publish"] },
]
const ops = [
  { op: "init", list: phases },
  { op: "done", task: "Compile" },
  { op: "note", task: "Run the tests", text: "On Node 20 too." },
]
await tracker.write({ tool: "todo_write", input: { ops } }, findDialect("oh-my-pi"))

const draw = (now: Date): void => {
  for (const todo of visibleTodos(tracker.plan, tracker.ledger, now, 60))
    console.log(todo.status === "in_progress" ? `> ${activeFormOf(todo)}` : `  ${todo.content}`)
}
draw(new Date()) // Compile was finished just now and is still shown
draw(new Date(Date.now() + 61_000)) // a minute later it is not, and the plan still has it

const text = printChecklist(tracker.plan)
console.log(text)
const { items, phases: headings, ignored } = readChecklist(text, houseMarks)
console.log(headings, items.length, ignored)

console.log(await tracker.moveTo("tuesday")) // copies the plan; this tracker continues there
console.log(await tracker.moveTo("tuesday")) // it is there already
console.log(tracker.key.session, tracker.plan.todos.length)
await tracker.close()
