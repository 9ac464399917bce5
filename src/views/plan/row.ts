/** The basis of all views: their options, and the row that becomes plain text or a line of a coloured screen. */

import { sanitise } from "../../plan/text/sanitise.ts"
import type { Plan, Todo, TodoStatus } from "../../plan/todo.ts"
import { cut, pad, widthOf } from "../text/width.ts"
import { type DoneMark, type DoneMarks, markIn, signOf } from "./evidence-marks.ts"

export type ViewOptions = {
  /** The most columns of a line. With `Infinity`, no line is cut. @default 80 */
  width?: number | undefined
  /** Draws with ASCII only. The plan's own text stays as it is. @default false */
  ascii?: boolean | undefined
  /**
   * The most rows. Of a longer plan, the todos around the current one are shown and the others counted. @default
   * Infinity
   */
  height?: number | undefined
  /** Columns for the id before the text of each todo. @default 0, which shows no ids */
  idWidth?: number | undefined
  /** The evidence for done todos, shown as a sign before each mark. @default no signs, and no column for them */
  marks?: DoneMarks | undefined
}

/** Views of a flat list need no more of a plan than its todos. */
export type Todos = Pick<Plan, "todos">

/** One todo, ready to be drawn: safe text, cut to fit, and the status, by which a screen may colour it. */
export type Row = {
  mark: string
  text: string
  status: TodoStatus
  /** The column before the mark, if signs are shown; a space for most todos. */
  sign?: string
  done?: DoneMark
  /** Whether the status is assumed. The text then says why. */
  isAssumed?: true
}

export type Layout = {
  width: number
  height: number
  ascii: boolean
  ellipsis: string
  idWidth: number
  marks?: DoneMarks | undefined
}

export const layoutOf = ({ width = 80, height = 0, ascii = false, idWidth = 0, marks }: ViewOptions): Layout => ({
  // A terminal of unknown size reports 0.
  width: width >= 1 ? Math.floor(width) : 80,
  height: height >= 1 ? Math.floor(height) : Number.POSITIVE_INFINITY,
  ascii,
  ellipsis: ascii ? "..." : "…",
  idWidth,
  marks,
})

/** The same layout with fewer columns, for lines inside an indent or a frame. */
export const narrowed = (layout: Layout, columns: number): Layout => ({
  ...layout,
  width: Math.max(0, layout.width - columns),
})

/** An indent of up to two columns that leaves at least one column for the text. */
export const indentIn = ({ width }: Layout): number => Math.max(0, Math.min(2, width - 1))

export const rowOf = (todo: Todo, mark: string, text: string, layout: Layout): Row => {
  const { sign, done } = signIn(todo, layout)
  const rest = narrowed(layout, sign.length)
  return {
    mark: cut(mark, rest.width, ""),
    text: fitted(withId(todo, text, layout), narrowed(rest, widthOf(mark) + 1)),
    status: todo.status,
    ...(sign === "" ? {} : { sign }),
    ...(done ? { done } : {}),
  }
}

/** The column before a tick; empty if no signs are shown, and on the narrowest screens. */
export const signIn = (
  todo: Pick<Todo, "id" | "status">,
  { marks, width, ascii }: Layout,
): { sign: string; done: DoneMark | undefined } => {
  if (marks === undefined || width < 8) return { sign: "", done: undefined }
  const done = markIn(marks, todo)
  return { sign: done ? signOf(done, ascii) : " ", done }
}

/** The text, preceded by the todo's id if ids are shown. */
export const withId = ({ id }: Todo, text: string, { idWidth, ellipsis }: Layout): string =>
  idWidth > 0 ? `${pad(cut(sanitise(id), idWidth, ellipsis), idWidth)} ${text}` : text

/**
 * Text of a plan, cut to a layout. It was sanitised when it was stored, and is sanitised again before it reaches a
 * screen.
 */
export const fitted = (text: string, { width, ellipsis }: Pick<Layout, "width" | "ellipsis">): string => {
  // Of a very long text, the beginning nearly always suffices.
  const beginning = text.slice(0, width * 8 + 256)
  if (beginning.length < text.length) {
    const safe = withoutJoiners(sanitise(beginning))
    const shown = cut(safe, width, ellipsis)
    if (shown !== safe) return shown
  }
  return cut(withoutJoiners(sanitise(text)), width, ellipsis)
}

/** The text without leading marks that would combine with the character before it. */
const withoutJoiners = (text: string): string =>
  text.charCodeAt(0) < 0x300 ? text : text.replace(/^[\p{Mark}\p{Emoji_Modifier}\u200d]+/u, "")

export const lineOf = ({ sign = "", mark, text }: Pick<Row, "sign" | "mark" | "text">): string =>
  text === "" ? sign + mark : `${sign}${mark} ${text}`
