/**
 * A few rows that stay in place below everything a program prints. Does not use Ink, which clears the whole terminal,
 * its scroll-back too, when the terminal becomes lower than a frame, and redraws every row for every line printed
 * above.
 */
import { type Line, plainLine } from "../../views/text/span.ts"
import { widthOf } from "../../views/text/width.ts"
import { type Painted, paint } from "./paint.ts"
import { inOneStep, wrapping } from "./terminal-modes.ts"

/** The part of an output stream that the region needs. */
export type RegionOutput = Pick<NodeJS.WriteStream, "columns" | "rows"> & {
  write(text: string, taken?: () => void): boolean
}

export type LiveRegion = {
  /** The columns and rows the region may fill: never the last column, and never the whole height. */
  room(): { width: number; height: number }
  /**
   * Prints whole lines above, which stay, and shows these rows below. Resolves when the terminal has accepted the
   * output.
   */
  update(above: readonly Painted[], lines: readonly Line[]): Promise<void>
  /** Prints whole lines above the rows and lets other output follow them: the rows are removed before and redrawn after. */
  stepAside(above: readonly Painted[], print: () => void): void
  /** Removes the rows. The next update shows them again. */
  wipe(): void
  /** Leaves the rows where they are, with the cursor below them. */
  end(): void
}

const clearRow = "\u001b[K"
const clearBelow = "\u001b[J"

type Row = { text: Painted; width: number }

const asLines = (rows: readonly Painted[]): string => rows.map((row) => `${row}\r\n`).join("")

export const createLiveRegion = (output: RegionOutput, colour: boolean): LiveRegion => {
  /** The rows on the screen. The cursor is at the start of the last one, or where the first one would be. */
  let drawn: readonly Row[] = []
  let drawnIn = 0

  /** A terminal of unknown size reports 0. */
  const size = () => ({ columns: output.columns || 80, rows: output.rows || 24 })

  /**
   * Moves to the first row. A terminal that became narrower has wrapped long rows, and all their parts must be removed.
   */
  const toTop = (): string => {
    const { columns } = size()
    const parts = ({ width }: Row): number => (columns < drawnIn ? Math.max(1, Math.ceil(width / columns)) : 1)
    const above = drawn.slice(0, -1).reduce((sum, row) => sum + parts(row), 0)
    return above > 0 ? `\r\u001b[${above}A` : "\r"
  }

  const textOf = (rows: readonly Row[]): string =>
    rows.length === 0 ? "" : `${wrapping.off}${rows.map(({ text }) => text).join("\r\n")}\r${wrapping.on}`

  /** Writes only rows that differ, and moves over the others. */
  const inPlace = (rows: readonly Row[]): string => {
    const parts = rows.map(({ text }, index) => (text === drawn[index]?.text ? "" : `\r${clearRow}${text}`))
    const isShorter = rows.length < drawn.length
    if (parts.every((part) => part === "") && !isShorter) return ""
    const rest = isShorter ? `\r\n${clearBelow}\u001b[A` : ""
    return `${toTop()}${wrapping.off}${parts.join("\r\n")}${rest}\r${wrapping.on}`
  }

  const write = (text: string): Promise<void> =>
    text === "" ? Promise.resolve() : new Promise((taken) => output.write(inOneStep(text), () => taken()))

  return {
    room() {
      const { columns, rows } = size()
      return { width: Math.max(1, columns - 1), height: Math.max(1, rows - Math.max(1, Math.min(6, rows >> 2))) }
    },
    update(above, lines) {
      const rows = lines.map((line) => ({ text: paint(line, colour), width: widthOf(plainLine(line)) }))
      const { columns } = size()
      const isAnew = above.length > 0 || columns !== drawnIn || rows.length === 0
      const isNothing = above.length === 0 && rows.length + drawn.length === 0
      const anew = isNothing ? "" : `${toTop()}${clearBelow}${asLines(above)}${textOf(rows)}`
      const text = isAnew ? anew : inPlace(rows)
      drawn = rows
      drawnIn = columns
      return write(text)
    },
    stepAside(above, print) {
      const room = drawn.length > 0 ? `${toTop()}${clearBelow}` : ""
      if (room !== "" || above.length > 0) output.write(room + asLines(above))
      print()
      if (drawn.length > 0) output.write(textOf(drawn))
    },
    wipe() {
      if (drawn.length > 0) output.write(`${toTop()}${clearBelow}`)
      drawn = []
    },
    end() {
      if (drawn.length > 0) output.write("\r\n")
      drawn = []
    },
  }
}
