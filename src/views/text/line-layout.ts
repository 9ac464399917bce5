/** Fits lines of spans to a width: cuts, pads, aligns to both ends, restyles. */
import type { Line, Span, Style } from "./span.ts"
import { cut, widthOf } from "./width.ts"

export const lineWidth = (line: Line): number => line.reduce((columns, { text }) => columns + widthOf(text), 0)

/** The line, cut to at most `width` columns. */
export const cutLine = (line: Line, width: number, ellipsis: string): Line => {
  if (lineWidth(line) <= width) return line
  const kept: Span[] = []
  let room = width
  for (const span of line) {
    const columns = widthOf(span.text)
    // The last span that fits may have to make room for the ellipsis, so it is cut together with the next one.
    if (columns > room - widthOf(ellipsis)) {
      const text = cut(span.text + " ".repeat(room + 1), room, ellipsis)
      return text === "" ? kept : [...kept, { ...span, text }]
    }
    kept.push(span)
    room -= columns
  }
  return kept
}

/** The line followed by as many spaces as reach `width` columns. */
export const padLine = (line: Line, width: number, style?: Style): Line => {
  const missing = width - lineWidth(line)
  return missing > 0 ? [...line, { text: " ".repeat(missing), style }] : line
}

/**
 * One piece at each end, exactly `width` columns in all. The right piece is kept whole unless it takes more than half
 * of the width; then the left piece takes precedence.
 */
export const spread = (left: Line, right: Line, width: number, ellipsis: string): Line => {
  const tail = lineWidth(right)
  const isShown = tail > 0 && tail * 2 <= width
  const room = isShown ? width - tail - 1 : width
  const filled = padLine(cutLine(left, room, ellipsis), room)
  return isShown ? [...filled, { text: " " }, ...right] : filled
}

/** A selected line in one style, because its own colours would be unreadable when inverted. */
export const inverted = (line: Line): Line =>
  line.map(({ text, style }) => ({ text, style: { inverse: true, bold: style?.bold ?? false } }))
