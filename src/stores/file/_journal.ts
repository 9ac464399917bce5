/** The journal of one plan: entries as lines in a file that is only ever appended to. Reading it never fails. */
import { closeSync, constants, fdatasyncSync, fstatSync, fsyncSync, readSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { openWithStats } from "../../home/reading/plain-file.ts"
import type { Seal } from "../../home/trust/seal.ts"
import { syncFolder } from "../../home/writing/write-file.ts"
import { type Entry, HeadwayError, type PlanKey } from "../../plan/index.ts"
import { parseJson } from "../../plan/json.ts"
import type { Loaded } from "../store.ts"
import { isSameFile, isSameStamp, isYoung, type JournalStamp, noFile, stampAt, stampOf } from "./_journal-stamp.ts"
import { collectEntries, noneSkipped, problemsOf, type Skipped, unfinishedLine, unfinishedMark } from "./_lines.ts"
import { emptyWitness, noWitness, type Witness, witnessOf } from "./_witness.ts"

/** How far a journal has been read: the cursor of the file store. */
export type JournalCursor = {
  /** The start of a line. */
  offset: number
  stamp: JournalStamp
  /** Everything before the offset. */
  witness: Witness
  /** The part of it that could not be read. */
  skipped: Skipped
}

export type ReadJournal = Loaded & { cursor: JournalCursor }

/** An open journal, and its state at the last check. */
export type OpenJournal = { file: number; stamp: JournalStamp }

const start: JournalCursor = { offset: 0, stamp: noFile, witness: emptyWitness, skipped: noneSkipped }

/** `isOnce` when it will not be asked whether the journal is still the same. */
export const startOf = (isOnce: boolean): JournalCursor => (isOnce ? { ...start, witness: noWitness } : start)

/** The cursor after the first bytes of a journal, if they match a hash. */
export const cursorBehind = (
  path: string,
  offset: number,
  digest: string,
  skipped: Skipped,
): JournalCursor | undefined => {
  const opened = openIfThere(path, constants.O_RDONLY)
  if (opened === undefined) return undefined
  const { file, stamp } = opened
  try {
    const witness = stamp.size < offset ? emptyWitness : witnessOf(file, offset)
    // The bytes after it have not been read.
    return witness.digest() === digest ? { offset, stamp: { ...stamp, size: offset }, witness, skipped } : undefined
  } finally {
    closeSync(file)
  }
}

/** A cursor from a caller: anything that is not ours means the start. */
export const cursorOf = (cursor: object | undefined): JournalCursor =>
  typeof cursor === "object" && "witness" in cursor ? (cursor as JournalCursor) : start

/**
 * Reads the entries after a cursor. An incomplete last line is left for the next time. If the cursor belongs to another
 * journal, reading starts from the beginning.
 */
export const readJournal = (path: string, from: JournalCursor = start, seal?: Seal): ReadJournal => {
  const opened = openIfThere(path, constants.O_RDONLY)
  if (opened === undefined) return nothingLeft(from)
  const { file, stamp } = opened
  try {
    return readOn(file, path, stamp, from, seal)
  } finally {
    closeSync(file)
  }
}

/**
 * Whether nothing was written since the cursor was taken. File times have a resolution of some milliseconds, so for a
 * file that had just been written the last bytes are compared as well.
 */
export const isUnchanged = (path: string, { offset, stamp, witness }: JournalCursor): boolean => {
  if (offset === 0) return false
  if (!isYoung(stamp)) return isSameStamp(stampAt(path), stamp)
  const opened = openIfThere(path, constants.O_RDONLY)
  if (opened === undefined) return false
  try {
    if (!isSameStamp(opened.stamp, stamp) || !endsLike(opened.file, offset, witness)) return false
  } finally {
    closeSync(opened.file)
  }
  stamp.seen = opened.stamp.seen
  return true
}

/**
 * Whether it has changed since it was read, by one stat. Within the resolution of file times this can miss an overwrite
 * of the same length; once that time has passed, a cursor taken within it counts as changed and is checked.
 */
export const hasMore = (path: string, { stamp }: JournalCursor): boolean => {
  const found = stampAt(path)
  return !isSameStamp(found, stamp) || (isYoung(stamp) && !isYoung(found))
}

/** The maximum length of an entry: longer lines are neither written nor kept in memory. */
const longestLine = 64 << 20

/** An entry as a line of a journal. */
export const lineOf = (entry: Entry, seal?: Seal): string => {
  const plain = JSON.stringify(entry)
  const text = `${seal && entry.by.kind !== "agent" ? seal.seal(plain) : plain}\n`
  if (text.length > longestLine / 3 && Buffer.byteLength(text) > longestLine) {
    throw new HeadwayError(
      "entry-too-long",
      `A change of ${Buffer.byteLength(text)} bytes is too long for a journal: send it in parts.`,
    )
  }
  return text
}

/** Opens a journal to append to. If a journal that had been started is gone, it is not created again. */
export const openToAppend = (path: string, { offset }: JournalCursor): OpenJournal | undefined => {
  const isBegun = offset > 0
  return openIfThere(path, constants.O_RDWR | constants.O_APPEND | (isBegun ? 0 : constants.O_CREAT), isBegun)
}

/**
 * Appends one entry as a single write on a line of its own, makes it durable, and reads from a cursor: entries of
 * others, and the entry itself. Leaves the file open.
 */
export const appendToJournal = (
  { file, stamp: before }: OpenJournal,
  path: string,
  text: string,
  from: JournalCursor = start,
  seal?: Seal,
): ReadJournal => {
  const isBegun = from.offset > 0
  const mayBeOpen = isBegun ? from.stamp.size > from.offset : before.size > 0
  const end = mayBeOpen ? endOfOpenLine(file) : ""
  const line = Buffer.from(`${end}${text}`)
  // In a repository, a hard link to this file may be a file that matters elsewhere.
  if (seal && before.names > 1)
    throw new HeadwayError("link-refused", `${path} has a second name (a hard link), so nothing is written to it.`)
  const written = writeSync(file, line)
  if (written !== line.length) {
    throw new HeadwayError(
      "store-full",
      `Only ${written} of ${line.length} bytes could be written to ${path}: is the disk full?`,
    )
  }
  // A process that removes a journal renames it and then checks it again. So an entry written while the file still had
  // its name is seen, and a later one is not counted anywhere.
  const after = stampAt(path)
  if (!after || !isSameFile(after, before)) return readJournal(path, from, seal)
  if (isBegun) fdatasyncSync(file)
  else syncNew(file, path)
  const read = readOn(file, path, after, from, seal)
  return end === unfinishedEnd ? { ...read, problems: [unfinishedLine(path), ...read.problems] } : read
}

/** Ends the last line where it has no end. Half an entry is marked, so that only the writer that finds it reports it. */
const endOfOpenLine = (file: number): string => {
  const line = lastLine(file)
  if (line.length === 0) return ""
  return parseJson(line.toString("utf8")) === undefined ? unfinishedEnd : "\n"
}

const unfinishedEnd = `${unfinishedMark}\n`

/** What comes after the last line end. */
const lastLine = (file: number): Buffer => {
  const { size } = fstatSync(file)
  for (let length = nearby; ; length *= 4) {
    const from = Math.max(0, size - length)
    const bytes = bytesAt(file, from, size - from)
    const at = bytes.lastIndexOf(newline)
    // Entries are not longer than this, so what comes before cannot make it one.
    if (at >= 0 || from === 0 || length > longestLine) return bytes.subarray(at + 1)
  }
}

/** A new file is only durable once its folder entry is. */
const syncNew = (file: number, path: string): void => {
  fsyncSync(file)
  syncFolder(dirname(path))
}

const openIfThere = (path: string, flags: number, mayBeGone = true): OpenJournal | undefined => {
  const seen = Date.now()
  try {
    const { file, stats } = openWithStats(path, flags)
    return { file, stamp: stampOf(stats, seen) }
  } catch (cause) {
    if (mayBeGone && (cause as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw cause
  }
}

/** For a journal that is gone. */
export const nothingLeft = ({ offset }: JournalCursor): ReadJournal => ({
  entries: [],
  cursor: start,
  problems: [],
  ...(offset > 0 ? { restarted: true } : {}),
})

const readOn = (
  file: number,
  path: string,
  stamp: JournalStamp,
  from: JournalCursor,
  seal: Seal | undefined,
): ReadJournal => {
  const { tail } = from.witness
  const more = stamp.size - from.offset
  // A small addition is read together with the bytes before it.
  const near = more < 0 ? tail : bytesAt(file, from.offset - tail.length, tail.length + (more > nearby ? 0 : more))
  const isKnown = more >= 0 && isTail(near, tail) && isItsStart(file, stamp, from)
  if (isKnown) return readLines(file, path, stamp, from, seal, near.subarray(tail.length))
  return { ...readLines(file, path, stamp, start, seal), restarted: true }
}

const nearby = 65_536

const isTail = (bytes: Buffer, tail: Buffer): boolean => bytes.subarray(0, tail.length).equals(tail)

const endsLike = (file: number, offset: number, { tail }: Witness): boolean =>
  isTail(bytesAt(file, offset - tail.length, tail.length), tail)

/** Whether a file that matches just before a cursor also matches in everything before. */
const isItsStart = (file: number, stamp: JournalStamp, { offset, stamp: old, witness }: JournalCursor): boolean => {
  if (offset === 0) return true
  if (isSameFile(stamp, old) && (stamp.size > old.size || isSameStamp(stamp, old))) return true
  // Another file, or one that was touched without growing: it may be an identical copy, or anything else.
  return witnessOf(file, offset).digest() === witness.digest()
}

const none = Buffer.alloc(0)
const newline = 10
const smallBlock = 4 << 20

/** `read` is the part after the cursor that was already read. */
const readLines = (
  file: number,
  path: string,
  stamp: JournalStamp,
  from: JournalCursor,
  seal: Seal | undefined,
  read: Buffer = none,
): ReadJournal => {
  const entries: Entry[] = []
  const skipped: Skipped = { ...noneSkipped }
  let { offset, witness } = from
  let blockLength = smallBlock
  while (offset < stamp.size) {
    const isRead = read.length > 0 && offset === from.offset
    const bytes = isRead ? read : bytesAt(file, offset, Math.min(blockLength, stamp.size - offset))
    const end = bytes.lastIndexOf(newline) + 1
    if (end > 0) {
      collectEntries(bytes.toString("utf8", 0, end), entries, skipped, seal)
      witness = witness.and(bytes.subarray(0, end))
      offset += end
      blockLength = smallBlock
      continue
    }
    if (offset + bytes.length >= stamp.size) break
    // A line longer than the block is read again in a larger one, up to the maximum length.
    blockLength *= 4
    if (blockLength <= longestLine) continue
    const lineEnd = nextLine(file, offset, stamp.size)
    if (lineEnd === undefined) break
    skipped.unreadable += 1
    witness = andBetween(witness, file, offset, lineEnd)
    offset = lineEnd
    blockLength = smallBlock
  }
  if (offset === from.offset && isSameStamp(stamp, from.stamp)) {
    from.stamp.seen = stamp.seen
    return { entries, cursor: from, problems: [] }
  }
  const cursor: JournalCursor = { offset, stamp, witness, skipped: sumOf(from.skipped, skipped) }
  return { entries, cursor, problems: problemsOf(path, skipped) }
}

const sumOf = (one: Skipped, other: Skipped): Skipped => ({
  unreadable: one.unreadable + other.unreadable,
  future: one.future + other.future,
  partly: one.partly + other.partly,
})

/** The start of the next line; undefined if this line is incomplete. */
const nextLine = (file: number, from: number, size: number): number | undefined => {
  for (let offset = from; offset < size; offset += smallBlock) {
    const at = bytesAt(file, offset, Math.min(smallBlock, size - offset)).indexOf(newline)
    if (at >= 0) return offset + at + 1
  }
  return undefined
}

const andBetween = (witness: Witness, file: number, from: number, end: number): Witness => {
  let sum = witness
  for (let offset = from; offset < end; offset += smallBlock)
    sum = sum.and(bytesAt(file, offset, Math.min(smallBlock, end - offset)))
  return sum
}

/** The bytes from an offset on; fewer where the file ends before. */
const bytesAt = (file: number, offset: number, length: number): Buffer => {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const more = readSync(file, bytes, read, length - read, offset + read)
    if (more === 0) break
    read += more
  }
  return bytes.subarray(0, read)
}

/** As in the first entry. No id is longer than this part of the file. */
const headLength = 16_384
const openedBy = /"type":"plan-opened","session":("(?:[^"\\]|\\.)*"),"agent":("(?:[^"\\]|\\.)*")/

/** The ids in a journal's first entry, without reading all of it. */
export const readOwner = (path: string): PlanKey | undefined => {
  try {
    const file = openIfThere(path, constants.O_RDONLY)?.file
    if (file === undefined) return undefined
    try {
      const [, session, agent] = openedBy.exec(bytesAt(file, 0, headLength).toString("utf8")) ?? []
      return session && agent ? { session: JSON.parse(session), agent: JSON.parse(agent) } : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}
