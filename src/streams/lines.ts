/** Framing: bytes in chunks of any size become lines, split at LF only, with a bound on how long one may be. */
import { type Problem, warning } from "../plan/problem.ts"

export type LineSplitter = {
  /** Takes the next bytes. */
  push(chunk: Uint8Array): void
  /** Ends the stream: text after the last line end is a line too. */
  end(): void
}

export type LineSplitterOptions = {
  onLine: (line: string) => void
  /** A line was longer than the bound; it was skipped, not kept. */
  onSkipped?: (length: number) => void
  /** Empty lines are lines too: they mean nothing in a format, but stand between paragraphs of text. @default false */
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

  /** Decoded only when whole, so that a character split between two chunks is read as one. */
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
      // Kept beyond this call, and the caller may use its buffer again.
      if (start < chunk.length) hold(Uint8Array.prototype.slice.call(chunk, start))
    },
    end() {
      if (length > 0) finish()
    },
  }
}

export const longLine = (length: number): Problem =>
  warning("long-line", `A line of ${Math.ceil(length / (1 << 20))} MB is too long and was skipped.`)

/** A file cut short under its writer begins with a hole, which reads as NULs: no part of the line behind it. */
const withoutHole = (bytes: Uint8Array): Uint8Array => {
  let start = 0
  while (bytes[start] === 0) start += 1
  return start === 0 ? bytes : bytes.subarray(start)
}
