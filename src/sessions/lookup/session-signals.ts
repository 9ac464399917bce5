/** Reads the signals of single session files without caching, for looking up one session. */
import { loadStream } from "../../agents/index.ts"
import { readForeignText, withForeignFile } from "../../home/reading/foreign-file.ts"
import type { Signal } from "../../streams/stream.ts"
import { isCompressed } from "../packed/is-compressed.ts"
import type { Unpacker } from "../packed/unpack.ts"
import type { Env, Source } from "../source.ts"
import { type Found, walk } from "../walk.ts"

export type SessionPlaces = {
  source: Source
  env: Env
  /** The person's home. */
  home: string
}

/** The files of lines and the databases in an agent's places, the newest first. */
export const filesOf = (places: SessionPlaces): Found[] =>
  allOf(places).filter((found) => found.place.reading.as === "database" || isPlainLines(found))

/** All that is in an agent's places, the newest first. */
export const allOf = ({ source, env, home }: SessionPlaces): Found[] =>
  source
    .homes(env, home)
    .flatMap((folder) => walk(source, folder, () => {}).found)
    .sort((one, other) => other.stamp[1] - one.stamp[1])

export const isPlainLines = ({ place, path }: Found): boolean => place.reading.as === "lines" && !isCompressed(path)

/** Whether a file may hold a session, going by its name: where that has not the whole id, it has its beginning. */
export const mayHold = ({ path, whose, place }: Found, session: string): boolean => {
  if (whose.session !== undefined) return whose.session === session
  return place.reading.as === "database" || path.includes(session.slice(0, 8))
}

/** The session a file belongs to: a sub-agent's file may name its own, but is stored with its session. */
export const sessionOf = ({ whose }: Found, named: string | undefined): string | undefined =>
  whose.agent === undefined ? (named ?? whose.session) : (whose.session ?? named)

/** The signals of each session in a file. For a long file only its beginning, which identifies it, and its end. */
export const signalsIn = async (
  { place: { reading }, path }: Found,
  unpacker: Unpacker,
  tailLength: number,
): Promise<Signal[][]> => {
  if (reading.as === "database") return (await reading.load())(await unpacker.rows(path, reading.tables))
  const stream = reading.as === "lines" ? await loadStream(reading.stream) : undefined
  if (!stream) return []
  const reader = stream.open()
  if (stream.isDocument) return [reader.read(readForeignText(path))]
  const isOfUse = (line: string): boolean => stream.needles.some((needle) => line.includes(needle))
  return [endsOf(path, tailLength).flatMap((line) => (isOfUse(line) ? reader.read(line) : []))]
}

/** How many bytes of a file that reads, at most. */
export const bytesOf = ({ place: { reading }, stamp: [size] }: Found, tailLength: number): number =>
  reading.as === "database" ? size : Math.min(size, headLength + tailLength)

/** In bytes. */
const headLength = 64 << 10

const endsOf = (path: string, tailLength: number): string[] =>
  withForeignFile(path, ({ stats: { size }, read }) => {
    const part = (from: number, to: number): string => {
      const bytes = Buffer.alloc(to - from)
      return bytes.toString("utf8", 0, read(bytes, 0, bytes.length, from))
    }
    if (size <= headLength + tailLength) return part(0, size).split("\n")
    const [head, tail] = [part(0, headLength).split("\n"), part(size - tailLength, size).split("\n")]
    // Of the lines where it was cut there is only a half.
    return [...head.slice(0, -1), ...tail.slice(1)]
  })
