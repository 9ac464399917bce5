/** Folded states in the cache, so that opening a plan costs the snapshot plus what came after. Wrong ones are not believed. */
import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs"
import { replaceFile } from "../home/write-file.ts"
import type { Cursor, Snapshot } from "./store.ts"

const version = 4

/** What the journal begins with, and what it has right before the cursor: one that has others there is another journal. */
const headLength = 256
const tailLength = 4096

type Saved = { v: number; cursor: Cursor; witness: string; state: Snapshot["state"] }

export const loadSnapshot = (path: string, journal: string): Snapshot | undefined => {
  try {
    const { v, cursor, witness, state } = JSON.parse(readFileSync(path, "utf8")) as Saved
    const isSound = v === version && Array.isArray(state.plan.todos) && Array.isArray(state.records)
    return isSound && witnessAt(journal, cursor) === witness ? { cursor, state } : undefined
  } catch {
    return undefined
  }
}

export const saveSnapshot = (path: string, journal: string, { cursor, state }: Snapshot, temporary: string): void => {
  const saved: Saved = { v: version, cursor, witness: witnessAt(journal, cursor), state }
  replaceFile(path, JSON.stringify(saved), temporary)
}

/** Worth it when what must be read after the last snapshot has grown larger than a snapshot. */
export const isSnapshotDue = (path: string, lastCursor: Cursor, cursor: Cursor): boolean =>
  cursor - lastCursor > Math.max(smallest, 2 * sizeOf(path))

const smallest = 65_536

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const witnessAt = (journal: string, cursor: Cursor): string => {
  const file = openSync(journal, "r")
  const textBetween = (start: number, end: number): string => {
    const bytes = Buffer.alloc(end - start)
    return bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, start))
  }
  try {
    const tail = Math.max(0, cursor - tailLength)
    return textBetween(0, Math.min(headLength, tail)) + textBetween(tail, cursor)
  } finally {
    closeSync(file)
  }
}
