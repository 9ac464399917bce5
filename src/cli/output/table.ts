/** Rows in columns, for people: as wide as they need, the widest cut until a row fits the screen. */
import { sanitise } from "../../plan/sanitise.ts"
import { cut, widthOf } from "../../views/index.ts"

const gap = 2
const narrowest = 3
/** Where a screen has no end: one long name must not make every row as long. What stands last may be as long as it is. */
const widest = 256

export const tableText = (rows: readonly (readonly string[])[], columns: number, ascii: boolean): string => {
  const cells = rows.map((row) =>
    row.map((cell) => {
      const text = sanitise(cell)
      return { text, width: widthOf(text) }
    }),
  )
  const widths: number[] = []
  for (const row of cells) {
    for (const [column, { width }] of row.entries()) {
      const most = column === row.length - 1 ? width : Math.min(width, widest)
      widths[column] = Math.max(widths[column] ?? 0, most)
    }
  }
  shrink(widths, columns)
  const fit = ({ text, width }: { text: string; width: number }, column: number): string => {
    const room = widths[column] ?? 0
    if (width <= room) return text + " ".repeat(room - width)
    const shown = cut(text, room, ascii ? "~" : "…")
    return shown + " ".repeat(Math.max(0, room - widthOf(shown)))
  }
  const lines = cells.map((row) => row.map(fit).join(" ".repeat(gap)).trimEnd())
  return `${lines.join("\n")}\n`
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
