/** Lines for people, broken at words so that they fit a narrow screen. */
import { type Line, plainLine, type Span } from "../../views/text/span.ts"
import { widthOf } from "../../views/text/width.ts"

/** The text in lines of at most this many columns; lines after the first are indented. A long word gets its own line. */
export const wrap = (text: string, columns: number, indent = ""): string =>
  wrapLine([{ text }], columns, indent).map(plainLine).join("\n")

/** The same for a line with several styles. */
export const wrapLine = (line: Line, columns: number, indent = ""): Line[] => {
  const [first = [], ...words] = wordsOf(line)
  const lines: Span[][] = [first]
  let width = lineWidth(first)
  for (const word of words) {
    const longer = width + 1 + lineWidth(word)
    if (longer <= columns) {
      const current = lines.at(-1) ?? []
      const style = current.at(-1)?.style
      for (const span of [{ text: " ", style: style === word[0]?.style ? style : undefined }, ...word])
        append(current, span)
      width = longer
    } else {
      lines.push([{ text: indent }, ...word])
      width = indent.length + lineWidth(word)
    }
  }
  return lines
}

const lineWidth = (line: Line): number => widthOf(plainLine(line))

/** Neighbours that look alike are one. */
const append = (line: Span[], span: Span): void => {
  const last = line.at(-1)
  if (last && last.style === span.style) line[line.length - 1] = { ...last, text: last.text + span.text }
  else line.push(span)
}

/** What is between two spaces, of one or several styles. The first one has the spaces that the line begins with. */
const wordsOf = (line: Line): Span[][] => {
  const indent = /^ */.exec(plainLine(line))?.[0] ?? ""
  const words: Span[][] = [indent === "" ? [] : [{ text: indent }]]
  let skipped = 0
  for (const { text, style } of line) {
    const rest = text.slice(Math.max(0, indent.length - skipped))
    skipped += text.length
    for (const [index, part] of rest.split(" ").entries()) {
      if (index > 0) words.push([])
      if (part !== "") append(words.at(-1) ?? [], { text: part, style })
    }
  }
  return words
}
