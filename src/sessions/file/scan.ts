/** Reads one session file to folded plans: bytes are searched first, and only lines that matter are parsed. */
import { readForeignFile } from "../../home/reading/foreign-file.ts"
import { HeadwayError } from "../../plan/index.ts"
import { longLine } from "../../streams/lines.ts"
import type { ObserverSnapshot, ScanObserver } from "../../streams/observe.ts"
import type { QuickNeedles, Stream } from "../../streams/stream.ts"
import { createSearch } from "./byte-search.ts"
import { type Bytes, type FoundLine, findLines, firstLines, headSize, lineAgain } from "./found-lines.ts"
import { textBefore, withSessionBytes } from "./session-bytes.ts"
import { readTail, tailOf } from "./tail.ts"
import { readTitles } from "./title-lines.ts"
import { createTitledObserver } from "./titled-observer.ts"

/** The position and state of a scan as plain data, so that the next one reads only what follows. */
export type ScanState = {
  offset: number
  /** The bytes just before the offset: if they differ, the file was replaced. */
  before: string
  observer: ObserverSnapshot
  reader: unknown
}

export type Scanned = {
  observer: ScanObserver
  /** Absent if the whole file must be read again next time. */
  state: ScanState | undefined
}

export type ScanOptions = {
  from?: ScanState | undefined
  /** Called with the length of every read, in bytes. */
  onRead?: ((bytes: number) => void) | undefined
  /** In bytes. @default 64 MiB, as for streams */
  maxLength?: number
  /** How long the lines of a file may take to parse, or a document to parse and apply, in milliseconds. @default 30000 */
  parseLimit?: number
  /** Apply every list, for the ids and times of the todos, instead of only the last complete one. @default false */
  readsAll?: boolean
}

/** Lines at the start that may say whose file it is. */
const headLines = 12
/** So many others may stand before and between them. */
const mostSilent = 50
const longestLine = 64 << 20
const defaultLimit = 30_000

/** Throws only file system errors (the file is gone or not readable), and an error if it is not a session file. */
export const scanFile = (path: string, stream: Stream, options: ScanOptions = {}): Scanned =>
  stream.isDocument ? readDocument(path, stream, options) : scanLines(path, stream, options)

/** A document is read whole, each time it has changed. */
const readDocument = (path: string, stream: Stream, options: ScanOptions): Scanned => {
  const { onRead, maxLength = longestLine, parseLimit = defaultLimit } = options
  const { bytes } = readForeignFile(path, maxLength)
  onRead?.(bytes.length)
  const timer = createTimer(parseLimit)
  const observer = createTitledObserver({ readsAll: true })
  for (const signal of timer(() => stream.open().read(bytes.toString("utf8")))) timer(() => observer.take(signal))
  return { observer, state: undefined }
}

const scanLines = (path: string, stream: Stream, options: ScanOptions): Scanned =>
  withSessionBytes(path, { onRead: options.onRead }, (file) => scanBytes(file, stream, options))

const scanBytes = (file: Bytes, stream: Stream, options: ScanOptions): Scanned => {
  const { from, maxLength = longestLine, readsAll = false, parseLimit = defaultLimit } = options
  const known = from && from.offset <= file.size && textBefore(file, from.offset) === from.before ? from : undefined
  const timer = createTimer(parseLimit)
  const begin: Begin = (how) => createAttempt({ file, stream, maxLength, timer, readsAll, ...how })
  const first = begin({ from: known })
  const quick = stream.quickNeedles?.(first.about())
  if (quick) {
    const isInOrder = known !== undefined || readsAll
    const few = isInOrder
      ? readInOrder(quick, first, known && stream.titleNeedles)
      : readLastList({ file, quick, first, begin, maxLength })
    // A call may depend on lists that were left out.
    const isEnough = few.attempt.isTakenBack() || !few.attempt.observer.needsAll()
    const read = isEnough ? few : readInOrder(quick, begin({ readsAll: true }))
    if (!read.attempt.isTakenBack()) return finish(file, stream, read, true)
  }
  // Rewound calls may be older than the part that was read, or be in records that the quick needles miss.
  const whole = readWhole(stream, quick ? begin({}) : first)
  const isEnough = !whole.attempt.observer.needsAll()
  return finish(file, stream, isEnough ? whole : readWhole(stream, begin({ readsAll: true })), false)
}

const finish = (file: Bytes, stream: Stream, { attempt, offset }: Read, isQuick: boolean): Scanned => {
  const { observer, reader } = attempt
  const tail = tailOf(file)
  readTitles(file, tail, { stream, observer, reader })
  readTail(file, tail, stream, observer)
  const saved = isQuick && attempt.hasHead() ? reader.snapshot?.() : undefined
  if (saved === undefined) return { observer, state: undefined }
  const state = { offset, before: textBefore(file, offset), observer: observer.snapshot(), reader: saved }
  return { observer, state }
}

type Attempt = ReturnType<typeof createAttempt>

/** Texts of equal length may differ a hundredfold in parsing time. */
const createTimer = (limit: number) => {
  let spent = 0
  return <Result>(work: () => Result): Result => {
    const start = performance.now()
    const result = work()
    spent += performance.now() - start
    if (spent <= limit) return result
    throw new HeadwayError("took-too-long", `reading it took more than ${limit / 1000} seconds`)
  }
}

