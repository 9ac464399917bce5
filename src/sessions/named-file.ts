/** Recognises a single file that a person names: its first lines tell which agent's output or session it is. */
import { basename, dirname } from "node:path"
import { loadStreams } from "../agents/index.ts"
import { readForeignText, withForeignFile } from "../home/reading/foreign-file.ts"
import { type Problem, sanitise } from "../plan/index.ts"
import { parseJson } from "../plan/json.ts"
import { isRecord } from "../plan/log/shape.ts"
import { createDetector } from "../streams/detect.ts"
import type { Stream } from "../streams/stream.ts"
import { firstLines } from "./file/found-lines.ts"
import { unreadable } from "./file/read-found.ts"
import { isCompressed, sessionFileEnding } from "./packed/is-compressed.ts"
import type { Source } from "./source.ts"
import { type Found, foundAgain } from "./walk.ts"

type Report = ((problem: Problem) => void) | undefined

/** Undefined while it has no output of a known agent. */
export const fileNamed = async (
  path: string,
  sources: Readonly<Record<string, Source>>,
  onProblem: Report,
): Promise<Found | undefined> => {
  try {
    const stream = await streamOf(path)
    if (!stream) return undefined
    const source = Object.values(sources).find(({ agentType }) => agentType === stream.agentType) ?? sourceFor(stream)
    const place = { path: [], reading: { as: "lines", stream: stream.id } } as const
    const whose = { session: basename(path).replace(sessionFileEnding, "") }
    return foundAgain({ source, place, home: dirname(path), path, whose, stamp: [0, 0, 0] }, () => {})
  } catch (cause) {
    onProblem?.(unreadable(sanitise(path), cause))
    return undefined
  }
}

const streamOf = async (path: string): Promise<Stream | undefined> => {
  const streams = await loadStreams("auto")
  // The lines of a compressed file are not read to recognise it: only one format is stored that way.
  if (isCompressed(path)) return streams.find((stream) => stream.mayBeCompressed)
  const detector = createDetector(streams)
  withForeignFile(path, ({ read, stats }) =>
    firstLines({ read, size: stats.size }, (line) => {
      detector.read(line)
      return detector.stream === undefined
    }),
  )
  detector.end()
  return detector.stream ?? documentIn(path, streams)
}

/** The format of a file that is one object, on any number of lines. */
const documentIn = (path: string, streams: readonly Stream[]): Stream | undefined => {
  const value = parseJson(readForeignText(path, longestDocument))
  return isRecord(value) ? streams.find(({ isDocument, recognises }) => isDocument && recognises(value)) : undefined
}

/** In bytes; a longer file whose first lines are not recognised is not an agent's file. */
const longestDocument = 64 << 20

/** An agent without sessions on this machine: only this stream is known. */
const sourceFor = ({ agentType }: Stream): Source => ({
  agentType,
  homes: () => [],
  below: { home: [], folder: [] },
  places: [],
  planTool: () => "unknown",
})
