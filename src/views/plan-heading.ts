/** The plan of one member among several: a heading with its name, then one row per todo. */

import { bracketEmoji, emoji } from "./marks.ts"
import { fitted, layoutOf, lineOf, type Row, rowOf, type Todos, type ViewOptions } from "./row.ts"
import { widthOf } from "./width.ts"

/** `📋 Plan (<member>):`; a long name is cut, the rest stays. */
export const planHeading = (member: string, options: ViewOptions = {}): string => {
  const layout = layoutOf(options)
  const before = layout.ascii ? "Plan (" : "📋 Plan ("
  const after = "):"
  const room = layout.width - widthOf(before) - widthOf(after)
  if (room < 1) return fitted(before + member + after, layout)
  return before + fitted(member, { ...layout, width: room }) + after
}

export const planRows = (plan: Todos, options: ViewOptions = {}): Row[] => {
  const layout = layoutOf(options)
  const marks = layout.ascii ? bracketEmoji : emoji
  return plan.todos.map((todo) => rowOf(todo, marks[todo.status], todo.content, layout))
}

/** Heading and rows; nothing for an empty plan. `member` is a display name, or the agent's id when it has none. */
export const planText = (plan: Todos, member: string, options: ViewOptions = {}): string =>
  plan.todos.length === 0 ? "" : [planHeading(member, options), ...planRows(plan, options).map(lineOf)].join("\n")
