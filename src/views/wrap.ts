/** Text broken into rows that fit a screen: between words where it can be, inside one where it must. */
import { cut, widthOf } from "./width.ts"

/** Rows of one line of safe text. A row, once another follows it, stays as it is however the line grows. */
export const wrapped = (line: string, width: number): string[] => {
  const room = Math.max(1, Math.floor(width))
  if (widthOf(line) <= room) return [line]
  const rows: string[] = []
  let row = ""
  let columns = 0
  for (const piece of line.match(/\s+|\S+/g) ?? []) {
    const size = widthOf(piece)
    if (columns + size <= room) {
      row += piece
      columns += size
      continue
    }
    // A break takes the place of the space before it. An indent that leaves no room for words is none.
    if (piece.trim() === "") {
      if (columns > 0) columns = room
      continue
    }
    if (row.trim() !== "") rows.push(row.trimEnd())
    const parts = broken(piece, room)
    rows.push(...parts.slice(0, -1))
    row = parts.at(-1) ?? ""
    columns = widthOf(row)
  }
  return [...rows, row.trimEnd()]
}

/** Rows of a text with lines. */
export const wrappedText = (text: string, width: number): string[] =>
  text.split("\n").flatMap((line) => wrapped(line, width))

/** A word wider than a row, in parts of whole characters. */
const broken = (word: string, room: number): string[] => {
  const parts: string[] = []
  let rest = word
  while (widthOf(rest) > room) {
    const head = cut(rest, room, "") || String.fromCodePoint(rest.codePointAt(0) ?? 32)
    parts.push(head)
    rest = rest.slice(head.length)
  }
  return rest === "" ? parts : [...parts, rest]
}
