/** Untrusted text in quotation marks that nothing in it can end. */
import { sanitise, sanitiseNote } from "./sanitise.ts"

/** Quotes inside are escaped, and a backslash before the last one, so that no text can end its quotation and pose as ours. */
export const quoted = (text: string): string => {
  const line = sanitise(text)
  return /"|\\$/.test(line) ? JSON.stringify(line) : `"${line}"`
}

/** Text that may have several lines, with every line and its indentation visible. */
export const quotedBlock = (text: string): string => {
  const block = sanitiseNote(text)
  return block === sanitise(block) ? quoted(block) : JSON.stringify(block)
}
