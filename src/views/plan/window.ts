/** The visible part of a long list on a low screen: the todos around the current one, and how many are hidden. */

import { isFinished, type Todo } from "../../plan/todo.ts"
import type { Line } from "../text/span.ts"
import { fitted, type Layout } from "./row.ts"

/** Lines for as many todos as fit. Hidden ones are counted above and below. */
export const windowed = (todos: readonly Todo[], layout: Layout, draw: (todo: Todo) => Line): Line[] => {
  const { from, to } = visibleOf(todos, layout.height)
  const shown = todos.slice(from, to).map(draw)
  // On fewer than three rows, a count of hidden todos would take the place of a todo.
  if (layout.height < 3) return shown
  return [...hidden(from, "earlier", layout), ...shown, ...hidden(todos.length - to, "more", layout)]
}

/** A heading and the lines under it. If there is no room for both, the heading is left out. */
export const under = (heading: Line, layout: Layout, draw: (rest: Layout) => Line[]): Line[] =>
  layout.height < 2 ? draw(layout) : [heading, ...draw(lowered(layout, 1))]

/** The lines with an empty row above and below, if there is room for both. */
export const withAir = (lines: readonly Line[], height: number): Line[] =>
  lines.length > 0 && lines.length + 2 <= height ? [[], ...lines, []] : [...lines]

/** The same layout with fewer rows. */
export const lowered = (layout: Layout, rows: number): Layout => ({
  ...layout,
  height: Math.max(0, layout.height - rows),
})

/** The first visible row if `room` of `count` rows fit: a little before the current one. */
export const startOf = (count: number, current: number, room: number): number =>
  Math.max(0, Math.min(current - Math.floor(room / 3), count - room))

const visibleOf = (todos: readonly Todo[], height: number): { from: number; to: number } => {
  const count = todos.length
  if (count <= height) return { from: 0, to: count }
  const room = height < 3 ? height : height - 2
  const from = startOf(count, currentIndex(todos), room)
  if (height < 3) return { from, to: from + room }
  // At either end only one row is needed to count hidden todos, and a single hidden todo takes no more room than that
  // row.
  if (from <= 1) return { from: 0, to: height - 1 }
  if (from + room >= count - 1) return { from: count - height + 1, to: count }
  return { from, to: from + room }
}

/** The index of the todo in progress, otherwise of the first unfinished one, otherwise 0. */
const currentIndex = (todos: readonly Todo[]): number => {
  const active = todos.findIndex(({ status }) => status === "in_progress")
  if (active >= 0) return active
  const open = todos.findIndex(({ status }) => !isFinished(status))
  return Math.max(0, open)
}

const hidden = (count: number, where: string, layout: Layout): Line[] =>
  count === 0 ? [] : [[{ text: fitted(`${layout.ellipsis} ${count} ${where}`, layout), style: { dim: true } }]]
