/**
 * A few rows that are kept in place below everything a program prints. Written by hand, not with Ink: Ink clears the
 * whole terminal, its scroll-back too, when a frame is higher than the terminal has become, and draws every row again
 * for every line that is printed above them.
 */
import { type Line, plainLine } from "../views/span.ts"
import { widthOf } from "../views/width.ts"
import { paint } from "./paint.ts"

/** What is needed of an output stream. */
export type RegionOutput = Pick<NodeJS.WriteStream, "columns" | "rows"> & {
  write(text: string, taken?: () => void): boolean
}

export type LiveRegion = {
  /** Columns and rows the region may fill: never the last column, and never so many rows that nothing else is seen. */
  room(): { width: number; height: number }
  /** Prints whole lines above, for good, and shows these rows below. Resolves when the terminal has taken them. */
  update(above: string, lines: readonly Line[]): Promise<void>
  /** Lets somebody else print above: the rows go before and come back after. */
  stepAside(print: () => void): void
  /** Takes the rows away; the next update brings them back. */
  wipe(): void
  /** The terminal has another size: what was drawn lies there differently now. */
  resized(lines: readonly Line[]): void
  /** Leaves the rows where they are, with the cursor below them. */
  end(): void
}

/** Terminals that know these show what is between them at once; others pass them over. */
const [begin, finish] = ["\u001b[?2026h", "\u001b[?2026l"]
const clearRow = "\u001b[K"
const clearBelow = "\u001b[J"

type Row = { text: string; width: number }

export const createLiveRegion = (output: RegionOutput, colour: boolean): LiveRegion => {
  /** The rows on the screen. The cursor stands at the start of the last one, or where the first one would be. */
  let drawn: readonly Row[] = []

  const rowsOf = (lines: readonly Line[]): Row[] =>
    lines.map((line) => ({ text: paint(line, colour), width: widthOf(plainLine(line)) }))

  const write = (text: string): Promise<void> =>
    text === "" ? Promise.resolve() : new Promise((taken) => output.write(begin + text + finish, () => taken()))

  const toTop = (rows = drawn.length): string => (rows > 1 ? `\r\u001b[${rows - 1}A` : "\r")

  /** Everything from the first row on is written anew. */
  const anew = (above: string, rows: readonly Row[], from = toTop()): string =>
    `${from}${clearBelow}${above.replaceAll("\n", "\r\n")}${rows.map(({ text }) => text).join("\r\n")}\r`

  /** Only what differs is written; the way down leads over rows that stay. */
  const inPlace = (rows: readonly Row[]): string => {
    const count = Math.max(rows.length, 1)
    const parts = rows.map(({ text }, index) => (text === drawn[index]?.text ? "" : `\r${clearRow}${text}`))
    const isShorter = rows.length < drawn.length
    if (parts.every((part) => part === "") && !isShorter) return ""
    const last = isShorter ? (rows.length === 0 ? clearBelow : `\r\n${clearBelow}\u001b[A`) : ""
    return `${toTop()}${Array.from({ length: count }, (_, index) => parts[index] ?? "").join("\r\n")}${last}\r`
  }

  return {
    room() {
      const [columns, rows] = [output.columns || 80, output.rows || 24]
      // A character that a terminal draws wider than it should must not begin another row.
      return { width: Math.max(1, columns - 1), height: Math.max(1, rows - Math.max(1, Math.min(6, rows >> 2))) }
    },
    update(above, lines) {
      const rows = rowsOf(lines)
      const text = above === "" ? inPlace(rows) : anew(above, rows)
      drawn = rows
      return write(text)
    },
    stepAside(print) {
      if (drawn.length > 0) output.write(`${toTop()}${clearBelow}`)
      print()
      if (drawn.length > 0) output.write(`${drawn.map(({ text }) => text).join("\r\n")}\r`)
    },
    wipe() {
      if (drawn.length > 0) output.write(`${toTop()}${clearBelow}`)
      drawn = []
    },
    resized(lines) {
      const columns = output.columns || 80
      // Rows longer than the terminal is wide now were wrapped by it, and all of their parts must go.
      const above = drawn.slice(0, -1).reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / columns)), 0)
      const rows = rowsOf(lines)
      const text = anew("", rows, toTop(above + 1))
      drawn = rows
      void write(text)
    },
    end() {
      if (drawn.length > 0) output.write("\r\n")
      drawn = []
    },
  }
}
