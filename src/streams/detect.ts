/** Tells formats apart from their first lines, without losing any of them. */
import { isObject, parseJson } from "./_line.ts"
import type { Signal, Stream, StreamReader } from "./stream.ts"

/** Lines looked at before the likeliest candidate is taken. */
const patience = 50

export type DetectingReader = StreamReader & {
  /** The format, once it is known. */
  readonly stream: Stream | undefined
  /** No more lines come: decides with what was seen. */
  end(): Signal[]
}

/** A reader for a stream that may be any of several formats. Lines that come before it is known are read once it is. */
export const createDetector = (candidates: readonly Stream[]): DetectingReader => {
  const only = candidates.length === 1 ? candidates[0] : undefined
  let stream = only
  let reader = only?.open()
  let waiting: string[] = []

  const decide = (found: Stream): Signal[] => {
    stream = found
    reader = found.open()
    const lines = waiting
    waiting = []
    return lines.flatMap((line) => reader?.read(line) ?? [])
  }

  return {
    get stream() {
      return stream
    },
    read(line) {
      if (reader) return reader.read(line)
      waiting.push(line)
      const found = recognising(candidates, line)
      if (found.length === 1 && found[0]) return decide(found[0])
      const [likeliest] = found
      return likeliest && waiting.length > patience ? decide(likeliest) : []
    },
    end() {
      if (reader) return []
      const [likeliest] = waiting.map((line) => recognising(candidates, line)).find((found) => found.length > 0) ?? []
      return likeliest ? decide(likeliest) : []
    },
  }
}

const recognising = (candidates: readonly Stream[], line: string): Stream[] => {
  const value = parseJson(line.replace(/^\uFEFF?(?:data:)?\s*/, ""))
  return isObject(value) ? candidates.filter((stream) => stream.recognises(value)) : []
}
