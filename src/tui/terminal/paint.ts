/** A line of spans as a terminal takes it. The look decides about colour here, not what a library guesses of the terminal. */
import { sanitiseRow } from "../../plan/sanitise.ts"
import type { Colour, Line, Style } from "../../views/span.ts"

/** Rows that only `paint` makes: nothing in them steers a terminal but our own styles. Other text cannot stand for them. */
export type Painted = string & { readonly isPainted: true }

/** Plain spaces at its end are left out: a row is cleared before it is written. */
export const paint = (line: Line, colour: boolean): Painted => {
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

/** Rows below each other, a line break between them. */
export const paintRows = (lines: readonly Line[], colour: boolean): Painted =>
  lines.map((line) => paint(line, colour)).join("\n") as Painted

/** Drawn one column wide by every terminal; even simple signs are wider in some that are set to an East Asian language. */
const everywhereAlike = /^[ -~\xc0-\u02ff]*$/

const colours: Readonly<Record<Colour, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
  gray: 90,
}

const styled = (text: string, { bold, dim, struck, inverse, colour }: Style): string => {
  const pairs: [on: number, off: number][] = []
  if (bold) pairs.push([1, 22])
  if (dim) pairs.push([2, 22])
  if (inverse) pairs.push([7, 27])
  if (struck) pairs.push([9, 29])
  if (colour) pairs.push([colours[colour], 39])
  return pairs.reduce((inner, [on, off]) => `\u001b[${on}m${inner}\u001b[${off}m`, text)
}
