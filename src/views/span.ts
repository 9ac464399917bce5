/** A line of a screen before it has colour: pieces of safe text and the style of each. */

export type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "gray"

export type Style = {
  bold?: boolean
  dim?: boolean
  struck?: boolean
  /** Drawn the other way round, for what is selected; a mark says the same without colour. */
  inverse?: boolean
  /** One of the terminal's own colours, so that a person's theme decides how it looks. */
  colour?: Colour | undefined
}

export type Span = {
  text: string
  style?: Style | undefined
  /** The column it is in. Terminals differ in how wide they draw rare characters; a frame keeps its shape anyway. */
  at?: number | undefined
}

export type Line = readonly Span[]

/** The words of a line alone. */
export const plainLine = (line: Line): string => line.map(({ text }) => text).join("")

/** Lines as plain text, without styles. */
export const plainText = (lines: readonly Line[]): string => lines.map((line) => plainLine(line).trimEnd()).join("\n")

/** The same lines, moved to the right. */
export const indented = (lines: readonly Line[], columns: number): Line[] =>
  columns === 0 ? [...lines] : lines.map((line) => [{ text: " ".repeat(columns) }, ...line])
