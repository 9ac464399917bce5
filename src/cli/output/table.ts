/** Rows in columns, for people: as wide as they need, the widest cut until a row fits the screen. */
import { sanitise } from "../../plan/text/sanitise.ts"
import { cut, type Line, type Span, type Style, widthOf } from "../../views/index.ts"

/** Plain text, or styled text if there is colour. */
export type Cell = string | { text: string; style: Style }

const gap = 2
const narrowest = 3
/** Where a screen has no end: one long name must not make every row as long. What comes last may be longer, up to a page. */
const [widest, widestLast] = [256, 2_000]

/** The first row is the heading. Every row is moved to the right by `indent` columns, which count too. */
export const tableLines = (rows: readonly (readonly Cell[])[], columns: number, ascii: boolean, indent = 0): Line[] => {
  const measure = measuring()
  const cells = rows.map((row) => row.map(measure))
  const widths: number[] = []
  for (const row of cells) {
    for (let column = 0; column < row.length; column += 1) {
      const width = row[column]?.width ?? 0
      const most = Math.min(width, column === row.length - 1 ? widestLast : widest)
      if (most > (widths[column] ?? 0)) widths[column] = most
    }
  }
  for (let column = 0; column < (rows[0]?.length ?? 0); column += 1) widths[column] ??= 0
  shrink(widths, columns - indent)
  const shape = { widths, ellipsis: ascii ? "~" : "…", start: " ".repeat(indent) }
  return cells.map((row, index) => lineOf(row, shape, index === 0 ? headStyle : undefined))
}

type Shape = { widths: readonly number[]; ellipsis: string; start: string }

type Measured = { text: string; width: number; style: Style | undefined }

/** Neighbours without a style are one span: a listing has thousands of rows, and most cells are plain. */
const lineOf = (row: readonly Measured[], { widths, ellipsis, start }: Shape, otherwise: Style | undefined): Line => {
  const spans: Span[] = []
  let plain = start
  for (let column = 0; column < row.length; column += 1) {
    const { text = "", width = 0, style = otherwise } = row[column] ?? {}
    const room = widths[column] ?? 0
    const shown = width <= room ? text : cut(text, room, ellipsis)
    if (style && shown !== "") {
      if (plain !== "") spans.push({ text: plain })
      spans.push({ text: shown, style })
      plain = ""
    } else plain += shown
    if (column < row.length - 1) plain += " ".repeat(room - (width <= room ? width : widthOf(shown)) + gap)
  }
  if (plain !== "") spans.push({ text: plain })
  return spans
}

const headStyle: Style = { dim: true }

/** Most cells say what the one above them says, and are not measured again. */
const measuring = (): ((cell: Cell, column: number) => Measured) => {
  const above: { raw: string; measured: Measured }[] = []
  return (cell, column) => {
    const isPlain = typeof cell === "string"
    const raw = isPlain ? cell : cell.text
    const style = isPlain ? undefined : cell.style
    const last = above[column]
    if (last?.raw === raw && last.measured.style === style) return last.measured
    const text = sanitise(raw)
    const measured = { text, width: widthOf(text), style }
    above[column] = { raw, measured }
    return measured
  }
}

/** Takes columns from the widest until all fit, or nothing more can be taken. The first says what a row is about, and keeps twice as much. */
const shrink = (widths: number[], columns: number): void => {
  const total = (): number => widths.reduce((sum, width) => sum + width + gap, -gap)
  for (let over = total() - columns; over > 0; over -= 1) {
    const weighed = widths.map((width, column) => (column === 0 ? width / 2 : width))
    const widest = weighed.indexOf(Math.max(...weighed))
    const width = widths[widest] ?? 0
    if (width <= narrowest) return
    widths[widest] = width - 1
  }
}
