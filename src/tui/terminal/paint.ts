/** The one painter: lines of spans as a terminal takes them, drawn on a screen or printed. Its caller decides about colour. */
import { sanitiseRow } from "../../plan/text/sanitise.ts"
import type { Colour, Line, Style } from "../../views/span.ts"

/** Rows that only `paint` makes: nothing in them steers a terminal but our own styles. Other text cannot stand for them. */
export type Painted = string & { readonly isPainted: true }

/** Plain spaces at its end are left out: a row is cleared before it is written. */
export const paint = (line: Line, colour: boolean): Painted => {
  const plain = colour ? undefined : plainRow(line)
  if (plain !== undefined) return plain as Painted
  let row = ""
  let isSure = true
  for (const { text: given, style, at } of line) {
    const text = sanitiseRow(given)
    if (at !== undefined && !isSure) row += `\u001b[${at + 1}G`
    isSure &&= everywhereAlike.test(text)
    row += colour && style && text !== "" ? styled(text, style) : text
  }
  return row.trimEnd() as Painted
}

/** Most rows, where there is no colour: nothing in them has to be taken out or is wider than it is long. */
const plainRow = (line: Line): string | undefined => {
  let row = ""
  for (const { text } of line) row += text
  return printableAscii.test(row) ? row.trimEnd() : undefined
}

const printableAscii = /^[ -~]*$/

/** Rows below each other, a line break between them. */
export const paintRows = (lines: readonly Line[], colour: boolean): Painted =>
  lines.map((line) => paint(line, colour)).join("\n") as Painted

/** Drawn one column wide by every terminal; even simple signs are wider in some that are set to an East Asian language. */
const everywhereAlike = /^[ -~\xc0-\u02ff]*$/

/** How a terminal is told of each style, for everything this program draws or prints. */
const codes: Readonly<Record<Colour | Exclude<keyof Style, "colour">, number>> = {
  bold: 1,
  dim: 2,
  inverse: 7,
  struck: 9,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
}

const ways = ["bold", "dim", "inverse", "struck"] as const

/** Ends as plain as it began, so that nothing leaks into what follows. */
const styled = (text: string, style: Style): string => {
  const names = [...ways.filter((way) => style[way]), ...(style.colour ? [style.colour] : [])]
  return names.length === 0 ? text : `\u001b[${names.map((name) => codes[name]).join(";")}m${text}\u001b[0m`
}
