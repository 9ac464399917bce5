/** Rows in columns, for people: as wide as they need, the widest cut until a row fits the screen. */
import { sanitise } from "../../plan/text/sanitise.ts"
import { cut, type Line, type Span, type Style, widthOf } from "../../views/index.ts"

/** Text, or text that stands out or steps back where there is colour. */
export type Cell = string | { text: string; style: Style }

const gap = 2
const narrowest = 3
/** Where a screen has no end: one long name must not make every row as long. What comes last may be as long as it is. */
const widest = 256

/** The first row is the heading. */
export const tableLines = (rows: readonly (readonly Cell[])[], columns: number, ascii: boolean): Line[] => {
  const cells = rows.map((row, index) => row.map((cell) => measured(cell, index === 0 ? headStyle : undefined)))
  const widths: number[] = []
  for (const row of cells) {
    for (let column = 0; column < row.length; column += 1) {
      const width = row[column]?.width ?? 0
      const most = column === row.length - 1 ? width : Math.min(width, widest)
      widths[column] = Math.max(widths[column] ?? 0, most)
    }
  }
  shrink(widths, columns)
  return cells.map((row) => lineOf(row, widths, ascii ? "~" : "…"))
}

type Measured = { text: string; width: number; style: Style | undefined }

/** Neighbours without a style are one span: a listing has thousands of rows, and most cells are plain. */
const lineOf = (row: readonly Measured[], widths: readonly number[], ellipsis: string): Line => {
  const spans: Span[] = []
  let plain = ""
  for (let column = 0; column < row.length; column += 1) {
    const { text = "", width = 0, style } = row[column] ?? {}
    const room = widths[column] ?? 0
    const shown = width <= room ? text : cut(text, room, ellipsis)
    if (style && shown !== "") {
      if (plain !== "") spans.push({ text: plain })
      spans.push({ text: shown, style })
      plain = ""
    } else plain += shown
    if (column < row.length - 1) plain += " ".repeat(room - (width <= room ? width : widthOf(shown)) + gap)
  }
  return plain === "" ? spans : [...spans, { text: plain }]
}

const headStyle: Style = { dim: true }

const measured = (cell: Cell, otherwise: Style | undefined): Measured => {
  const isPlain = typeof cell === "string"
  const text = sanitise(isPlain ? cell : cell.text)
  return { text, width: widthOf(text), style: isPlain ? otherwise : cell.style }
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
