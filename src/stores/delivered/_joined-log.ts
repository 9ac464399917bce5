/** A plan's log as read here: the mirror of the remote store, followed by the waiting entries. */
import type { Entry } from "../../plan/index.ts"
import type { Cursor, Loaded, PlanKey, Store } from "../store.ts"
import type { Marks } from "./marks.ts"
import type { Outbox } from "./outbox.ts"

/** How far the mirror was read, and which waiting entries were read after it. */
export type JoinedPlace = {
  under: Cursor | undefined
  waiting: readonly string[]
  outbox: Cursor | undefined
  /** Whether anything was read up to there. */
  isBegun: boolean
}

export type JoinedLog = {
  load(key: PlanKey, from?: Cursor): Promise<Loaded>
  hasMore(key: PlanKey, from: Cursor): boolean
}

/** `marks` know what the remote store has and the mirror lacks, because it could not be read. */
export const joinLogs = (mirror: Store, outbox: Outbox, marks: Marks): JoinedLog => ({
  async load(key, from) {
    const place = placeOf(from)
    const withSkipped = (loaded: Loaded): Loaded => ({
      ...loaded,
      problems: [...loaded.problems, ...(marks.read(key)?.skipped ?? [])],
    })
    // Waiting entries are read first: those delivered in the meantime are then in the mirror, and duplicates count
    // once.
    const { entries: waiting, cursor } = await outbox.waiting(key)
    const loaded = await mirror.load(key, place.under)
    const joined = joinedOf(loaded.entries, waiting)
    if (!loaded.restarted && startsWith(joined, place.waiting))
      return answer(
        place.under ? loaded : withSkipped(loaded),
        joined.slice(place.waiting.length),
        waiting,
        cursor,
        place.isBegun,
      )
    const whole = withSkipped(place.under ? await mirror.load(key) : loaded)
    const all = joinedOf(whole.entries, waiting)
    const ids = new Set(all.map(({ id }) => id))
    // Waiting entries that were read are still there, with others before them: nothing is reported twice.
    const isReordered = !loaded.restarted && place.waiting.every((id) => ids.has(id))
    return {
      ...answer(whole, all, waiting, cursor, false),
      restarted: true,
      ...(isReordered ? { isReordered } : {}),
    }
  },
  hasMore(key, from) {
    const { under, outbox: cursor } = placeOf(from)
    if (!under || (mirror.hasMore?.(key, under) ?? true)) return true
    return cursor ? (outbox.store.hasMore?.(key, cursor) ?? true) : !outbox.isEmpty()
  },
})

const answer = (
  loaded: Loaded,
  entries: Entry[],
  waiting: readonly Entry[],
  outbox: Cursor | undefined,
  wasBegun: boolean,
): Loaded & { cursor: JoinedPlace } => {
  const inMirror = new Set(loaded.entries.map(({ id }) => id))
  const behind = waiting.flatMap(({ id }) => (inMirror.has(id) ? [] : [id]))
  const isBegun = wasBegun || entries.length > 0
  return { entries, problems: loaded.problems, cursor: { under: loaded.cursor, waiting: behind, outbox, isBegun } }
}

const joinedOf = (mirrored: readonly Entry[], waiting: readonly Entry[]): Entry[] => {
  if (waiting.length === 0) return [...mirrored]
  const known = new Set(mirrored.map(({ id }) => id))
  return [...mirrored, ...waiting.filter(({ id }) => !known.has(id))]
}

const startsWith = (entries: readonly Entry[], ids: readonly string[]): boolean =>
  ids.every((id, index) => entries[index]?.id === id)

export const placeOf = (cursor: Cursor | undefined): JoinedPlace =>
  cursor && "waiting" in cursor
    ? (cursor as JoinedPlace)
    : { under: undefined, waiting: [], outbox: undefined, isBegun: false }

/** A snapshot is of the mirror alone. */
export const snapshotPlace = (under: Cursor): JoinedPlace => ({ under, waiting: [], outbox: undefined, isBegun: true })
