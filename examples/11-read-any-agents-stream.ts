/**
 * Any agent's output in your own program: lists and turns as events, the lists that a screen shows, and the last list
 * of a log.
 */
import { spawn } from "node:child_process"
import {
  countOpen,
  type LiveLists,
  nextLists,
  noLists,
  openReader,
  readEvents,
  rebuildSession,
  type TodoListEvent,
} from "headway/streams"

/** Stands in for an agent: prints what `codex exec --json` would. */
const printed = [
  { type: "thread.started", thread_id: "my-session" },
  { type: "turn.started" },
  {
    type: "item.started",
    item: {
      id: "item_0",
      type: "todo_list",
      items: [
        { text: "Run the tests", completed: false },
        { text: "Fix what fails", completed: false },
      ],
    },
  },
  {
    type: "item.updated",
    item: {
      id: "item_0",
      type: "todo_list",
      items: [
        { text: "Run the tests", completed: true },
        { text: "Fix what fails", completed: false },
      ],
    },
  },
  { type: "turn.completed" },
]
const log = printed.map((line) => `${JSON.stringify(line)}\n`).join("")
const [command = process.execPath, ...words] =
  process.argv.length > 2
    ? process.argv.slice(2)
    : [process.execPath, "-e", `process.stdout.write(${JSON.stringify(log)})`]

const draw = (lists: LiveLists<TodoListEvent>): void => {
  for (const { list, hasEnded } of lists) {
    const done = list.items.filter(({ status }) => status === "completed").length
    const left = hasEnded ? `, its turn ended with ${countOpen(list.items)} open` : ""
    console.log(`${list.agentType}: ${done} of ${list.items.length} done${left}`)
  }
}

const agent = spawn(command, words, { stdio: ["ignore", "pipe", "inherit"] })
let lists: LiveLists<TodoListEvent> = noLists
for await (const event of readEvents(agent.stdout)) {
  if (event.type === "turn") console.log(`turn ${event.state}`)
  lists = nextLists(lists, event)
  draw(lists)
}

const reader = await openReader({ from: "codex", confirmed: true })
for (const chunk of log.match(/.{1,40}/gs) ?? []) {
  for (const event of reader.push(chunk)) console.log(`pushed: ${event.type}`)
}
for (const event of reader.end()) console.log(`at the end: ${event.type}`)

const { plan, progress } = await rebuildSession(log)
console.log(`rebuilt: ${progress.completed}/${progress.total}`)
for (const { content, status } of plan.todos) console.log(`${status} ${content}`)
