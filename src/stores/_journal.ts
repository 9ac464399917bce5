/** The journal of one plan: entries as lines in a file that is only ever appended to. Reading it never fails. */
import { closeSync, fdatasyncSync, fstatSync, readSync, statSync, writeSync } from "node:fs"
import { openPlainFile } from "../home/read-file.ts"
import type { Seal } from "../home/seal.ts"
import { openToAppend } from "../home/write-file.ts"
import { type Entry, HeadwayError, type Problem, readEntry, warning } from "../plan/index.ts"
import type { Loaded, PlanKey } from "./store.ts"

const newline = 10

export type ReadJournal = Loaded & {
  /** The last line has no end: it may still be growing, or a crash left it so. */
  endsOpen: boolean
}

/**
 * Reads the entries behind an offset. A last line without its end is left for the next time: it may still be growing.
 * An offset is always the start of a line; where it is not, the journal is another one.
 */
export const readJournal = (path: string, from = 0, seal?: Seal): ReadJournal => {
  let file: number
  try {
    file = openPlainFile(path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ENOENT") throw cause
    return { entries: [], cursor: 0, problems: [], endsOpen: false, ...(from > 0 ? { restarted: true } : {}) }
  }
  try {
    return readOpen(file, path, from, fstatSync(file).size, seal)
  } finally {
    closeSync(file)
  }
}

/** Whether nothing was written since the journal was read up to an offset. */
export const isUnchanged = (path: string, from: number): boolean =>
  from > 0 && statSync(path, { throwIfNoEntry: false })?.size === from

/**
 * Appends one entry as one write, on a line of its own whatever stands before it, makes it durable, and reads on from
 * an offset: what others wrote meanwhile, and the entry itself.
 */
export const appendToJournal = (
  path: string,
  entry: Entry,
  startsFresh: boolean,
  from = 0,
  seal?: Seal,
): ReadJournal => {
  const text = JSON.stringify(entry)
  const line = Buffer.from(`${startsFresh ? "\n" : ""}${seal && entry.by.kind !== "agent" ? seal.seal(text) : text}\n`)
  const file = openToAppend(path)
  try {
    // In a repository, a second name for this file may be one that matters elsewhere.
    if (seal && fstatSync(file).nlink > 1)
      throw new HeadwayError("link-refused", `${path} has a second name (a hard link), so nothing is written to it.`)
    const written = writeSync(file, line)
    if (written !== line.length) {
      throw new HeadwayError(
        "store-full",
        `Only ${written} of ${line.length} bytes could be written to ${path}: is the disk full?`,
      )
    }
    fdatasyncSync(file)
    const { size, nlink } = fstatSync(file)
    // Somebody removed or replaced the journal meanwhile: what was written is nowhere.
    return nlink > 0 ? readOpen(file, path, from, size, seal) : readJournal(path, from, seal)
  } finally {
    closeSync(file)
  }
}

const readOpen = (file: number, path: string, from: number, size: number, seal: Seal | undefined): ReadJournal => {
  const { before, bytes } = readBytes(file, from, size)
  if (from > 0 && before !== newline) return { ...readOpen(file, path, 0, size, seal), restarted: true }
  const end = bytes.lastIndexOf(newline) + 1
  const entries: Entry[] = []
  let unreadable = 0
  let future = 0
  for (const line of bytes.toString("utf8", 0, end).split("\n")) {
    if (line === "" || line === "\r") continue
    const entry = parseLine(line)
    if (entry === undefined) unreadable += 1
    else if (entry === "future") future += 1
    else entries.push(seal ? attributed(entry, line, seal) : entry)
  }
  return { entries, cursor: from + end, problems: problemsOf(path, unreadable, future), endsOpen: end < bytes.length }
}

/** An entry that claims to be a person's or Headway's own, but was not written on this machine, is another's. */
const attributed = (entry: Entry, line: string, seal: Seal): Entry =>
  entry.by.kind === "agent" || seal.holds(line) ? entry : { ...entry, by: { ...entry.by, kind: "other" } }

/** As the first entry says it. Ids longer than this much of a file are nobody's. */
const headLength = 16_384
const openedBy = /"type":"plan-opened","session":("(?:[^"\\]|\\.)*"),"agent":("(?:[^"\\]|\\.)*")/

/** Whose journal it is, without reading it whole. */
export const readOwner = (path: string): PlanKey | undefined => {
  try {
    const file = openPlainFile(path)
    try {
      const head = Buffer.alloc(headLength)
      const [, session, agent] = openedBy.exec(head.toString("utf8", 0, readSync(file, head, 0, headLength, 0))) ?? []
      return session && agent ? { session: JSON.parse(session), agent: JSON.parse(agent) } : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

const parseLine = (line: string): Entry | "future" | undefined => {
  try {
    return readEntry(JSON.parse(line))
  } catch {
    return undefined
  }
}

/** The bytes from an offset on, and the one right before it. */
const readBytes = (file: number, from: number, size: number): { before: number | undefined; bytes: Buffer } => {
  const start = Math.max(0, from - 1)
  const bytes = Buffer.allocUnsafe(Math.max(0, size - start))
  let read = 0
  while (read < bytes.length) {
    const more = readSync(file, bytes, read, bytes.length - read, start + read)
    if (more === 0) break
    read += more
  }
  return { before: bytes.subarray(0, read)[0], bytes: bytes.subarray(Math.min(read, from - start), read) }
}

const problemsOf = (path: string, unreadable: number, future: number): Problem[] => [
  ...(unreadable > 0
    ? [
        warning(
          "unreadable-entries",
          `${lines(unreadable)} of ${path} could not be read and ${unreadable > 1 ? "were" : "was"} skipped; the file is kept as it is.`,
        ),
      ]
    : []),
  ...(future > 0
    ? [
        warning(
          "future-entries",
          `${lines(future)} of ${path} ${future > 1 ? "were" : "was"} written by a newer Headway and skipped; update to see them.`,
        ),
      ]
    : []),
]

const lines = (count: number): string => `${count} ${count > 1 ? "lines" : "line"}`
