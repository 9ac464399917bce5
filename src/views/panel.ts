/** The panel: a box titled `Tasks` with every todo and, at its foot, how far the plan is. */

import { activeFormOf } from "../plan/active-form.ts"
import { progressOf } from "../plan/progress.ts"
import { brackets, symbols } from "./marks.ts"
import {
  fitted,
  type Layout,
  layoutOf,
  lineOf,
  narrowed,
  type Row,
  rowOf,
  type Todos,
  type ViewOptions,
} from "./row.ts"
import { pad, widthOf } from "./width.ts"

export const panelTitle = "Tasks"

const longestBar = 20
const shortestBarBesideText = 8
/** Corners, one dash and the title with its spaces; below this a frame would eat what it frames. */
const narrowestBox = 10

const roundFrame = { top: ["╭", "╮"], bottom: ["╰", "╯"], across: "─", down: "│" } as const
const asciiFrame = { top: ["+", "+"], bottom: ["+", "+"], across: "-", down: "|" } as const

/** One row per todo; the one in progress says what is being done. */
export const panelRows = (plan: Todos, options: ViewOptions = {}): Row[] => rowsIn(plan, layoutOf(options))

/** The box is as wide as its content, at most as wide as allowed. */
export const panelText = (plan: Todos, options: ViewOptions = {}): string => {
  const layout = layoutOf(options)
  if (layout.width < narrowestBox) return linesIn(plan, layout).join("\n")
  const lines = linesIn(plan, narrowed(layout, 4))
  const inside = lines.reduce((widest, line) => Math.max(widest, widthOf(line)), narrowestBox - 4)
  const { top, bottom, across, down } = layout.ascii ? asciiFrame : roundFrame
  return [
    top[0] + pad(`${across} ${panelTitle} `, inside + 2, across) + top[1],
    ...lines.map((line) => `${down} ${pad(line, inside)} ${down}`),
    bottom[0] + across.repeat(inside + 2) + bottom[1],
  ].join("\n")
}

/** `Progress: 1/3 (33%)` and its bar, side by side where there is room, else shortened and below each other. */
export const progressLines = (plan: Todos, options: ViewOptions = {}): string[] => progressIn(plan, layoutOf(options))

/** Full only when everything is completed. */
export const progressBar = (completed: number, total: number, width: number, ascii = false): string => {
  const columns = ascii ? width - 2 : width
  if (columns < 1) return ""
  const done = total === 0 ? 0 : Math.floor((Math.min(completed, total) / total) * columns)
  if (ascii) return `[${"#".repeat(done)}${"-".repeat(columns - done)}]`
  return "█".repeat(done) + "░".repeat(columns - done)
}

const linesIn = (plan: Todos, layout: Layout): string[] => {
  const rows = rowsIn(plan, layout).map(lineOf)
  return [...(rows.length === 0 ? [fitted("No todos", layout)] : rows), ...progressIn(plan, layout)]
}

const rowsIn = (plan: Todos, layout: Layout): Row[] => {
  const marks = layout.ascii ? brackets : symbols
  return plan.todos.map((todo) =>
    rowOf(todo, marks[todo.status], todo.status === "in_progress" ? activeFormOf(todo) : todo.content, layout),
  )
}

const progressIn = (plan: Todos, layout: Layout): string[] => {
  const { completed, total, percent } = progressOf(plan)
  const count = `${completed}/${total}`
  const wordings = [`Progress: ${count} (${percent}%)`, `${count} (${percent}%)`, count]
  const text = wordings.find((wording) => wording.length <= layout.width) ?? fitted(count, layout)
  const barOf = (room: number) => progressBar(completed, total, Math.min(room, longestBar), layout.ascii)
  const beside = layout.width - text.length - 1
  if (beside >= shortestBarBesideText) return [`${text} ${barOf(beside)}`]
  return [text, barOf(layout.width)].filter((line) => line !== "")
}
