/** The plain list: done or not done, one row per todo. */

import { progressOf } from "../../plan/progress.ts"
import type { Todo } from "../../plan/todo.ts"
import { indented, type Line, plainText } from "../text/span.ts"
import { boxes, bracketBoxes, brackets, detailedBoxes, type Marks } from "./marks.ts"
import {
  fitted,
  indentIn,
  type Layout,
  layoutOf,
  narrowed,
  type Row,
  rowOf,
  type Todos,
  type ViewOptions,
} from "./row.ts"
import { listStyles, rowLine } from "./status-styles.ts"
import { lowered, under, windowed } from "./window.ts"

export const listHeading = "Todos"

/** One row per todo, none for an empty plan. */
export const listRows = (plan: Todos, options: ViewOptions = {}): Row[] => {
  const layout = layoutOf(options)
  return plan.todos.map((todo) => rowIn(todo, layout))
}

export const listText = (plan: Todos, options: ViewOptions = {}): string => plainText(listLines(plan, options))

/** The list as lines: finished todos dim and struck through, the todo in progress bold. */
export const listLines = (plan: Todos, options: ViewOptions = {}): Line[] => listIn(plan, layoutOf(options))

/** The list on its own: under a heading, indented by two; empty for an empty plan. */
export const standaloneListText = (plan: Todos, options: ViewOptions = {}): string =>
  plainText(standaloneListLines(plan, options))

export const standaloneListLines = (plan: Todos, options: ViewOptions = {}): Line[] => {
  if (plan.todos.length === 0) return []
  const layout = layoutOf(options)
  const heading = [{ text: fitted(listHeading, layout), style: { bold: true, dim: true } }]
  return under(heading, layout, (rest) => indentedListIn(plan, rest))
}

/** An agent's list in a view of that agent: its progress, then the list; empty for an empty plan. */
export const agentTasksText = (plan: Todos, options: ViewOptions = {}): string =>
  plainText(agentTasksLines(plan, options))

export const agentTasksLines = (plan: Todos, options: ViewOptions = {}): Line[] => {
  if (plan.todos.length === 0) return []
  const { completed, total } = progressOf(plan)
  const layout = layoutOf(options)
  const heading = [{ text: fitted(`Tasks (${completed}/${total})`, layout), style: { bold: true } }]
  return under(heading, layout, (rest) => listIn(plan, rest))
}

export type TodosOptions = ViewOptions & {
  /** Shows all five statuses, instead of only done and not done. @default false */
  isDetailed?: boolean | undefined
}

/** What `/todos` prints (behaviour C34): the number of todos in bold, and the list. */
export const todosText = (plan: Todos, options: TodosOptions = {}): string => plainText(todosLines(plan, options))

export const todosLines = (plan: Todos, { isDetailed = false, ...options }: TodosOptions = {}): Line[] => {
  const layout = layoutOf(options)
  const marks = isDetailed ? (layout.ascii ? brackets : detailedBoxes) : marksIn(layout)
  const count = plan.todos.length
  if (count === 0) return [[{ text: fitted("No todos", layout) }]]
  if (layout.height < 3) return listIn(plan, layout, marks)
  const words = fitted(count === 1 ? "1 todo:" : `${count} todos:`, layout)
  const heading = [{ text: words.replace(/:$/, ""), style: { bold: true } }, { text: words.endsWith(":") ? ":" : "" }]
  return [heading, [], ...listIn(plan, lowered(layout, 2), marks)]
}

/** The list, indented by two columns if the layout is wide enough. */
export const indentedListIn = (plan: Todos, layout: Layout): Line[] => {
  const columns = indentIn(layout)
  return indented(listIn(plan, narrowed(layout, columns)), columns)
}

const listIn = ({ todos }: Todos, layout: Layout, marks?: Marks): Line[] =>
  windowed(todos, layout, (todo) => rowLine(rowIn(todo, layout, marks), listStyles))

const rowIn = (todo: Todo, layout: Layout, marks = marksIn(layout)): Row =>
  rowOf(todo, marks[todo.status], todo.content, layout)

const marksIn = ({ ascii }: Layout): Marks => (ascii ? bracketBoxes : boxes)
