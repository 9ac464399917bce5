/** Untrusted text as one short, sanitised line: a question, an error, what a tool is used on. */
import { sanitise } from "./sanitise.ts"

/** In characters as a person counts them: room for a sentence. */
export const longestLine = 200

/** "" if no part of it can be shown. */
export const oneLine = (text: string, length = longestLine): string => {
  const letters = Array.from(sanitise(text.slice(0, 8 * length)))
  return letters.length <= length
    ? letters.join("")
    : `${letters
        .slice(0, length - 1)
        .join("")
        .trimEnd()}…`
}
