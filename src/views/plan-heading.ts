/** The plan of one member among several: a heading with its name, then one row per todo. */

import type { Todo, TodoStatus } from "../plan/todo.ts"
import { bracketEmoji, emoji } from "./marks.ts"
import { fitted, type Layout, layoutOf, type Row, rowOf, type Todos, type ViewOptions } from "./row.ts"
import { type Colour, type Line, plainText } from "./span.ts"
import { memberStyles, rowLine } from "./status-styles.ts"
import { widthOf } from "./width.ts"
import { under, windowed } from "./window.ts"

export type MemberOptions = ViewOptions & {
  /** The agent's turn is over: what is left shows as completed, in this view only. @default false */
  hasEnded?: boolean | undefined
  /** Whose plan this is, told by colour too. @default "cyan" */
  colour?: Colour | undefined
}

/** `📋 Plan (<member>):`; a long name is cut, the rest stays. */
export const planHeading = (member: string, options: ViewOptions = {}): string => headingIn(member, layoutOf(options))

export const planRows = (plan: Todos, { hasEnded, ...options }: MemberOptions = {}): Row[] => {
  const layout = layoutOf(options)
  return plan.todos.map((todo) => rowIn(todo, layout, hasEnded))
}

/** Heading and rows; nothing for an empty plan. `member` is a display name, or the agent's id when it has none. */
export const planText = (plan: Todos, member: string, options: MemberOptions = {}): string =>
  plainText(planLines(plan, member, options))

export const planLines = (plan: Todos, member: string, options: MemberOptions = {}): Line[] => {
  if (plan.todos.length === 0) return []
  const { hasEnded, colour = "cyan", ...rest } = options
  const layout = layoutOf(rest)
  const heading = [{ text: headingIn(member, layout), style: { bold: true, colour } }]
  return under(heading, layout, (below) =>
    windowed(plan.todos, below, (todo) => rowLine(rowIn(todo, below, hasEnded), memberStyles)),
  )
}

const headingIn = (member: string, layout: Layout): string => {
  const before = layout.ascii ? "Plan (" : "📋 Plan ("
  const after = "):"
  const room = layout.width - widthOf(before) - widthOf(after)
  if (room < 1) return fitted(before + member + after, layout)
  return before + fitted(member, { ...layout, width: room }) + after
}

const rowIn = (todo: Todo, layout: Layout, hasEnded = false): Row => {
  const status = hasEnded ? endedStatus(todo.status) : todo.status
  return rowOf({ ...todo, status }, (layout.ascii ? bracketEmoji : emoji)[status], todo.content, layout)
}

/** SPEC A7: an agent that ended its turn seldom ticks off its last todos; one that is blocked or cancelled stays so. */
const endedStatus = (status: TodoStatus): TodoStatus =>
  status === "pending" || status === "in_progress" ? "completed" : status
