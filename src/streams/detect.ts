/** Tells formats apart from their first lines, without losing any of them. */
import { warning } from "../plan/index.ts"
import { isRecord } from "../plan/log/shape.ts"
import { parseLine } from "./line.ts"
import type { Signal, Stream, StreamReader } from "./stream.ts"

/** Lines that are read before the likeliest of several candidates is taken. */
const undecidedLines = 50

/** Lines, and characters in them, that are kept while nothing is recognised; what comes before those is let go. */
const mostLines = 1000
const mostText = 8_000_000

export type DetectingReader = StreamReader & {
  /** The format, once it is known. */
  readonly stream: Stream | undefined
  /** Whether a line of the format was seen. */
  readonly isRecognised: boolean
  /** No more lines come: decides with what was seen. */
  end(): Signal[]
}

/** A reader for a stream that may be any of several formats. Lines that come before it is known are read once it is. */
export const createDetector = (candidates: readonly Stream[]): DetectingReader => {
  const only = candidates.length === 1 ? candidates[0] : undefined
  let stream = only
  let reader = only?.open()
  let isRecognised = false
  let waiting: string[] = []
  let length = 0

  const decide = (found: Stream): Signal[] => {
    stream = found
    reader = found.open()
    isRecognised = true
    const lines = waiting
    waiting = []
    return lines.flatMap((line) => reader?.read(line) ?? [])
  }

  const wait = (line: string): Signal[] => {
    waiting.push(line)
    length += line.length
    const signals: Signal[] = []
    while (waiting.length > mostLines || (waiting.length > 1 && length > mostText)) {
      length -= waiting.shift()?.length ?? 0
      signals.push(unrecognised)
    }
    return signals
  }

  return {
    get stream() {
      return stream
    },
    get isRecognised() {
      return isRecognised
    },
    read(line) {
      if (reader) {
        isRecognised ||= recognising(candidates, line).length > 0
        return reader.read(line)
      }
      const gone = wait(line)
      const found = recognising(candidates, line)
      const [likeliest] = found
      if (!likeliest || (found.length > 1 && waiting.length <= undecidedLines)) return gone
      return [...gone, ...decide(likeliest)]
    },
    end() {
      if (reader) return []
      const [likeliest] = waiting.map((line) => recognising(candidates, line)).find((found) => found.length > 0) ?? []
      return likeliest ? decide(likeliest) : []
    },
  }
}

const recognising = (candidates: readonly Stream[], line: string): Stream[] => {
  const text = line.replace(/^\uFEFF?(?:data:)?\s*/, "")
  const value = parseLine(text)
  return isRecord(value) ? candidates.filter((stream) => stream.recognises(value)) : []
}

const unrecognised: Signal = {
  type: "problem",
  problem: warning("unrecognised-line", "A line came before the first one of a known agent and was skipped."),
}
