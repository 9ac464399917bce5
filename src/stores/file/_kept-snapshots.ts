/** The snapshots of a home's plans, and how far each of them reaches. */
import { existsSync, unlinkSync } from "node:fs"
import type { Store } from "../store.ts"
import { orExplain } from "./_explained.ts"
import type { HomeFolders } from "./_home-folders.ts"
import { cursorOf } from "./_journal.ts"
import type { PlanFiles } from "./_plan-files.ts"
import { isSnapshotDue, type KnownSnapshot, loadSnapshot, noSnapshot, saveSnapshot } from "./_snapshots.ts"

type KeptSnapshots = Required<Pick<Store, "wantsSnapshot" | "readSnapshot" | "writeSnapshot">>

export const createKeptSnapshots = (folders: HomeFolders, files: PlanFiles): KeptSnapshots => {
  const { isReadOnly, localTemporary } = folders
  /** By their paths. */
  const known = new Map<string, KnownSnapshot>()
  return {
    wantsSnapshot: (key, cursor) =>
      !isReadOnly && isSnapshotDue(known.get(files.of(key).snapshot) ?? noSnapshot, cursorOf(cursor)),
    async readSnapshot(key) {
      const { snapshot: path, journal, record } = files.of(key)
      const { snapshot, size } = loadSnapshot(path, journal)
      known.set(path, { offset: cursorOf(snapshot?.cursor).offset, size })
      // Revisions count from the start of a journal, so those of another journal say nothing about the list.
      if (!snapshot && !isReadOnly && existsSync(record)) removeIfAllowed(record)
      return snapshot
    },
    async writeSnapshot(key, { cursor, state }) {
      const path = files.of(key).snapshot
      const journalCursor = cursorOf(cursor)
      const reach = { offset: journalCursor.offset, size: known.get(path)?.size ?? 0 }
      // A snapshot that cannot be written is not retried with every entry.
      known.set(path, reach)
      reach.size = orExplain(path, "written", () => saveSnapshot(path, journalCursor, state, localTemporary))
    },
  }
}

/** In a cache that cannot be written it stays. */
const removeIfAllowed = (path: string): void => {
  try {
    unlinkSync(path)
  } catch {}
}
