/** The journal of one plan: entries as lines in a file that is only ever appended to. Reading it never fails. */
import { closeSync, constants, fdatasyncSync, fsyncSync, readSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { openWithStats } from "../home/plain-file.ts"
import type { Seal } from "../home/seal.ts"
import { syncFolder } from "../home/write-file.ts"
import { type Entry, HeadwayError, type PlanKey } from "../plan/index.ts"
import { collectEntries, noneSkipped, problemsOf, type Skipped } from "./_lines.ts"
import { isSameFile, isStand, isYoung, lookAt, noFile, type Stand, standOf } from "./_stand.ts"
import { emptyWitness, noWitness, type Witness, witnessOf } from "./_witness.ts"
import type { Loaded } from "./store.ts"

/** How far a journal has been read: the cursor of the file store. */
export type JournalCursor = {
  /** The start of a line. */
  offset: number
  stand: Stand
  /** Everything before the offset. */
  witness: Witness
  /** The part of it that could not be read. */
  skipped: Skipped
}

export type ReadJournal = Loaded & { cursor: JournalCursor }

/** A journal that is open, and how it stood when it was last looked at. */
export type OpenJournal = { file: number; stand: Stand }

const start: JournalCursor = { offset: 0, stand: noFile, witness: emptyWitness, skipped: noneSkipped }

/** `isOnce` when it will not be asked whether the journal is still the same. */
export const startOf = (isOnce: boolean): JournalCursor => (isOnce ? { ...start, witness: noWitness } : start)

/** The cursor behind the first bytes of a journal, if they are those a hash is of. */
export const cursorBehind = (
  path: string,
  offset: number,
  digest: string,
  skipped: Skipped,
): JournalCursor | undefined => {
  const opened = openIfThere(path, constants.O_RDONLY)
  if (opened === undefined) return undefined
  const { file, stand } = opened
  try {
    const witness = stand.size < offset ? emptyWitness : witnessOf(file, offset)
    // What follows it has not been looked at.
    return witness.digest() === digest ? { offset, stand: { ...stand, size: offset }, witness, skipped } : undefined
  } finally {
    closeSync(file)
  }
}

/** A cursor as a caller gave it: anything that is not ours is the start. */
export const cursorOf = (cursor: object | undefined): JournalCursor =>
  typeof cursor === "object" && "witness" in cursor ? (cursor as JournalCursor) : start

/**
 * Reads the entries behind a cursor. A last line without its end is left for the next time: it may still be growing.
 * Where the journal is not the one the cursor is of, it is read from its beginning.
 */
export const readJournal = (path: string, from: JournalCursor = start, seal?: Seal): ReadJournal => {
  const opened = openIfThere(path, constants.O_RDONLY)
  if (opened === undefined) return nothingLeft(from)
  const { file, stand } = opened
  try {
    return readOn(file, path, stand, from, seal)
  } finally {
    closeSync(file)
  }
}

/**
 * Whether nothing was written since the cursor was taken. A file's time is told in steps of some milliseconds, so that of a
 * file that had just been written says nothing about what came right after: then its last bytes are compared as well.
 */
export const isUnchanged = (path: string, { offset, stand, witness }: JournalCursor): boolean => {
  if (offset === 0) return false
  if (!isYoung(stand)) return isStand(lookAt(path), stand)
  const opened = openIfThere(path, constants.O_RDONLY)
  if (opened === undefined) return false
  try {
    if (!isStand(opened.stand, stand) || !endsLike(opened.file, offset, witness)) return false
  } finally {
    closeSync(opened.file)
  }
  stand.seen = opened.stand.seen
  return true
}

/**
 * Whether it stands otherwise than when it was read, by one look. Within a step of its time that can miss a file that was
 * written over with as many bytes; so once the step has passed, a cursor taken within it counts as changed and is looked at.
 */
export const hasMore = (path: string, { stand }: JournalCursor): boolean => {
  const found = lookAt(path)
  return !isStand(found, stand) || (isYoung(stand) && !isYoung(found))
}

/** No entry is longer: such lines are neither written nor kept in memory. */
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

/** Opens a journal to append to. One that was begun is not begun again: where it is gone there is none. */
export const openToAppend = (path: string, { offset }: JournalCursor): OpenJournal | undefined => {
  const isBegun = offset > 0
  return openIfThere(path, constants.O_RDWR | constants.O_APPEND | (isBegun ? 0 : constants.O_CREAT), isBegun)
}

/**
 * Appends the line of one entry as one write, on a line of its own whatever stands before it, makes it durable, and reads on from
 * a mark: what others wrote meanwhile, and the entry itself. Leaves the file open.
 */
export const appendToJournal = (
  { file, stand: before }: OpenJournal,
  path: string,
  text: string,
  from: JournalCursor = start,
  seal?: Seal,
): ReadJournal => {
  const isBegun = from.offset > 0
  const isOpenEnded = isBegun ? from.stand.size > from.offset : endsOpen(file, before)
  const line = Buffer.from(isOpenEnded ? `\n${text}` : text)
  // In a repository, a second name for this file may be one that matters elsewhere.
  if (seal && before.names > 1)
    throw new HeadwayError("link-refused", `${path} has a second name (a hard link), so nothing is written to it.`)
  const written = writeSync(file, line)
  if (written !== line.length) {
    throw new HeadwayError(
      "store-full",
      `Only ${written} of ${line.length} bytes could be written to ${path}: is the disk full?`,
    )
  }
  // A process that removes a journal takes its name away and then looks at it once more. So an entry that is in the file while
  // the file still has its name is seen by them, and one written later than that counts nowhere.
  const after = lookAt(path)
  if (!after || !isSameFile(after, before)) return readJournal(path, from, seal)
  if (isBegun) fdatasyncSync(file)
  else syncNew(file, path)
  return readOn(file, path, after, from, seal)
}

/** A file that is new is only as durable as its name in the folder. */
const syncNew = (file: number, path: string): void => {
  fsyncSync(file)
  syncFolder(dirname(path))
}

const openIfThere = (path: string, flags: number, mayBeGone = true): OpenJournal | undefined => {
  const seen = Date.now()
  try {
    const { file, stats } = openWithStats(path, flags)
    return { file, stand: standOf(stats, seen) }
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

const endsOpen = (file: number, { size }: Stand): boolean => size > 0 && bytesAt(file, size - 1, 1)[0] !== newline

const readOn = (file: number, path: string, stand: Stand, from: JournalCursor, seal: Seal | undefined): ReadJournal => {
  const { tail } = from.witness
  const more = stand.size - from.offset
  // What little came since is read with the bytes before it.
  const near = more < 0 ? tail : bytesAt(file, from.offset - tail.length, tail.length + (more > nearby ? 0 : more))
  const isKnown = more >= 0 && isTail(near, tail) && isItsStart(file, stand, from)
  if (isKnown) return readLines(file, path, stand, from, seal, near.subarray(tail.length))
  return { ...readLines(file, path, stand, start, seal), restarted: true }
}

const nearby = 65_536

const isTail = (bytes: Buffer, tail: Buffer): boolean => bytes.subarray(0, tail.length).equals(tail)

const endsLike = (file: number, offset: number, { tail }: Witness): boolean =>
  isTail(bytesAt(file, offset - tail.length, tail.length), tail)

/** Whether a file with the same last bytes before a cursor begins with all that was read up to there. */
const isItsStart = (file: number, stand: Stand, { offset, stand: old, witness }: JournalCursor): boolean => {
  if (offset === 0) return true
  if (isSameFile(stand, old) && (stand.size > old.size || isStand(stand, old))) return true
  // Another file, or one that was touched and did not grow: it may be a copy of the same, or anything.
  return witnessOf(file, offset).digest() === witness.digest()
}

const none = Buffer.alloc(0)
const newline = 10
const smallBlock = 4 << 20

/** `read` is what was read already of what follows the cursor. */
const readLines = (
  file: number,
  path: string,
  stand: Stand,
  from: JournalCursor,
  seal: Seal | undefined,
  read: Buffer = none,
): ReadJournal => {
  const entries: Entry[] = []
  const skipped: Skipped = { ...noneSkipped }
  let { offset, witness } = from
  let blockLength = smallBlock
  while (offset < stand.size) {
    const isRead = read.length > 0 && offset === from.offset
    const bytes = isRead ? read : bytesAt(file, offset, Math.min(blockLength, stand.size - offset))
    const end = bytes.lastIndexOf(newline) + 1
    if (end > 0) {
      collectEntries(bytes.toString("utf8", 0, end), entries, skipped, seal)
      witness = witness.and(bytes.subarray(0, end))
      offset += end
      blockLength = smallBlock
      continue
    }
    if (offset + bytes.length >= stand.size) break
    // A line longer than the block: it is read again in a larger one, up to what a line may be.
    blockLength *= 4
    if (blockLength <= longestLine) continue
    const lineEnd = nextLine(file, offset, stand.size)
    if (lineEnd === undefined) break
    skipped.unreadable += 1
    witness = andBetween(witness, file, offset, lineEnd)
    offset = lineEnd
    blockLength = smallBlock
  }
  if (offset === from.offset && isStand(stand, from.stand)) {
    from.stand.seen = stand.seen
    return { entries, cursor: from, problems: [] }
  }
  const cursor: JournalCursor = { offset, stand, witness, skipped: sumOf(from.skipped, skipped) }
  return { entries, cursor, problems: problemsOf(path, skipped) }
}

const sumOf = (one: Skipped, other: Skipped): Skipped => ({
  unreadable: one.unreadable + other.unreadable,
  future: one.future + other.future,
  partly: one.partly + other.partly,
})

/** Where the next line begins; undefined where this one has no end. */
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

/** As the first entry says it. No id is longer than this much of a file. */
const headLength = 16_384
const openedBy = /"type":"plan-opened","session":("(?:[^"\\]|\\.)*"),"agent":("(?:[^"\\]|\\.)*")/

/** Whose journal it says it is, without reading it whole. */
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
