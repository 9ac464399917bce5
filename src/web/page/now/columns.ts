/** Sorts sessions into the board's columns by their relevance to the person, not by age. */
import { type Family, familiesOf } from "../../../views/board/families.ts"
import { foldedBefore, sectionTitles } from "../../../views/board/fold.ts"
import type { Row } from "../../api.ts"

export type ColumnName = "waiting" | "working" | "stalled" | "done" | "over"

export const columnTitles: Readonly<Record<ColumnName, string>> = {
  ...sectionTitles,
  stalled: "Stalled or failed",
  done: "Done today",
  over: "Idle or ended today",
}

export type Columns = Readonly<Record<ColumnName, readonly Family[]>> & { older: readonly Family[] }

const halfADay = 12 * 3_600_000

/** All families by column. Families without a column are in `older`. */
export const columnsOf = (rows: readonly Row[], now: Date): Columns => {
  const columns: Record<ColumnName | "older", Family[]> = {
    ...{ waiting: [], working: [], stalled: [] },
    ...{ done: [], over: [], older: [] },
  }
  // "Today" reaches back at least half a day, for people who work past midnight.
  const today = Math.min(new Date(now).setHours(0, 0, 0, 0), now.getTime() - halfADay)
  const old = foldedBefore(now)
  for (const family of familiesOf(rows)) columns[placeOf(family, today, old)].push(family)
  return columns
}

const placeOf = ({ root, state, time }: Family, today: number, old: number): ColumnName | "older" => {
  if (state === "waiting" || state === "working") return state
  if (state === "stalled" || (state === "failed" && time >= old)) return "stalled"
  if (!(time >= today)) return "older"
  const { completed, total } = root.progress
  return total > 0 && completed === total ? "done" : "over"
}
