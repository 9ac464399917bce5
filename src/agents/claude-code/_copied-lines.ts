/** Which lines of a Claude Code session file were copied from the session it was forked from. */
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"

/** When the session itself began, in milliseconds; null while its first lines may still say so. */
export type CopiesSnapshot = { began: number | null; isOpen: boolean }

/**
 * A copied line has the new session's id and its own old time. It names where it is from, or it is older than the session:
 * the first thing a client writes down is the prompt it was started with, in front of all that it copies.
 */
export const createCopies = (from: CopiesSnapshot = { began: null, isOpen: true }) => {
  let { began, isOpen } = from
  return {
    has(line: Fields): boolean {
      const time = Date.parse(textOf(line.timestamp) ?? "")
      // Only a message has an id.
      if (isOpen && line.uuid === undefined) {
        if (line.type === "queue-operation" && !Number.isNaN(time)) began ??= time
        return false
      }
      isOpen = false
      const source = textOf(fieldsOf(line.forkedFrom).sessionId)
      if (source !== undefined) return source !== line.sessionId
      return began !== null && time < began
    },
    /** A message was seen. */
    hasBegun: (): boolean => !isOpen,
    snapshot: (): CopiesSnapshot => ({ began, isOpen }),
  }
}
