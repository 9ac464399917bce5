/** Reads the cells of a terminal emulator's screen, with the colours its program asked for. */
import type { IBufferCell, Terminal } from "@xterm/headless"
import type { Cell, Screen } from "./screen-svg.ts"

export const screenCells = ({ buffer: { active }, rows, cols }: Terminal): Screen =>
  Array.from({ length: rows }, (_, y) => {
    const line = active.getLine(active.baseY + y)
    return Array.from({ length: cols }, (_, x) => cellOf(line?.getCell(x)))
  })

const cellOf = (cell: IBufferCell | undefined): Cell => {
  if (!cell) return { chars: "", width: 1 }
  return {
    chars: cell.getChars(),
    width: cell.getWidth(),
    foreground: cell.isFgDefault() ? undefined : colourOf(cell.getFgColor(), cell.isFgRGB()),
    background: cell.isBgDefault() ? undefined : colourOf(cell.getBgColor(), cell.isBgRGB()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    struck: cell.isStrikethrough() !== 0,
    inverse: cell.isInverse() !== 0,
  }
}

/** The first sixteen are the theme's. Behind them come a cube of six steps a side and a stair of greys. */
const colourOf = (colour: number, isRgb: boolean): number | string => {
  if (isRgb) return hex(colour)
  if (colour < 16) return colour
  if (colour >= 232) return hex((8 + (colour - 232) * 10) * 0x10101)
  const [red, green, blue] = [36, 6, 1].map((size) => Math.floor((colour - 16) / size) % 6).map(stepOf)
  return hex(((red ?? 0) << 16) | ((green ?? 0) << 8) | (blue ?? 0))
}

const stepOf = (step: number): number => (step === 0 ? 0 : 55 + step * 40)

const hex = (colour: number): string => `#${colour.toString(16).padStart(6, "0")}`
