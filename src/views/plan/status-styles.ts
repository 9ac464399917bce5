/** The style for each status on a screen with colour: one table per kind of view, matching its marks. */

import type { TodoStatus } from "../../plan/todo.ts"
import type { Line, Style } from "../text/span.ts"
import { markAppearance, markAppearances } from "./evidence-marks.ts"
import { lineOf, type Row } from "./row.ts"

export type StatusStyles = Readonly<Record<TodoStatus, Style>>

/** The plain list: finished todos are dimmed, todos in progress are emphasised (behaviour C30). */
export const listStyles: StatusStyles = {
  pending: {},
  in_progress: { bold: true },
  blocked: {},
  completed: { dim: true, struck: true },
  cancelled: { dim: true, struck: true },
}

/** The plan of a member: done is green, the rest yellow (behaviour A6). */
export const memberStyles: StatusStyles = {
  pending: { colour: "yellow" },
  in_progress: { colour: "yellow", bold: true },
  blocked: { colour: "yellow" },
  completed: { colour: "green" },
  cancelled: { colour: "yellow" },
}

/** Panel and tree: only the mark is coloured. */
export const markStyles: StatusStyles = {
  pending: {},
  in_progress: { bold: true, colour: "cyan" },
  blocked: { colour: "red" },
  completed: { colour: "green" },
  cancelled: { dim: true },
}
export const textStyles: StatusStyles = {
  pending: {},
  in_progress: { bold: true },
  blocked: {},
  completed: { dim: true },
  cancelled: { dim: true, struck: true },
}

/** A row in a single style. Assumed completions are dimmed, contradicted ones are not. */
export const rowLine = (row: Row, styles: StatusStyles): Line => {
  const style = doubtStyle(row) ?? styles[row.status]
  const { sign, done, ...rest } = row
  return [...signSpans(row), { text: lineOf(rest), style: row.isAssumed ? { ...style, dim: true } : style }]
}

/** A row whose mark has another style than its text. */
export const markedLine = (row: Row): Line => {
  const { mark, text, status } = row
  const doubt = doubtStyle(row)
  const marked = [...signSpans(row), { text: mark, style: doubt ?? markStyles[status] }]
  return text === "" ? marked : [...marked, { text: " " }, { text, style: doubt ? {} : textStyles[status] }]
}

const signSpans = ({ sign, done }: Row): Line =>
  sign === undefined ? [] : [{ text: sign, style: done && markAppearance(done).style }]

/** Undefined unless the todo is contradicted. */
const doubtStyle = ({ done }: Row): Style | undefined =>
  done?.word === "contradicted" ? markAppearances.contradicted.style : undefined
