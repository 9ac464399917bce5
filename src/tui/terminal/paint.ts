/** Converts lines of spans to terminal output, for screens and printing. The caller decides about colour. */
import { sanitiseRow } from "../../plan/text/sanitise.ts"
import { type Colour, colourNames, type Line, readColour, type Style } from "../../views/text/span.ts"

/**
 * Terminal output from `paint`, whose only control sequences are our own styles. Other text does not have this type.
 */
export type Painted = string & { readonly isPainted: true }

/** Omits plain spaces at the end, because a row is cleared before it is written. */
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

/** A fast path for most rows without colour: nothing has to be removed, and their width is their length. */
const plainRow = (line: Line): string | undefined => {
  let row = ""
  for (const { text } of line) row += text
  return printableAscii.test(row) ? row.trimEnd() : undefined
}

const printableAscii = /^[ -~]*$/

/** Rows joined with line breaks. */
export const paintRows = (lines: readonly Line[], colour: boolean): Painted =>
  lines.map((line) => paint(line, colour)).join("\n") as Painted

/**
 * Characters that every terminal draws one column wide. Terminals set to an East Asian language draw even simple signs
 * wider.
 */
const everywhereAlike = /^[ -~\xc0-\u02ff]*$/

/** The escape sequence of each style, for all output of this program. */
const codes: Readonly<Record<(typeof colourNames)[number] | Exclude<keyof Style, "colour">, number>> = {
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

/** Resets the style at the end, so that it does not apply to the text after it. */
const styled = (text: string, style: Style): string => {
  const parameters = [
    ...ways.flatMap((way) => (style[way] ? codes[way] : [])),
    ...(style.colour ? codeOf(style.colour) : []),
  ]
  return parameters.length === 0 ? text : `\u001b[${parameters.join(";")}m${text}\u001b[0m`
}

/** Empty for an invalid colour: a host without types may pass any text. */
const codeOf = (given: Colour): (number | string)[] => {
  const colour = readColour(given)
  if (colour === undefined) return []
  const named = colourNames.find((name) => name === colour)
  return [named ? codes[named] : exactCode(colour)]
}

const codesOfExact = new Map<string, string>()

/** A custom colour: exact if the terminal says that it supports 24 bits, otherwise the nearest of its 256 colours. */
const exactCode = (colour: Colour): string => {
  const known = codesOfExact.get(colour)
  if (known !== undefined) return known
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  // Loaded only for a custom colour, because most commands never use one.
  const { WriteStream } = process.getBuiltinModule("node:tty")
  const isTrue = WriteStream.prototype.getColorDepth(process.env) >= 24
  const code = isTrue ? `38;2;${red};${green};${blue}` : `38;5;${nearestOf256(red, green, blue)}`
  codesOfExact.set(colour, code)
  return code
}

/** The nearest colour in the 6 × 6 × 6 cube or in the row of greys after it. */
const nearestOf256 = (red: number, green: number, blue: number): number => {
  if (red === green && green === blue && red > 8 && red < 248) return 232 + Math.round((red - 8) / 10.3)
  const step = (part: number): number => (part < 48 ? 0 : part < 115 ? 1 : Math.floor((part - 35) / 40))
  return 16 + 36 * step(red) + 6 * step(green) + step(blue)
}
