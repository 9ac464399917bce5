/** Sanitises and shortens untrusted text, so that a reminder does not grow with a todo. */
import { quoted, sanitise, sanitiseBlock } from "../plan/index.ts"

/** Untrusted text as one short line. */
export const shortened = (text: string, length = 500): string => cutAt(sanitise(text.slice(0, length * 2)), length)

/** The same in quotation marks that the text cannot close, so that it cannot pass for ours. */
export const shortQuote = (text: string, length: number): string => quoted(shortened(text, length))

/** A todo by its id, if the agent knows one, and its text. */
export const todoName = (id: string | undefined, content: string): string =>
  id === undefined ? shortQuote(content, 200) : `#${shortened(id, 40)} ${shortQuote(content, 200)}`

/** Untrusted text that may have several lines, shortened. */
export const shortenedBlock = (text: string, length: number): string =>
  cutAt(sanitiseBlock(text.slice(0, length * 2)), length)

/**
 * One line, shortened in the middle to keep both ends. A quotation mark or half a character right after the cut is
 * removed too.
 */
export const shortenedInside = (text: string, length: number): string => {
  if (text.length <= length) return text
  const half = Math.floor(length / 2)
  return cutAt(text, half) + text.slice(half - length).replace(/^["\udc00-\udfff]/, "")
}

/** The beginning of a text, without splitting a surrogate pair. */
const cutAt = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`
