/** How the board divides a screen: which parts there are at this size, and how many columns and rows each has. */
import { type BoardGlyphs, glyphsOf } from "./glyphs.ts"
import { noticeLines } from "./notice.ts"
import type { BoardView } from "./view.ts"

export type BoardSize = { columns: number; rows: number; ascii: boolean }

export type BoardFrame = {
  glyphs: BoardGlyphs
  columns: number
  rows: number
  hasHeader: boolean
  /** Lines of the footer: one, or more for a long notice. */
  footer: number
  rules: { above: boolean; below: boolean }
  /** Lines between header and footer. */
  body: number
  /** Columns of the list of sessions; none when only the plan is visible. */
  sidebar: number
  /** Columns of the plan; none when only the sessions are visible. */
  plan: number
  /** Lines of the heading above the plan. */
  heading: number
  /** Whether a session with a question or an error may take a second line. */
  isRoomy: boolean
}

/** A screen with fewer columns shows one pane at a time. */
const narrow = 60
const roomyBody = 8

type Framed = Pick<BoardView, "pane" | "page" | "notice" | "prompt">

export const frameOf = (view: Framed, size: BoardSize): BoardFrame => {
  const { pane, page } = view
  const columns = whole(size.columns)
  const rows = whole(size.rows)
  const hasFooter = rows >= 2
  const hasHeader = rows >= 4
  const rules = { above: rows >= 12, below: rows >= 16 }
  const usual = rows - Number(hasHeader) - Number(hasFooter) - Number(rules.above) - Number(rules.below)
  const glyphs = glyphsOf(size.ascii)
  const footer = hasFooter ? footerLines(view, columns, usual, glyphs) : 0
  const sidebar = columns < narrow ? (pane === "sessions" ? columns : 0) : sidebarOf(columns)
  return {
    glyphs,
    columns,
    rows,
    hasHeader,
    footer,
    rules,
    body: usual - Math.max(0, footer - 1),
    // A page covers both panes.
    ...(page ? { sidebar: 0, plan: columns } : { sidebar, plan: columns - sidebar - Number(columns >= narrow) }),
    // Computed from the usual height, so that the heading does not change while a notice is shown.
    heading: usual >= 16 ? 4 : usual >= 12 ? 3 : usual >= 6 ? 2 : usual >= 2 ? 1 : 0,
    isRoomy: usual >= roomyBody,
  }
}

/** A notice takes more than one line only if the body has lines to spare. */
const footerLines = ({ notice, prompt }: Framed, columns: number, body: number, glyphs: BoardGlyphs): number => {
  if (notice === "" || prompt !== undefined || body < roomyBody) return 1
  return Math.max(1, noticeLines(notice, columns, glyphs).length)
}

const whole = (length: number): number => (length >= 1 ? Math.min(Math.floor(length), 10_000) : 0)

const sidebarOf = (columns: number): number => Math.min(60, Math.max(32, Math.floor(columns * 0.43)))
