/** A line of a screen before it is coloured: pieces of safe text, each with a style. */

/** The terminal's own colours, so that the person's theme applies. */
export const colourNames = ["red", "green", "yellow", "blue", "magenta", "cyan", "gray"] as const

/** One of the terminal's own colours, or an exact one such as `#ff8800`. */
export type Colour = (typeof colourNames)[number] | `#${string}`

/** A colour as a person or a program writes it: a name, `#ff8800` or `#f80`; undefined for anything else. */
export const readColour = (written: string): Colour | undefined => {
  const word = written.trim().toLowerCase()
  const named = colourNames.find((name) => name === word)
  if (named || /^#[\da-f]{6}$/.test(word)) return named ?? (word as Colour)
  return /^#[\da-f]{3}$/.test(word) ? (word.replace(/[\da-f]/g, "$&$&") as Colour) : undefined
}

export type Style = {
  bold?: boolean
  dim?: boolean
  struck?: boolean
  /** Swaps foreground and background, for the selected line. A mark says the same without colour. */
  inverse?: boolean
  colour?: Colour | undefined
}

export type Span = {
  text: string
  style?: Style | undefined
  /** The span's column. Keeps a frame in shape on terminals that draw rare characters wider or narrower. */
  at?: number | undefined
}

export type Line = readonly Span[]

/** The text of a line without styles. */
export const plainLine = (line: Line): string => line.map(({ text }) => text).join("")

/** Lines as plain text, without styles. */
export const plainText = (lines: readonly Line[]): string => lines.map((line) => plainLine(line).trimEnd()).join("\n")

/** The same lines, moved to the right. */
export const indented = (lines: readonly Line[], columns: number): Line[] =>
  columns === 0 ? [...lines] : lines.map((line) => [{ text: " ".repeat(columns) }, ...line])
