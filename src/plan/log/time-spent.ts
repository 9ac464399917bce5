/** How long todos were in each status. */
import type { SeenTimes } from "../event.ts"
import type { TodoStatus } from "../todo.ts"
import type { TodoRecord } from "./ledger.ts"

/** A session knows better than our log how long its todos were in progress: it began before. */
export const withSeen = (spent: TodoRecord["spent"], times: SeenTimes | undefined): TodoRecord["spent"] =>
  times?.spent === undefined ? spent : { ...spent, in_progress: times.spent }

/** The times spent, with the status that the todo leaves now. */
export const spentUntil = ({ since, spent }: TodoRecord, status: TodoStatus, at: string): TodoRecord["spent"] => {
  const from = timeOf(since)
  const passed = Math.max(0, timeOf(at) - from || 0)
  return { ...spent, [status]: (spent[status] ?? 0) + passed }
}

let lastText = ""
let lastTime = Number.NaN

/** Reading a time costs more than all else an entry does, and the next change asks for the same one again. */
const timeOf = (text: string): number => {
  if (text === lastText) return lastTime
  lastText = text
  lastTime = Date.parse(text)
  return lastTime
}
