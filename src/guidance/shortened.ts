/** Sanitises and shortens untrusted text, so that a reminder does not grow with a todo. */
import { quoted, sanitise, sanitiseBlock } from "../plan/index.ts"

/** One line. */
export const shortened = (text: string, length = 500): string => cutAt(sanitise(text.slice(0, length * 2)), length)

/** The same in quotation marks that nothing in the text can close, so that the text cannot pose as ours. */
export const shortQuote = (text: string, length: number): string => quoted(shortened(text, length))

/** A todo by its id, if the agent knows one, and its text. */
export const todoName = (id: string | undefined, content: string): string =>
  id === undefined ? shortQuote(content, 200) : `#${shortened(id, 40)} ${shortQuote(content, 200)}`

/** Text that may have lines. */
export const shortenedBlock = (text: string, length: number): string =>
  cutAt(sanitiseBlock(text.slice(0, length * 2)), length)

/** One line with something to say at both ends: it is shortened in the middle, together with a quote that loses its mark. */
export const shortenedInside = (text: string, length: number): string => {
  if (text.length <= length) return text
  const half = Math.floor(length / 2)
  return cutAt(text, half) + text.slice(half - length).replace(/^["\udc00-\udfff]/, "")
}

/** Never in the middle of a character that takes two units. */
const cutAt = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`
