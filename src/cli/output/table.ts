/** Rows in columns, for people: as wide as they need, the widest cut until a row fits the screen. */
import { sanitise } from "../../plan/sanitise.ts"
import { cut, type Line, type Style, widthOf } from "../../views/index.ts"

/** Text, or text that stands out or steps back where there is colour. */
export type Cell = string | { text: string; style: Style }

const gap = 2
const narrowest = 3
/** Where a screen has no end: one long name must not make every row as long. What stands last may be as long as it is. */
const widest = 256

/** The first row is the heading. */
export const tableLines = (rows: readonly (readonly Cell[])[], columns: number, ascii: boolean): Line[] => {
  const cells = rows.map((row, index) => row.map((cell) => measured(cell, index === 0 ? headStyle : undefined)))
  const widths: number[] = []
  for (const row of cells) {
    for (const [column, { width }] of row.entries()) {
      const most = column === row.length - 1 ? width : Math.min(width, widest)
      widths[column] = Math.max(widths[column] ?? 0, most)
    }
  }
  shrink(widths, columns)
  return cells.map((row) =>
    row.flatMap(({ text, width, style }, column) => {
      const room = widths[column] ?? 0
      const shown = width <= room ? text : cut(text, room, ascii ? "~" : "…")
      const isLast = column === row.length - 1
      return [{ text: shown, style }, { text: isLast ? "" : " ".repeat(room - widthOf(shown) + gap) }]
    }),
  )
}

const headStyle: Style = { dim: true }

const measured = (
  cell: Cell,
  otherwise: Style | undefined,
): { text: string; width: number; style?: Style | undefined } => {
  const { text: given, style } = typeof cell === "string" ? { text: cell, style: otherwise } : cell
  const text = sanitise(given)
  return { text, width: widthOf(text), style }
}

/** Takes columns from the widest until all fit, or nothing more can be taken. */
const shrink = (widths: number[], columns: number): void => {
  const total = (): number => widths.reduce((sum, width) => sum + width + gap, -gap)
  for (let over = total() - columns; over > 0; over -= 1) {
    const widest = widths.indexOf(Math.max(...widths))
    const width = widths[widest] ?? 0
    if (width <= narrowest) return
    widths[widest] = width - 1
  }
}
