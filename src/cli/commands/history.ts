/** `headway history`: who changed what, when, through which tool, and how long each todo took. */
import { asSeen, type Happening, replay, sanitise, type TodoStatus, timesOf } from "../../plan/index.ts"
import { describeEvent } from "../../views/index.ts"
import { defineCommand } from "../command.ts"
import { durationText } from "../duration.ts"
import { findKeptPlan } from "../named-plan.ts"
import { printJson } from "../output/plan-json.ts"
import { noPlan } from "../plans.ts"

export const history = defineCommand({
  usage: "history [--times]",
  about: "Shows who changed what, when and through which tool, oldest first. An entry can be undone by its id.",
  options: { times: { type: "boolean", about: "how long each todo waited, was in progress, and so on" } },
  examples: ["headway history", "headway history --times", "headway history --json"],
  async run(context) {
    const { io, values } = context
    const tracker = await findKeptPlan(context)
    if (!tracker) throw noPlan(context)
    const { happenings, fold } = replay(await tracker.entries())
    const todos = fold.plan.todos.map((todo) => ({
      id: todo.id,
      content: todo.content,
      status: todo.status,
      times: timesOf(todo, fold, io.now()),
    }))
    if (values.json) {
      const entries = happenings.map(({ entry, events }) => ({ ...entry, events }))
      io.out(printJson({ ...tracker.key, entries, todos }))
      return 0
    }
    const lines = values.times ? todos.map(timesLine) : happenings.flatMap(entryLines)
    io.out(lines.length > 0 ? `${lines.join("\n")}\n` : "")
    return 0
  },
})

const entryLines = ({ entry, events, names }: Happening): string[] => {
  const namesThen = entry.by.kind === "person" && entry.names ? { names: entry.names } : {}
  const seen = asSeen({ events, ...namesThen }, (id) => names.get(id) ?? id)
  const lines = seen.events.flatMap((event) => describeEvent(event, seen.contentOf) ?? [])
  if (lines.length === 0) return []
  const tool = entry.via ? ` through ${sanitise(entry.via.tool)} (${sanitise(entry.via.dialect)})` : ""
  const undoes = entry.undoes === undefined ? "" : ` undoing ${sanitise(entry.undoes)}`
  const head = `${sanitise(entry.at)}  ${entry.by.kind} ${sanitise(entry.by.id)}${tool}${undoes}  [${sanitise(entry.id)}]`
  return [head, ...lines.map((line) => `  ${line}`)]
}

const timesLine = ({
  id,
  content,
  times,
}: {
  id: string
  content: string
  times: Partial<Record<TodoStatus, number>>
}): string => {
  const parts = Object.entries(times).map(([status, time]) => `${status} ${durationText(time)}`)
  return `${sanitise(id)}  ${sanitise(content)}: ${parts.join(", ")}`
}
