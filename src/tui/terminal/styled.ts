/** Lines with their styles as text for a terminal: what commands print, and what is written past Ink into the scroll-back. */
import { sanitiseRow } from "../../plan/sanitise.ts"
import { type Colour, type Line, plainLine, type Style } from "../../views/span.ts"

/** Every line ends as plain as it began, so that nothing leaks into what follows. */
export const styledText = (lines: readonly Line[], colour: boolean): string =>
  colour ? lines.map(styledLine).join("\n") : lines.map((line) => sanitiseRow(plainLine(line)).trimEnd()).join("\n")

const styledLine = (line: Line): string =>
  line
    .map(({ text, style }) => {
      const codes = style ? codesOf(style) : []
      return codes.length > 0 && text !== ""
        ? `\u001b[${codes.join(";")}m${sanitiseRow(text)}\u001b[0m`
        : sanitiseRow(text)
    })
    .join("")

const colours: Record<Colour, number> = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, gray: 90 }

const codesOf = ({ bold, dim, struck, inverse, colour }: Style): number[] => [
  ...(bold ? [1] : []),
  ...(dim ? [2] : []),
  ...(inverse ? [7] : []),
  ...(struck ? [9] : []),
  ...(colour ? [colours[colour]] : []),
]
