/** A line of spans as a terminal takes it. The look decides about colour here, not what a library guesses of the terminal. */
import type { Colour, Line, Style } from "../views/span.ts"

export const paint = (line: Line, colour: boolean): string =>
  line.map(({ text, style }) => (colour && style && text !== "" ? styled(text, style) : text)).join("")

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
