/** Measures, cuts and pads text in terminal columns. */
import { eastAsianWidth } from "get-east-asian-width"

const printableAscii = /^[ -~]*$/
/** ASCII, other Latin, dashes, dots and boxes: one column each, and no characters combine. */
const narrowText = /^[ -~\xa1-\xac\xae-\u02ff\u2010-\u2027\u2500-\u259f]*$/
/** Latin, Greek, Cyrillic, signs, boxes, kana, ideographs and Hangul: each character is a grapheme of its own. */
const plainText =
  /^[ -~\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u0556\u2010-\u2027\u2030-\u205e\u2070-\u209c\u20a0-\u20c0\u2100-\u27bf\u3000-\u3029\u3030-\u3096\u309b-\u30ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9d]*$/

/** The columns of a text without escape sequences. Ambiguous characters count as narrow, as terminals draw them. */
export const widthOf = (text: string): number => {
  if (narrowText.test(text)) return text.length
  let columns = 0
  for (const { grapheme } of graphemesOf(text)) columns += graphemeWidth(grapheme)
  return columns
}

/** The text, cut to at most `width` columns, the ellipsis included. Graphemes stay whole. */
export const cut = (text: string, width: number, ellipsis = "…"): string => {
  if (width <= 0) return ""
  // No character is wider than two columns, so short text needs no measuring.
  if (text.length * 2 <= width) return text
  const ending = widthOf(ellipsis) <= width ? ellipsis : ellipsis.slice(0, width)
  const room = width - widthOf(ending)

  // If the character after the cut is ASCII too, the part before it ends with a whole grapheme.
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
  for (const { grapheme, index } of graphemesOf(text)) {
    columns += graphemeWidth(grapheme)
    if (columns > width) return text.slice(0, keep) + ending
    if (columns <= room) keep = index + grapheme.length
  }
  return text
}

let segmenter: Intl.Segmenter | undefined

/**
 * The graphemes, what a reader sees as single characters. The segmenter is made only when needed, because making it is
 * slow.
 */
export function* graphemesOf(text: string): Generator<{ grapheme: string; index: number }> {
  if (plainText.test(text)) {
    for (let index = 0; index < text.length; index += 1) yield { grapheme: text.charAt(index), index }
    return
  }
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" })
  for (let from = 0, length = atOnce; from < text.length; ) {
    const end = endOfPiece(text, from + length)
    let next = from
    for (const { segment, index } of segmenter.segment(text.slice(from, end))) {
      const after = from + index + segment.length
      // It may go on after this piece, and is read again at the beginning of the next one.
      if (after === end && end < text.length) break
      yield { grapheme: segment, index: from + index }
      next = after
    }
    length = next === from ? 2 * length : atOnce
    from = next
  }
}

/** In characters, in one piece: the time that the segmenter takes grows with the square of the length of a text. */
const atOnce = 4096

/** Not in the middle of a surrogate pair: its first half alone would part what belongs together. */
const endOfPiece = (text: string, end: number): number =>
  Math.min(text.length, /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end)

/** A cache, because measuring a grapheme is slow and texts repeat them. Bounded in number and length. */
const measured = new Map<string, number>()

const graphemeWidth = (grapheme: string): number => {
  const known = measured.get(grapheme)
  if (known !== undefined) return known
  const columns = measure(grapheme)
  if (measured.size >= 4096) measured.clear()
  if (grapheme.length <= 12) measured.set(grapheme, columns)
  return columns
}

const measure = (grapheme: string): number => {
  if (plainText.test(grapheme)) return eastAsianWidth(grapheme.codePointAt(0) ?? 0)
  const [before] = prepended.exec(grapheme) ?? []
  if (before !== undefined) return [...before].length + measure(grapheme.slice(before.length))
  if (isEmoji(grapheme)) return 2 + (grapheme.match(/\p{Spacing_Mark}/gu)?.length ?? 0)
  // Spacing marks, half-width voicing marks, stray skin tones and Hangul letters take a column next to their base
  // character.
  const beside = /[\p{Spacing_Mark}\p{Emoji_Modifier}\u1100-\u11ff\ua960-\ua97c\uac00-\ud7fb\uff00-\uffef]/u
  return [...visibleOf(grapheme)]
    .filter((character, index) => index === 0 || beside.test(character))
    .reduce((columns, character) => columns + eastAsianWidth(character.codePointAt(0) ?? 0), 0)
}

/**
 * Letters that form one grapheme with the character after them, even a space or a border. They get a column of their
 * own; otherwise a text would be narrower next to another text than alone.
 */
const prepended =
  /^[\u0d4e\u{111c2}\u{111c3}\u{113d1}\u{1193f}\u{11941}\u{11a3a}\u{11a84}-\u{11a89}\u{11d46}\u{11f02}]+(?=.)/su

/** Whether a grapheme is an emoji: by nature, as a flag or keycap, by a variation selector, or joined from several. */
const isEmoji = (grapheme: string): boolean =>
  /^(?:(?!\p{Regional_Indicator})\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|[\d#*]\ufe0f?\u20e3)/u.test(
    grapheme,
  ) ||
  /(?![\d#*])\p{Emoji}\ufe0f|\p{Emoji_Modifier_Base}\p{Emoji_Modifier}|\p{Extended_Pictographic}\u200d/u.test(grapheme)

/** The characters that are drawn. A Hangul syllable spelled in letters is one block, as wide as its first letter. */
const visibleOf = (grapheme: string): string =>
  grapheme
    .replace(
      /[\p{Nonspacing_Mark}\p{Enclosing_Mark}\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\p{Surrogate}]/gu,
      "",
    )
    .replace(/([\u1100-\u115f\ua960-\ua97c])[\u1160-\u11a7\ud7b0-\ud7c6][\u11a8-\u11ff\ud7cb-\ud7fb]?/g, "$1")