type AttemptOptions = {
  file: Bytes
  stream: Stream
  maxLength: number
  timer: ReturnType<typeof createTimer>
  readsAll: boolean
  from?: ScanState | undefined
}

type Begin = (how: Pick<Partial<AttemptOptions>, "readsAll" | "from">) => Attempt

/** A reader and an observer that have seen the first lines, or continue from a state. */
const createAttempt = ({ file, stream, maxLength, timer, readsAll, from }: AttemptOptions) => {
  const observer = createTitledObserver({ from: from?.observer, readsAll: readsAll || from !== undefined })
  const reader = stream.open(from?.reader)
  let isTakenBack = false
  /** The first lines tell whose file it is: where some are still to come, the next scan must see them too. */
  let hasHead = from !== undefined || file.size >= headSize

  const about = (): { version?: string; model?: string } =>
    observer.known().find(({ about }) => about.version !== undefined)?.about ?? {}

  /** Returns whether the line said anything. */
  const takeText = (line: string): boolean => {
    const signals = timer(() => reader.read(line))
    for (const signal of signals) {
      isTakenBack ||= signal.type === "rewound"
      observer.take(signal)
    }
    return signals.length > 0
  }

  const take = ({ start, end, text }: FoundLine): void => {
    if (end - start <= maxLength) void takeText(text())
    else observer.take({ type: "problem", problem: longLine(end - start) })
  }

  const readHead = (): number => {
    let [lines, silent] = [0, 0]
    return firstLines(file, (line) => {
      if (takeText(line) || silent === mostSilent) lines += 1
      else silent += 1
      const { version, model } = about()
      const isEnough = lines === headLines || (version !== undefined && model !== undefined)
      hasHead ||= isEnough
      return !isEnough
    })
  }

  const readResults = (position: number, without: ReadonlySet<string>): void => {
    const search = createSearch([])
    for (const id of observer.open) if (!without.has(id)) search.await(id, position)
    findLines(file, position, search, (line) => {
      take(line)
      for (const id of search.ids()) if (!observer.open.has(id)) search.found(id)
      return true
    })
  }

  const start = from ? from.offset : readHead()

  return {
    observer,
    reader,
    about,
    hasHead: () => hasHead,
    isTakenBack: () => isTakenBack,
    start,
    /** Reads all lines with these needles, and the results of open calls, which are found by their ids. */
    read(needles: readonly string[]): number {
      const search = createSearch(needles)
      const asked = new Set<string>()
      const follow = (position: number): void => {
        for (const id of search.ids()) {
          if (observer.open.has(id)) continue
          search.found(id)
          // Another call may be given the id again.
          asked.delete(id)
        }
        for (const id of observer.open) {
          if (asked.has(id)) continue
          asked.add(id)
          search.await(id, position)
        }
      }
      follow(start)
      return findLines(file, start, search, (line) => {
        take(line)
        follow(line.end)
        return true
      })
    },
    /** Reads one line, and the results of its calls behind it. */
    readCall(line: FoundLine): void {
      const before = new Set(observer.open)
      take(line)
      readResults(line.end + 1, before)
    },
    /** Reads the results of calls in the first lines. */
    readFirstResults: (): void => readResults(start, new Set()),
  }
}

type LastList = { file: Bytes; quick: QuickNeedles; first: Attempt; begin: Begin; maxLength: number }

type Read = { attempt: Attempt; offset: number }

const readWhole = ({ needles }: Stream, attempt: Attempt): Read => ({ attempt, offset: attempt.read(needles) })

/** The new part of a file is short, so titles are searched for in it too. */
const readInOrder = ({ all, last }: QuickNeedles, attempt: Attempt, titles: readonly string[] = []): Read => ({
  attempt,
  offset: attempt.read([...all, ...last, ...titles]),
})

/** One of this many calls at the end of a file is usually accepted; if not, all are read. */
const fewCalls = [1, 4, 16]
/** One more than are tried, to know that there are more. */
const mostPlaces = 17

/**
 * If lists are always sent whole, only the last accepted one is parsed. If the file also has calls that build on each
 * other, all are read in order.
 */
const readLastList = ({ file, quick, first, begin, maxLength }: LastList): Read => {
  let places: { start: number; end: number }[] = []
  let isInOrder = false
  const search = createSearch([...quick.all, ...quick.last])
  const offset = findLines(file, first.start, search, ({ start, end, text }) => {
    places.push({ start, end })
    if (places.length > 2 * mostPlaces) places = places.slice(-mostPlaces)
    const line = end - start <= maxLength ? text() : ""
    isInOrder = quick.all.some((needle) => line.includes(needle))
    return !isInOrder
  })
  if (isInOrder) return readInOrder(quick, first)
  for (const [index, count] of fewCalls.entries()) {
    const attempt = index === 0 ? first : begin({})
    attempt.readFirstResults()
    const before = attempt.observer.calls()
    for (const { start, end } of places.slice(-count)) attempt.readCall(lineAgain(file, start, end))
    if (count >= places.length) return { attempt, offset }
    if (attempt.observer.isReplaced(before)) {
      attempt.observer.addGap()
      return { attempt, offset }
    }
  }
  return readInOrder(quick, begin({}))
}
