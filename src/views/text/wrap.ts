/** Wraps long text between words where possible, and processes no more of it than the requested lines need. */
import { sanitiseBlock } from "../../plan/text/sanitise.ts"
import { cut } from "./width.ts"

export type Wrapped = {
  lines: string[]
  /** False when text is left over after the last line. */
  isWhole: boolean
}

/** Wraps safe text, which may contain line breaks, in at most `limit` lines. No text fits in zero columns. */
export const wrap = (text: string, width: number, limit = Number.POSITIVE_INFINITY): Wrapped => {
  const lines: string[] = []
  if (width < 1) return { lines, isWhole: text === "" }
  for (const [index, paragraph] of text.split("\n").entries()) {
    if (index > 0 && lines.length >= limit) return { lines, isWhole: false }
    if (!wrapParagraph(paragraph, width, limit, lines)) return { lines, isWhole: false }
  }
  return { lines, isWhole: true }
}

/** Makes untrusted text safe and wraps it. Of a very long text, only as much as the lines can show is processed. */
export const wrapUntrusted = (text: string, width: number, limit: number): Wrapped => {
  const most = limit * Math.max(1, width) * 8 + 256
  const beginning = text.length > most ? text.slice(0, most) : text
  const { lines, isWhole } = wrap(sanitiseBlock(beginning), width, limit)
  return { lines, isWhole: isWhole && beginning.length === text.length }
}

/** Adds the lines of one paragraph. Returns whether all of it fits. */
const wrapParagraph = (paragraph: string, width: number, limit: number, lines: string[]): boolean => {
  let at = 0
  do {
    if (lines.length >= limit) return false
    const rest = pieceFrom(paragraph, at, width)
    const fitting = cut(rest, width, "")
    const isLast = at + fitting.length >= paragraph.length
    const end = isLast ? fitting.length : breakIn(fitting, rest)
    lines.push(fitting.slice(0, end).trimEnd())
    // A character wider than a whole line is left out.
    at += end > 0 ? end : String.fromCodePoint(paragraph.codePointAt(at) ?? 0).length
    while (!isLast && paragraph.charAt(at) === " ") at += 1
    if (isLast) return true
  } while (at < paragraph.length)
  return true
}

/** Enough characters for any line of this width, so that a long text is not measured as a whole. */
const pieceFrom = (text: string, at: number, width: number): string => {
  const end = at + width * 8 + 64
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1))
  return text.slice(at, splitsPair ? end + 1 : end)
}

/** The position after the last space that fits, unless the line ends with a whole word or has no space. */
const breakIn = (fitting: string, rest: string): number => {
  if (fitting === "" || rest.charAt(fitting.length) === " ") return fitting.length
  const space = fitting.lastIndexOf(" ")
  return space > 0 ? space + 1 : fitting.length
}
