/** The tree: phases with their todos, notes under the todo in progress, and the reasons of blocked todos. */

import { progressOf } from "../../plan/progress.ts"
import { sanitiseNote } from "../../plan/text/sanitise.ts"
import { isFinished, type Todo, type TodoStatus } from "../../plan/todo.ts"
import { type Line, plainText, type Style } from "../text/span.ts"
import { cut, widthOf } from "../text/width.ts"
import { type DoneMark, markAppearance, markAppearances } from "./evidence-marks.ts"
import { brackets, symbols } from "./marks.ts"
import { type PhasedPlan, type PhaseGroup, phaseGroups } from "./phases.ts"
import { reasonOf } from "./reason.ts"
import { fitted, type Layout, layoutOf, narrowed, signIn, type ViewOptions, withId } from "./row.ts"
import { markStyles, textStyles } from "./status-styles.ts"
import { startOf } from "./window.ts"

export type TreeOptions = ViewOptions & {
  /** Shows at most 8 todos, around the current one. @default false */
  collapsed?: boolean | undefined
}

export type TreeRow = {
  kind: "phase" | "todo" | "note" | "reason" | "more"
  /** The branches of the tree, then the todo's mark. */
  lead: string
  /** How many characters of the lead are branches; the mark follows. */
  branches: number
  text: string
  /** The progress of a phase, or the note count of a todo. A long text does not cut it off. */
  tail: string
  status?: TodoStatus
  /** The evidence for a done todo; its sign is the first character after the branches. */
  done?: DoneMark
}

const previewSize = 8
/** How many todos before the current one a preview shows. */
const previewBefore = 3

const lines = { fork: "├─ ", last: "└─ ", down: "│  " }
const asciiLines = { fork: "|- ", last: "`- ", down: "|  " }

export const treeText = (plan: PhasedPlan, options: TreeOptions = {}): string => plainText(treeLines(plan, options))

export const treeLines = (plan: PhasedPlan, options: TreeOptions = {}): Line[] => treeRows(plan, options).map(lineOf)

export const treeRows = (plan: PhasedPlan, { collapsed = false, ...options }: TreeOptions = {}): TreeRow[] => {
  const layout = layoutOf(options)
  const groups = phaseGroups(plan)
  const count = plan.todos.length
  const { from, to } = collapsed ? previewOf(groups.flatMap(({ todos }) => todos)) : { from: 0, to: count }
  const rows: TreeRow[] = []
  let start = 0
  for (const group of groups) {
    const visible = group.todos.slice(Math.max(0, from - start), Math.max(0, to - start))
    start += group.todos.length
    // A preview that hides todos leaves out phases without visible todos.
    if (visible.length > 0 || to - from === count) appendGroup(rows, group, visible, layout)
  }
  return withHidden(rows, from, count - to, layout)
}

/** The rows that fit, between rows that say how many todos are hidden above and below. */
const withHidden = (rows: TreeRow[], earlier: number, more: number, layout: Layout): TreeRow[] => {
  const { height } = layout
  const markers = (earlier > 0 ? 1 : 0) + (more > 0 ? 1 : 0)
  if (rows.length + markers <= height)
    return [...hidden(earlier, "earlier", layout), ...rows, ...hidden(more, "more", layout)]
  const room = height < 3 ? height : height - 2
  const from = startOf(rows.length, currentRow(rows), room)
  if (height < 3) return rows.slice(from, from + room)
  const earlierIn = (start: number): number => earlier + todosIn(rows.slice(0, start))
  const moreIn = (end: number): number => more + todosIn(rows.slice(end))
  // If no todo is hidden above, the row that would say so can show another todo.
  const start = earlierIn(from) === 0 ? Math.max(0, from - 1) : from
  const end = moreIn(from + room) === 0 ? from + room + 1 : from + room
  return [
    ...hidden(earlierIn(start), "earlier", layout),
    ...rows.slice(start, end),
    ...hidden(moreIn(end), "more", layout),
  ]
}

const hidden = (count: number, where: string, layout: Layout): TreeRow[] =>
  count === 0 ? [] : [treeRow("more", "", `${layout.ellipsis} ${count} ${where}`, "", layout)]

const todosIn = (rows: readonly TreeRow[]): number => rows.filter(({ kind }) => kind === "todo").length

