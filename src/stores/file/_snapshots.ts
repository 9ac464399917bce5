/**
 * Snapshots of folded plans in the cache, so that opening a plan only reads what came later. Invalid snapshots are
 * ignored.
 */
import { readPlainFile } from "../../home/reading/plain-file.ts"
import { replaceFile } from "../../home/writing/write-file.ts"
import type { FoldSnapshot } from "../../plan/index.ts"
import { type Snapshot, understood, foldedAs as version } from "../store.ts"
import { cursorBehind, type JournalCursor } from "./_journal.ts"
import { problemsOf, type Skipped } from "./_lines.ts"
import { sha256 } from "./_witness.ts"

/** The source of a snapshot: `journal` is the hash of all folded bytes, those before the cursor. */
type Head = { v: number; understood: string; cursor: number; journal: string; skipped: Skipped }

/** Head and state are one object in the file; between them is the hash of both. */
const seam = /,"digest":"([\da-f]{64})","state":/

/** How far the last snapshot of a plan reaches, and how long its file is. */
export type KnownSnapshot = { offset: number; size: number }

export const noSnapshot: KnownSnapshot = { offset: 0, size: 0 }

/** The size is known even for an invalid one. */
export const loadSnapshot = (path: string, journal: string): { snapshot?: Snapshot; size: number } => {
  try {
    const bytes = readPlainFile(path)
    const snapshot = snapshotIn(bytes, journal)
    return { ...(snapshot ? { snapshot } : {}), size: bytes.length }
  } catch {
    return { size: 0 }
  }
}

const snapshotIn = (bytes: Buffer, journal: string): Snapshot | undefined => {
  try {
    // Everything before the seam is ASCII, so positions in the text are positions in the bytes.
    const found = seam.exec(bytes.toString("latin1", 0, 4_096))
    if (!found) return undefined
    const head = bytes.toString("latin1", 0, found.index)
    const state = bytes.subarray(found.index + found[0].length, -1)
    const { v, understood: known, cursor: offset, journal: digest, skipped } = JSON.parse(`${head}}`) as Head
    if (v !== version || known !== understood || hashOf(head, state) !== found[1]) return undefined
    const cursor = cursorBehind(journal, offset, digest, skipped)
    return (
      cursor && {
        cursor,
        state: JSON.parse(state.toString("utf8")) as FoldSnapshot,
        problems: problemsOf(journal, skipped),
      }
    )
  } catch {
    return undefined
  }
}

/**
 * The cursor says what was folded; the journal is not read, because it may have been replaced. Returns the length of
 * the file.
 */
export const saveSnapshot = (path: string, mark: JournalCursor, state: FoldSnapshot, temporary: string): number => {
  const { offset, witness, skipped } = mark
  const head: Head = { v: version, understood, cursor: offset, journal: witness.digest(), skipped }
  const [headText, stateText] = [JSON.stringify(head).slice(0, -1), JSON.stringify(state)]
  const bytes = Buffer.from(`${headText},"digest":"${hashOf(headText, stateText)}","state":${stateText}}`)
  replaceFile(path, bytes, temporary)
  return bytes.length
}

/** Worthwhile when the part after the last snapshot has grown larger than a snapshot. */
export const isSnapshotDue = (last: KnownSnapshot, { offset }: JournalCursor): boolean =>
  offset - last.offset > smallest && offset - last.offset > 2 * last.size

const smallest = 65_536

const hashOf = (head: string, state: string | Buffer): string => sha256().update(head).update(state).digest("hex")
