/** `headway history`: who changed what, when, through which tool, and how long each todo took. */
import { type PlanEvent, replay, sanitise, type TodoStatus, timesOf } from "../../plan/index.ts"
import { untoldLabel } from "../../views/when-told.ts"
import { findKeptPlan } from "../choose/named-plan.ts"
import { noPlan } from "../choose/plans.ts"
import { withSessionWord } from "../choose/target.ts"
import { defineCommand } from "../command.ts"
import { durationText } from "../duration.ts"
import { whenToldHere } from "../edit/when-told.ts"
import { entryLines, within } from "../output/history-lines.ts"
import { printJson } from "../output/plan-json.ts"

export const history = defineCommand({
  usage: "history [SESSION] [--times]",
  about:
    'Shows who changed what in a plan, when and through which tool, oldest first, in local time. SESSION is an id, the beginning of one, or words of a title; without it, the plan is that of this project\'s newest session. The id in brackets is what "headway todo undo" takes.',
  options: { times: { type: "boolean", about: "how long each todo waited, was in progress, and so on" } },
  maxWords: Number.POSITIVE_INFINITY,
  examples: ["headway history", "headway history login form", "headway history --times", "headway history --json"],
  async run(given) {
    const context = withSessionWord(given)
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
    const told = new Set(happenings.flatMap(({ events }) => events.flatMap(toldIn)))
    if (values.json) {
      const entries = happenings.map(({ entry, events }) => ({
        ...entry,
        events,
        ...(told.has(entry.id) || fold.ledger.untold.has(entry.id) ? { told: told.has(entry.id) } : {}),
      }))
      io.out(printJson({ ...tracker.key, entries, todos }))
      return 0
    }
    const whenTold = await whenToldHere(context, tracker)
    const remarkOn = (entry: string): string | undefined =>
      whenTold && fold.ledger.untold.has(entry) ? untoldLabel(whenTold) : undefined
    const columns = Math.min(io.columns ?? widest, widest)
    const options = { now: io.now(), columns, remarkOn }
    io.out(
      values.times
        ? todos.flatMap((todo) => within(timesLine(todo), columns, ""))
        : happenings.flatMap((one) => entryLines(one, options)),
    )
    return 0
  },
})

const toldIn = (event: PlanEvent): readonly string[] => (event.type === "agent-told" ? event.entries : [])

/** Lines that are longer are hard to read, on however wide a screen. */
const widest = 80

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
