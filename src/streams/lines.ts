/** Framing: turns bytes in chunks of any size into lines, split only at LF, up to a longest length. */
import { type Problem, warning } from "../plan/problem.ts"

export type LineSplitter = {
  /** Takes the next bytes. */
  push(chunk: Uint8Array): void
  /** Ends the stream. Text after the last line break is a line too. */
  end(): void
}

export type LineSplitterOptions = {
  onLine: (line: string) => void
  /** Called with the length of a line that was too long and therefore skipped. */
  onSkipped?: (length: number) => void
  /**
   * Whether empty lines are reported. They mean nothing in a format, but separate paragraphs of text. @default false
   */
  keepsEmpty?: boolean
  /** In bytes. @default 64 MiB */
  maxLength?: number
}

const newline = 10
const carriageReturn = 13

export const createLineSplitter = (options: LineSplitterOptions): LineSplitter => {
  const { onLine, onSkipped, keepsEmpty = false, maxLength = 64 << 20 } = options
  let parts: Uint8Array[] = []
  let length = 0
  let isSkipping = false

  const hold = (bytes: Uint8Array): void => {
    const part = length === 0 ? withoutHole(bytes) : bytes
    length += part.length
    if (isSkipping) return
    if (length > maxLength) {
      isSkipping = true
      parts = []
    } else if (part.length > 0) parts.push(part)
  }

  /** Decodes a line only when it is complete, so that a character may be split between two chunks. */
  const finish = (): void => {
    if (isSkipping) onSkipped?.(length)
    else {
      const bytes =
        parts.length === 1 && parts[0]
          ? Buffer.from(parts[0].buffer, parts[0].byteOffset, parts[0].length)
          : Buffer.concat(parts)
      const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length
      if (end > 0 || keepsEmpty) onLine(bytes.toString("utf8", 0, end))
    }
    parts = []
    length = 0
    isSkipping = false
  }

  return {
    push(chunk) {
      let start = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
        hold(chunk.subarray(start, at))
        finish()
        start = at + 1
      }
      // Copied, because the caller may reuse its buffer.
      if (start < chunk.length) hold(Uint8Array.prototype.slice.call(chunk, start))
    },
    end() {
      if (length > 0) finish()
    },
  }
}

export const longLine = (length: number): Problem =>
  warning("long-line", `A line of ${Math.ceil(length / (1 << 20))} MB is too long and was skipped.`)

/**
 * If a file is truncated while another process writes to it, it begins with NUL bytes, which do not belong to the line
 * after them.
 */
const withoutHole = (bytes: Uint8Array): Uint8Array => {
  let start = 0
  while (bytes[start] === 0) start += 1
  return start === 0 ? bytes : bytes.subarray(start)
}
