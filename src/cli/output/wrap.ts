/** Lines for people, broken at words so that they fit a narrow screen. */
import { widthOf } from "../../views/index.ts"

/** The text in lines of at most so many columns; lines after the first are indented. A long word stands alone. */
export const wrap = (text: string, columns: number, indent = ""): string => {
  const lines: string[] = []
  const own = /^ */.exec(text)?.[0] ?? ""
  const [first = "", ...words] = text.slice(own.length).split(" ")
  let line = `${own}${first}`
  for (const word of words) {
    const longer = `${line} ${word}`
    if (widthOf(longer) <= columns) line = longer
    else {
      lines.push(line.trimEnd())
      line = `${indent}${word}`
    }
  }
  return [...lines, line].join("\n")
}
