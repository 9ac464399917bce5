/** What a session is called and what was asked first, from the beginning and the end of its file. */
import type { ScanObserver } from "../../streams/observe.ts"
import type { Signal, Stream, StreamReader } from "../../streams/stream.ts"
import { createSearch } from "./byte-search.ts"
import { type Bytes, firstLines } from "./found-lines.ts"
import { ownerOf, type Tail } from "./tail.ts"

type Titled = { stream: Stream; observer: ScanObserver; reader: StreamReader }

/**
 * Clients write a title again and again, so that the last ones are at the end. `reader` has seen all that was found in the
 * file; lines with a title say nothing else that it must see in order.
 */
export const readTitles = (file: Bytes, tail: Tail, { stream, observer, reader }: Titled): void => {
  const owner = ownerOf(observer)
  if (owner === undefined) return
  if (!wasAsked(observer, owner)) readFirstAsked(file, stream, observer, owner)
  for (const line of lastTitles(tail, stream.titleNeedles ?? [])) {
    for (const signal of reader.read(line)) {
      if (signal.type === "session" && signal.title !== undefined) observer.take(signal)
    }
  }
}

const wasAsked = (observer: ScanObserver, owner: string): boolean =>
  observer.known().some(({ agent, about }) => agent === owner && about.asked !== undefined)

/** Any number of commands, files and instructions may precede the first prompt. */
const readFirstAsked = (file: Bytes, stream: Stream, observer: ScanObserver, owner: string): void => {
  const reader = stream.open()
  firstLines(file, (line) => {
    for (const { agent = "main", asked } of reader.read(line).filter(isSession)) {
      if (asked !== undefined && (agent === "main" || agent === owner))
        observer.take({ type: "session", agent: owner, asked })
    }
    return !wasAsked(observer, owner)
  })
}

const isSession = (signal: Signal): signal is Extract<Signal, { type: "session" }> => signal.type === "session"

/** The bytes may occur in text by chance, so a few lines are tried for each needle. */
const mostTried = 4

const lastTitles = ({ bytes, isWhole }: Tail, needles: readonly string[]): string[] => {
  const lines = new Map<number, string>()
  // Most ends have no title, and to find that out from behind takes six times as long.
  const search = createSearch(needles)
  search.begin(bytes, 0)
  if (search.next(0) < 0) return []
  for (const needle of needles) {
    let before = bytes.length
    for (let tried = 0; tried < mostTried && before > 0; tried += 1) {
      const at = bytes.lastIndexOf(needle, before - 1)
      const start = at < 0 ? -1 : bytes.lastIndexOf("\n", at) + 1
      const end = bytes.indexOf("\n", at)
      // The first line may be incomplete.
      if (start < 0 || (start === 0 && !isWhole)) break
      if (end >= 0) lines.set(start, bytes.toString("utf8", start, end))
      before = start
    }
  }
  return [...lines].sort(([one], [other]) => one - other).map(([, line]) => line)
}
