/** Text measured in terminal columns: how wide it is, cut to fit, padded to fill. */

import stringWidth from "string-width"

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
const printableAscii = /^[ -~]*$/

/** Columns a text without escape sequences takes; ambiguous characters count as narrow, as terminals draw them. */
export const widthOf = (text: string): number => {
  if (printableAscii.test(text)) return text.length
  let columns = 0
  for (const { segment } of graphemes.segment(text)) columns += graphemeWidth(segment)
  return columns
}

/** The text in at most `width` columns: whole, or as many whole graphemes as leave room for the ellipsis. */
export const cut = (text: string, width: number, ellipsis = "…"): string => {
  if (width <= 0) return ""
  // No character is wider than two columns, so short text needs no measuring.
  if (text.length * 2 <= width) return text
  const ending = widthOf(ellipsis) <= width ? ellipsis : ellipsis.slice(0, width)
  const room = width - widthOf(ending)

  // One character more than fits decides for ASCII: what stands before an ASCII character is a whole grapheme.
  const head = text.slice(0, width + 1)
  if (printableAscii.test(head)) return head.length <= width ? head : head.slice(0, room) + ending
  return cutGraphemes(text, width, room, ending)
}

/** The text followed by as many spaces (or `fill`) as reach `width` columns. */
export const pad = (text: string, width: number, fill = " "): string =>
  text + fill.repeat(Math.max(0, width - widthOf(text)))

const cutGraphemes = (text: string, width: number, room: number, ending: string): string => {
  let columns = 0
  let keep = 0
  for (const { segment, index } of graphemes.segment(text)) {
    columns += graphemeWidth(segment)
    if (columns > width) return text.slice(0, keep) + ending
    if (columns <= room) keep = index + segment.length
  }
  return text
}

/** Measuring a grapheme costs far more than looking it up, and texts repeat theirs; bounded in number and length. */
const measured = new Map<string, number>()

const graphemeWidth = (grapheme: string): number => {
  const known = measured.get(grapheme)
  if (known !== undefined) return known
  const columns = stringWidth(grapheme)
  if (measured.size >= 4096) measured.clear()
  if (grapheme.length <= 12) measured.set(grapheme, columns)
  return columns
}
