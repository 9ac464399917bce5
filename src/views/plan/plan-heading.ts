/** The plan of one member among several: a heading with its name, then one row per todo. */

import type { Todo } from "../../plan/todo.ts"
import { countOpen, isAssumedAtEnd } from "../live-lists.ts"
import { type Colour, type Line, plainText } from "../text/span.ts"
import { widthOf } from "../text/width.ts"
import { brackets, emoji, type Marks } from "./marks.ts"
import { fitted, type Layout, layoutOf, type Row, rowOf, type Todos, type ViewOptions, withId } from "./row.ts"
import { memberStyles, rowLine } from "./status-styles.ts"
import { under, windowed } from "./window.ts"

export type MemberOptions = ViewOptions & {
  /**
   * Whether the agent's turn is over. Its open todos are then shown as completed and marked as assumed, in this view
   * only. @default false
   */
  hasEnded?: boolean | undefined
  /** The colour that identifies the member. @default "cyan" */
  colour?: Colour | undefined
}

export type HeadingOptions = ViewOptions & {
  /** How many todos the agent left open when its turn ended. @default 0 */
  leftOpen?: number | undefined
}

/** `📋 Plan (<member>):`, and the number of todos left open. Only a long name is cut. */
export const planHeading = (member: string, { leftOpen = 0, ...options }: HeadingOptions = {}): string => {
  const layout = layoutOf(options)
  const before = layout.ascii ? "Plan (" : "📋 Plan ("
  const endings = leftOpen > 0 ? [`): ${leftOpen} left open`, "):"] : ["):"]
  const after = endings.find((ending) => widthOf(before + ending) < layout.width)
  if (after === undefined) return fitted(`${before}${member}):`, layout)
  return before + fitted(member, { ...layout, width: layout.width - widthOf(before + after) }) + after
}

export const planRows = (plan: Todos, { hasEnded, ...options }: MemberOptions = {}): Row[] => {
  const layout = layoutOf(options)
  return plan.todos.map((todo) => rowIn(todo, layout, hasEnded))
}

/** Heading and rows; empty for an empty plan. `member` is a display name, or the agent's id if it has none. */
export const planText = (plan: Todos, member: string, options: MemberOptions = {}): string =>
  plainText(planLines(plan, member, options))

export const planLines = (plan: Todos, member: string, options: MemberOptions = {}): Line[] => {
  if (plan.todos.length === 0) return []
  const { hasEnded = false, colour = "cyan", ...rest } = options
  const layout = layoutOf(rest)
  const leftOpen = hasEnded ? countOpen(plan.todos) : 0
  const heading = [{ text: planHeading(member, { ...rest, leftOpen }), style: { bold: true, colour } }]
  return under(heading, layout, (below) =>
    windowed(plan.todos, below, (todo) => rowLine(rowIn(todo, below, hasEnded), memberStyles)),
  )
}

const rowIn = (todo: Todo, layout: Layout, hasEnded = false): Row => {
  const marks = layout.ascii ? brackets : emoji
  return (
    (hasEnded ? assumedRow(todo, marks, layout) : undefined) ?? rowOf(todo, marks[todo.status], todo.content, layout)
  )
}

const assumedNote = " (turn ended)"
/** The fewest columns of a text that still identify its todo. */
const leastText = 4

/**
 * Behaviour A7: agents often end a turn without ticking off their last todos, so those are shown as completed, with the
 * reason. Without room for the reason, the todo is shown as it is.
 */
const assumedRow = (todo: Todo, marks: Marks, layout: Layout): Row | undefined => {
  const room = layout.width - widthOf(marks.completed) - 1 - assumedNote.length
  if (!isAssumedAtEnd(todo.status) || room < leastText) return undefined
  const text = (fitted(withId(todo, todo.content, layout), { ...layout, width: room }) + assumedNote).trimStart()
  return { mark: marks.completed, text, status: "completed", isAssumed: true }
}
