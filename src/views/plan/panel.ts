/** The panel: a box titled `Tasks` with all todos, and the progress of the plan at the bottom. */

import { progressOf } from "../../plan/progress.ts"
import { activeFormOf } from "../../plan/text/active-form.ts"
import type { Todo } from "../../plan/todo.ts"
import { type Line, plainLine, plainText, type Span } from "../text/span.ts"
import { widthOf } from "../text/width.ts"
import { brackets, symbols } from "./marks.ts"
import { fitted, type Layout, layoutOf, narrowed, type Row, rowOf, type Todos, type ViewOptions } from "./row.ts"
import { markedLine } from "./status-styles.ts"
import { lowered, windowed } from "./window.ts"

export const panelTitle = "Tasks"

const longestBar = 20
const shortestBarBesideText = 8
/** Corners, one dash and the title with its spaces. A narrower panel is drawn without a frame. */
const narrowestBox = 10

const squareFrame = { top: ["┌", "┐"], bottom: ["└", "┘"], across: "─", down: "│" } as const
const asciiFrame = { top: ["+", "+"], bottom: ["+", "+"], across: "-", down: "|" } as const

/** A low screen shows this many rows of a long list before it spends a row on an empty line. */
const leastTodos = 4

/** One row per todo. The todo in progress shows its active form. */
export const panelRows = (plan: Todos, options: ViewOptions = {}): Row[] => {
  const layout = layoutOf(options)
  return plan.todos.map((todo) => rowIn(todo, layout))
}

export const panelText = (plan: Todos, options: ViewOptions = {}): string => plainText(panelLines(plan, options))

/**
 * The box is as wide as its content, up to the layout's width. If the box would leave no room for a todo, it is left
 * out.
 */
export const panelLines = (plan: Todos, options: ViewOptions = {}): Line[] => {
  const layout = layoutOf(options)
  const inner = lowered(narrowed(layout, 4), 2)
  const isRoomy = layout.width >= narrowestBox && inner.height > progressIn(plan, inner).length
  if (!isRoomy) return contentIn(plan, layout)
  const lines = contentIn(plan, inner)
  const widths = lines.map((line) => widthOf(plainLine(line)))
  const inside = widths.reduce((widest, width) => Math.max(widest, width), narrowestBox - 4)
  const { top, bottom, across, down } = layout.ascii ? asciiFrame : squareFrame
  const edge = (text: string): Span => ({ text, style: { dim: true } })
  const dashes = across.repeat(inside - panelTitle.length - 1)
  return [
    [edge(`${top[0]}${across} `), { text: panelTitle, style: { bold: true } }, edge(` ${dashes}${top[1]}`)],
    ...lines.map((line, index): Line => {
      const space = " ".repeat(inside - (widths[index] ?? 0))
      return [edge(`${down} `), ...line, edge(`${space} ${down}`)]
    }),
    [edge(bottom[0] + across.repeat(inside + 2) + bottom[1])],
  ]
}

/** `Progress: 1/3 (33%)` and its bar, side by side if there is room, otherwise shortened and on two lines. */
export const progressLines = (plan: Todos, options: ViewOptions = {}): string[] =>
  progressIn(plan, layoutOf(options)).map(plainLine)

/** A bar that is full only if everything is completed. */
export const progressBar = (completed: number, total: number, width: number, ascii = false): string => {
  const columns = ascii ? width - 2 : width
  if (columns < 1) return ""
  const done = total === 0 ? 0 : Math.floor((Math.min(completed, total) / total) * columns)
  if (ascii) return `[${"#".repeat(done)}${"-".repeat(columns - done)}]`
  return "█".repeat(done) + "░".repeat(columns - done)
}

const contentIn = (plan: Todos, layout: Layout): Line[] => {
  const progress = progressIn(plan, layout).slice(0, layout.height)
  // On a low screen, a todo matters more than the empty row above the progress.
  const room = layout.height - progress.length - 1
  const isRoomy = room >= Math.min(Math.max(1, plan.todos.length), leastTodos)
  const foot = isRoomy ? [[], ...progress] : progress
  return [...panelRowsIn(plan, lowered(layout, foot.length)), ...foot]
}

/** The rows without a box; a sentence for an empty plan. */
export const panelRowsIn = ({ todos }: Todos, layout: Layout): Line[] => {
  if (todos.length > 0) return windowed(todos, layout, (todo) => markedLine(rowIn(todo, layout)))
  return layout.height === 0 ? [] : [[{ text: fitted("No todos", layout), style: { dim: true } }]]
}

const rowIn = (todo: Todo, layout: Layout): Row => {
  const text = todo.status === "in_progress" ? activeFormOf(todo) : todo.content
  return rowOf(todo, (layout.ascii ? brackets : symbols)[todo.status], text, layout)
}

const progressIn = (plan: Todos, layout: Layout): Line[] => {
  const { completed, total, percent } = progressOf(plan)
  const count = `${completed}/${total}`
  const wordings = [`Progress: ${count} (${percent}%)`, `${count} (${percent}%)`, count]
  const text = wordings.find((wording) => wording.length <= layout.width) ?? fitted(count, layout)
  const barOf = (room: number): Span => ({
    text: progressBar(completed, total, Math.min(room, longestBar), layout.ascii),
    style: { colour: "green" },
  })
  const beside = layout.width - text.length - 1
  if (beside >= shortestBarBesideText) return [[{ text: `${text} ` }, barOf(beside)]]
  const below = barOf(layout.width)
  return below.text === "" ? [[{ text }]] : [[{ text }], [below]]
}
