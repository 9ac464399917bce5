/** A process on one of several machines of a team, with a database in between. Run by `team.test.ts`. */
import { writeSync } from "node:fs"
import { dialects } from "../../src/dialects/index.ts"
import { openStore } from "../../src/stores/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"

const [role = "", url = "", home = "", name = ""] = process.argv.slice(2)

/** At once and unbuffered: what was said before a kill was true before it. */
const say = (word: string, value: unknown): void => void writeSync(1, `${JSON.stringify([word, value])}\n`)

const writer = { person: name, machine: home }
const store = await openStore(url, { delivery: { person: home, writer, stays: true } })
let number = 0
const newId = (): string => `${name}-${number++}`
const tracker = await openTracker({ store, session: "shared", newId })

say("ready", process.pid)
const told = new Promise((resolve) => process.stdin.once("data", resolve))
await told

/** Takes what is free until nothing is, one at a time. */
const work = async (): Promise<void> => {
  for (;;) {
    await tracker.refresh()
    const { todos } = tracker.plan
    const free = todos.filter(({ status, owner }) => status === "pending" && owner === undefined)
    if (free.length === 0 && todos.every(({ status, owner }) => status === "completed" || owner !== undefined)) return
    const todo = free[Math.floor(Math.random() * free.length)]
    if (!todo || !(await tracker.claim(todo.id, name)).isOurs) continue
    const { ok } = await tracker.write(
      { tool: "todo", input: { todos: [{ id: todo.id, status: "completed" }] } },
      dialects.headway,
    )
    if (ok) say("did", todo.content)
  }
}

/** Adds todos until it is told to stop. */
const write = async (): Promise<void> => {
  let isOver = false
  process.stdin.once("data", () => {
    isOver = true
  })
  while (!isOver) {
    const id = `${name}-${number}`
    const input = { todos: [{ content: `Todo ${id} of ${name}` }] }
    const { ok } = await tracker.write({ tool: "todo", input }, dialects.headway)
    if (ok) say("acknowledged", id)
    // Others want to be heard as well.
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

await (role === "work" ? work() : write())
await tracker.close()
await store.close()
process.stdin.destroy()
