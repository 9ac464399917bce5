/** Snapshots of a joined log: they are of the mirror alone, so one is made only while nothing waits. */
import type { Store } from "../store.ts"
import { placeOf, snapshotPlace } from "./_joined-log.ts"
import type { Marks } from "./marks.ts"

export const mirrorSnapshots = (
  mirror: Store,
  marks: Marks,
): Required<Pick<Store, "readSnapshot" | "wantsSnapshot" | "writeSnapshot">> => ({
  async readSnapshot(key) {
    const snapshot = await mirror.readSnapshot?.(key)
    const problems = [...(snapshot?.problems ?? []), ...(marks.read(key)?.skipped ?? [])]
    return snapshot && { ...snapshot, cursor: snapshotPlace(snapshot.cursor), problems }
  },
  wantsSnapshot(key, cursor) {
    const { under, waiting } = placeOf(cursor)
    return under !== undefined && waiting.length === 0 && (mirror.wantsSnapshot?.(key, under) ?? false)
  },
  async writeSnapshot(key, { cursor, state }) {
    const { under, waiting } = placeOf(cursor)
    if (under && waiting.length === 0) await mirror.writeSnapshot?.(key, { cursor: under, state })
  },
})