const currentRow = (rows: readonly TreeRow[]): number => {
  const active = rows.findIndex(({ status }) => status === "in_progress")
  return active >= 0 ? active : rows.findIndex(({ status }) => status !== undefined && !isFinished(status))
}

/** Returns which of the todos, in drawing order, a preview shows: 8 around the current one. */
export const previewOf = (todos: readonly Todo[]): { from: number; to: number } => {
  const active = todos.findIndex(({ status }) => status === "in_progress")
  const current = active >= 0 ? active : todos.findIndex(({ status }) => !isFinished(status))
  const from = Math.max(0, Math.min(current - previewBefore, todos.length - previewSize))
  return { from, to: Math.min(from + previewSize, todos.length) }
}

const appendGroup = (rows: TreeRow[], group: PhaseGroup, visible: readonly Todo[], layout: Layout): void => {
  const branches = layout.ascii ? asciiLines : lines
  if (group.name !== undefined) {
    const { completed, total } = progressOf(group)
    rows.push(treeRow("phase", "", group.name, ` ${completed}/${total}`, layout))
  }
  visible.forEach((todo, index) => {
    const isLast = index === visible.length - 1
    const [branch, below] =
      group.name === undefined ? ["", ""] : isLast ? [branches.last, "   "] : [branches.fork, branches.down]
    appendTodo(rows, todo, branch, below, layout)
  })
}

const appendTodo = (rows: TreeRow[], todo: Todo, branch: string, below: string, layout: Layout): void => {
  const mark = (layout.ascii ? brackets : symbols)[todo.status]
  const { sign, done } = signIn(todo, layout)
  const indent = below + " ".repeat(sign.length + widthOf(mark) + 1 + (layout.idWidth > 0 ? layout.idWidth + 1 : 0))
  const { status, notes = [] } = todo
  const row = treeRow(
    "todo",
    `${branch}${sign}${mark} `,
    withId(todo, todo.content, layout),
    noteCount(notes.length, layout),
    layout,
  )
  rows.push({ ...row, branches: branch.length, status, ...(done ? { done } : {}) })
  const reason = reasonOf(todo)
  if (reason !== "") rows.push({ ...treeRow("reason", indent, reason, "", layout), status })
  if (status !== "in_progress") return
  for (const line of notes.flatMap((note) => sanitiseNote(note).split("\n"))) {
    const own = /^ {0,8}/.exec(line)?.[0] ?? ""
    if (line !== "") rows.push({ ...treeRow("note", indent + own, line, "", layout), status })
  }
}

const treeRow = (kind: TreeRow["kind"], lead: string, text: string, tail: string, layout: Layout): TreeRow => {
  const room = layout.width - widthOf(lead)
  // On a narrow screen, the text matters more than the count after it.
  const shownTail = widthOf(tail) * 2 <= room ? tail : ""
  return {
    kind,
    lead: cut(lead, layout.width, ""),
    branches: lead.length,
    text: fitted(text, narrowed(layout, widthOf(lead) + widthOf(shownTail))),
    tail: shownTail,
  }
}

/** How many notes a todo has, short enough to follow its text. */
export const noteCount = (count: number, { ascii }: { ascii: boolean }): string => {
  if (count === 0) return ""
  return ascii ? ` (${count})` : ` ${String(count).replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit)))}`
}

/** Branches and counts are dim, phases are emphasised, and todos have the same style as in the panel. */
const lineOf = ({ kind, lead, branches, text, tail, status = "pending", done }: TreeRow): Line => {
  const doubt = done?.word === "contradicted" ? markAppearances.contradicted.style : undefined
  const signs = done ? 1 : 0
  return [
    { text: lead.slice(0, branches), style: { dim: true } },
    ...(done ? [{ text: lead.slice(branches, branches + 1), style: markAppearance(done).style }] : []),
    { text: lead.slice(branches + signs), style: doubt ?? markStyles[status] },
    { text, style: doubt ? {} : styleOf(kind, status) },
    { text: tail, style: { dim: true } },
  ]
}

const styleOf = (kind: TreeRow["kind"], status: TodoStatus): Style => {
  if (kind === "phase") return { bold: true }
  return kind === "todo" ? textStyles[status] : { dim: true }
}
