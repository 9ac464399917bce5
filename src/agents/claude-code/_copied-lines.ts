/** Recognises lines that a forked Claude Code session copied from its original. */
import { type Fields, fieldsOf, textOf } from "../../streams/line.ts"

/** `began` is when the session itself began, in milliseconds, or null if unknown. `isOpen` until the first message. */
export type CopiesSnapshot = { began: number | null; isOpen: boolean }

/**
 * A copied line has the new session's id, but its old time. Either it names its original session, or it is older than
 * the new session, whose file begins with the prompt it was started with, before all copied lines.
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
    /** Whether a message has been read. */
    hasBegun: (): boolean => !isOpen,
    snapshot: (): CopiesSnapshot => ({ began, isOpen }),
  }
}
