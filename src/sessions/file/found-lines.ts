/** Finds the lines of a file that contain a needle, in constant memory. */
import { longestNeedle, type Search } from "./byte-search.ts"
import { scannedMemory } from "./needle-scanner.ts"

/** An open file, as the scan reads it. */
export type Bytes = {
  /** Returns how many bytes were read. */
  read(target: Buffer, start: number, length: number, position: number): number
  size: number
  /** Called with the length of each line whose text is wanted; throws when that is too much. */
  spend?(length: number): void
}

/** A line without its line end. Its text is decoded on demand. */
export type FoundLine = { start: number; end: number; text(): string }

const chunkSize = 128 << 10
/** So much of a file is read for its first lines. */
export const headSize = chunkSize
/** Usually this much is enough for them. */
const shortHead = 16 << 10
/** So much of a file is read for its last lines. */
export const tailSize = 64 << 10
const newline = 10

const memory = scannedMemory(longestNeedle + chunkSize + tailSize)
/** Each chunk is preceded by the end of the previous one, for needles that span both. */
const buffer = memory.subarray(0, longestNeedle + chunkSize)
/** For the last lines of one file at a time. */
export const tailBuffer = memory.subarray(buffer.length)

/**
 * Passes on every complete line that contains a needle, in order, until the listener returns false or the search ends.
 * Returns the end of the last complete line.
 */
export const findLines = (file: Bytes, from: number, search: Search, onLine: (line: FoundLine) => boolean): number => {
  let lineStart = from
  /** A line that continues in the next chunk contains a needle. */
  let isWanted = false
  let held = 0
  for (let position = from; !search.isOver(); ) {
    const count = file.read(buffer, longestNeedle, chunkSize, position)
    if (count === 0) return lineStart
    const first = longestNeedle - held
    const base = position - longestNeedle
    const chunk = buffer.subarray(0, longestNeedle + count)
    let at = Math.max(first, lineStart - base)
    const passOn = (end: number): boolean => {
      const isAtHand = lineStart >= base + first
      const line = isAtHand ? lineIn(file, chunk, lineStart, base + end, base) : lineAgain(file, lineStart, base + end)
      lineStart = base + end + 1
      at = end + 1
      return onLine(line)
    }
    if (isWanted) {
      const end = chunk.indexOf(newline, longestNeedle)
      at = chunk.length
      isWanted = end < 0
      if (!isWanted && !passOn(end)) return lineStart
    }
    search.begin(chunk, base)
    for (let hit = search.next(at); hit >= 0; hit = search.next(at)) {
      const before = chunk.lastIndexOf(newline, hit)
      if (before >= at) lineStart = base + before + 1
      const end = chunk.indexOf(newline, hit)
      isWanted = end < 0
      if (isWanted) break
      if (!passOn(end)) return lineStart
    }
    const last = isWanted ? -1 : chunk.lastIndexOf(newline)
    if (last >= at) lineStart = base + last + 1
    position += count
    const next = Math.min(longestNeedle, count + held)
    chunk.copy(buffer, longestNeedle - next, chunk.length - next)
    held = next
  }
  return lineStart
}

const lineIn = (file: Bytes, chunk: Buffer, start: number, end: number, base: number): FoundLine => ({
  start,
  end,
  text: () => {
    file.spend?.(end - start)
    return chunk.toString("utf8", start - base, end - base)
  },
})

/** A line that began before the buffer, or was passed on earlier, is read again. */
export const lineAgain = (file: Bytes, start: number, end: number): FoundLine => ({
  start,
  end,
  text: () => {
    file.spend?.(end - start)
    const bytes = Buffer.allocUnsafe(end - start)
    return bytes.toString("utf8", 0, file.read(bytes, 0, bytes.length, start))
  },
})

/** The first lines, whatever they hold, until the listener returns false. Returns where the next one begins. */
export const firstLines = (file: Bytes, onLine: (line: string) => boolean): number => {
  let [start, count] = [0, 0]
  for (const length of [shortHead, headSize]) {
    count += file.read(buffer, count, length - count, count)
    const head = buffer.subarray(0, count)
    for (let end = head.indexOf(newline, start); end >= 0; end = head.indexOf(newline, start)) {
      const line = head.toString("utf8", start, end)
      start = end + 1
      if (!onLine(line)) return start
    }
    if (count < length) break
  }
  return start
}
