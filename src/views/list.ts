/** The plain list: done or not done, one row per todo. */

import { progressOf } from "../plan/progress.ts"
import { boxes, bracketBoxes } from "./marks.ts"
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

export const listHeading = "Todos"

/** One row per todo, none for an empty plan. */
export const listRows = (plan: Todos, options: ViewOptions = {}): Row[] => rowsIn(plan, layoutOf(options))

export const listText = (plan: Todos, options: ViewOptions = {}): string =>
  listRows(plan, options).map(lineOf).join("\n")

/** The list on its own: under its heading, indented by two; nothing for an empty plan. */
export const standaloneListText = (plan: Todos, options: ViewOptions = {}): string => {
  if (plan.todos.length === 0) return ""
  const layout = layoutOf(options)
  const rows = rowsIn(plan, narrowed(layout, 2))
  return [fitted(listHeading, layout), ...rows.map((row) => `  ${lineOf(row)}`.trimEnd())].join("\n")
}

/** An agent's list in a view of that agent: how far it is, then the list; nothing when it has none. */
export const agentTasksText = (plan: Todos, options: ViewOptions = {}): string => {
  if (plan.todos.length === 0) return ""
  const { completed, total } = progressOf(plan)
  const layout = layoutOf(options)
  return [fitted(`Tasks (${completed}/${total})`, layout), ...rowsIn(plan, layout).map(lineOf)].join("\n")
}

/** What `/todos` answers. */
export const todosText = (plan: Todos, options: ViewOptions = {}): string => {
  const layout = layoutOf(options)
  const count = plan.todos.length
  if (count === 0) return fitted("No todos", layout)
  const heading = count === 1 ? "1 todo:" : `${count} todos:`
  return [fitted(heading, layout), "", ...rowsIn(plan, layout).map(lineOf)].join("\n")
}

const rowsIn = (plan: Todos, layout: Layout): Row[] => {
  const marks = layout.ascii ? bracketBoxes : boxes
  return plan.todos.map((todo) => rowOf(todo, marks[todo.status], todo.content, layout))
}
