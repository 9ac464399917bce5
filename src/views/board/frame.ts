/** How the board divides a screen: which parts there are at this size, and how many columns and rows each has. */
import { type BoardGlyphs, glyphsOf } from "./glyphs.ts"
import type { BoardView } from "./view.ts"

export type BoardSize = { columns: number; rows: number; ascii: boolean }

export type BoardFrame = {
  glyphs: BoardGlyphs
  columns: number
  rows: number
  hasHeader: boolean
  hasFooter: boolean
  rules: { above: boolean; below: boolean }
  /** Lines between header and footer. */
  body: number
  /** Columns of the list of sessions; none when only the plan is visible. */
  sidebar: number
  /** Columns of the plan; none when only the sessions are visible. */
  plan: number
  /** Lines that say whose plan it is. */
  heading: number
  /** Whether a session that has something to say may take a second line. */
  isRoomy: boolean
}

/** Below this there is room for one pane at a time. */
const narrow = 60

export const frameOf = ({ pane, page }: Pick<BoardView, "pane" | "page">, size: BoardSize): BoardFrame => {
  const columns = whole(size.columns)
  const rows = whole(size.rows)
  const hasFooter = rows >= 2
  const hasHeader = rows >= 4
  const rules = { above: rows >= 12, below: rows >= 16 }
  const body = rows - Number(hasHeader) - Number(hasFooter) - Number(rules.above) - Number(rules.below)
  const sidebar = columns < narrow ? (pane === "sessions" ? columns : 0) : sidebarOf(columns)
  return {
    glyphs: glyphsOf(size.ascii),
    columns,
    rows,
    hasHeader,
    hasFooter,
    rules,
    body,
    // A page covers both panes.
    ...(page ? { sidebar: 0, plan: columns } : { sidebar, plan: columns - sidebar - Number(columns >= narrow) }),
    heading: body >= 16 ? 4 : body >= 12 ? 3 : body >= 6 ? 2 : body >= 2 ? 1 : 0,
    isRoomy: body >= 8,
  }
}

const whole = (length: number): number => (length >= 1 ? Math.min(Math.floor(length), 10_000) : 0)

const sidebarOf = (columns: number): number => Math.min(60, Math.max(32, Math.floor(columns * 0.43)))
