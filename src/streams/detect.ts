/** Detects the format of a stream from its first lines, without losing any of them. */
import { warning } from "../plan/index.ts"
import { objectsInLine } from "./line.ts"
import type { Signal, Stream, StreamReader, Wants } from "./stream.ts"

/** After this many lines, the likeliest of several candidates is chosen. */
const undecidedLines = 50

/** The most lines kept while no format is recognised. Earlier lines are dropped. */
const mostLines = 1000
const mostText = 8_000_000

/** In characters: as long as a line of a stream may be. */
const longestDocument = 64 << 20

export type DetectingReader = StreamReader & {
  /** The format, once it is known. */
  readonly stream: Stream | undefined
  /** Whether a line of the format was recognised. */
  readonly isRecognised: boolean
  /** Ends the input and decides based on all lines so far. */
  end(): Signal[]
}

/** A reader for a stream in any of several formats. Lines from before the format is known are read as soon as it is. */
export const createDetector = (candidates: readonly Stream[], wants?: Wants): DetectingReader => {
  const only = candidates.length === 1 && !candidates[0]?.isDocument ? candidates[0] : undefined
  const documents = candidates.filter(({ isDocument }) => isDocument)
  let stream = only
  let reader = only?.open(undefined, wants)
  let isRecognised = false
  let waiting: string[] = []
  let length = 0
  /** Whether the input begins like a document on many lines. All of it is then kept, in case it is one. */
  let mayBeDocument: boolean | undefined = documents.length > 0 ? undefined : false

  const decide = (found: Stream, lines: readonly string[]): Signal[] => {
    stream = found
    reader = found.open(undefined, wants)
    isRecognised = true
    waiting = []
    return lines.flatMap((line) => reader?.read(line) ?? [])
  }

  const wait = (line: string): Signal[] => {
    waiting.push(line)
    length += line.length
    if (mayBeDocument === undefined && line.trim() !== "") mayBeDocument = isUnclosed(line)
    if (mayBeDocument && length > longestDocument) mayBeDocument = false
    if (mayBeDocument) return []
    const signals: Signal[] = []
    while (waiting.length > mostLines || (waiting.length > 1 && length > mostText)) {
      length -= waiting.shift()?.length ?? 0
      signals.push(unrecognised)
    }
    return signals
  }

  /**
   * The formats that recognise a line. An indented part of a document does not count, though it may look like a line.
   */
  const fitting = (line: string): Stream[] => (mayBeDocument && /^\s/.test(line) ? [] : recognising(candidates, line))

  const documentIn = (lines: readonly string[]): Signal[] | undefined => {
    const text = lines.join("\n")
    const [found] = mayBeDocument ? recognising(documents, text) : []
    return found && decide(found, [text])
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
      const found = fitting(line)
      const [likeliest] = found
      if (!likeliest || (found.length > 1 && waiting.length <= undecidedLines)) return gone
      return [...gone, ...decide(likeliest, waiting)]
    },
    end() {
      if (reader) return []
      const document = documentIn(waiting)
      if (document) return document
      const [likeliest] = waiting.map(fitting).find((found) => found.length > 0) ?? []
      return likeliest ? decide(likeliest, waiting) : []
    },
  }
}

/** Whether a line begins an object that continues on the next line. */
const isUnclosed = (line: string): boolean => {
  const { objects, rest } = objectsInLine(line)
  return objects.length === 0 && rest.startsWith("{")
}

const recognising = (candidates: readonly Stream[], line: string): Stream[] => {
  const { objects } = objectsInLine(line.replace(/^\uFEFF?(?:data:)?\s*/, ""))
  return candidates.filter((stream) => objects.some((value) => stream.recognises(value)))
}

const unrecognised: Signal = {
  type: "problem",
  problem: warning("unrecognised-line", "A line came before the first one of a known agent and was skipped."),
}
