/**
 * A store that keeps entries in memory while the underlying store is full, and writes them as soon as there is room.
 */
import { type Entry, HeadwayError, isHeadwayError, warning } from "../plan/index.ts"
import { createHeldEntries, type Held, type HeldEntries, hasOthersBetween } from "./_held-entries.ts"
import type { Cursor, Loaded, PlanKey, Store } from "./store.ts"

export type HoldOptions = {
  /** Milliseconds until the next attempt. @default 5000 */
  retryAfter?: number
}

/** How far the underlying store was read, and how many of the held entries. */
type Place = { under: Cursor | undefined; held: number; generation: number }

/**
 * Only for long-running processes: held entries are lost when the process ends, and `close` rejects if there are any.
 * Claims are never held, because others could claim the same todo in the meantime; they fail as usual.
 */
export const holdInMemory = (store: Store, { retryAfter = 5000 }: HoldOptions = {}): Store => {
  const held = createHeldEntries(store)
  let queue: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** One at a time: an automatic retry must not overlap with a write. */
  const inTurn = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(action)
    queue = result.catch(() => {})
    return result
  }

  const retrySoon = (): void => {
    if (timer) return
    timer = setTimeout(() => {
      timer = undefined
      void inTurn(async () => {
        await held.writeAll()
        if (held.count() > 0) retrySoon()
      }).catch(() => {})
    }, retryAfter)
    timer.unref()
  }

  const load = (key: PlanKey, from: Cursor | undefined): Promise<Loaded> =>
    loadHeld(store, held.of(key), placeOf(from), held)

  const append = async (key: PlanKey, entry: Entry, from: Cursor | undefined): Promise<Loaded> => {
    const own = held.of(key)
    if (own.entries.length > 0) await held.write(own)
    try {
      if (own.entries.length > 0) throw stillFull
      const loaded = await store.append(key, entry, placeOf(from).under)
      // Entries that were held at the last read are written now, possibly after those of others.
      return placeOf(from).held > 0 ? await load(key, from) : withHeld(loaded, own, 0, false)
    } catch (cause) {
      if (!isFull(cause) || entry.events.some(({ type }) => type === "todo-claimed")) throw cause
      const isFirst = own.entries.length === 0
      held.add(own, entry)
      retrySoon()
      const loaded = await load(key, from)
      return isFirst ? { ...loaded, problems: [...loaded.problems, heldProblem(cause)] } : loaded
    }
  }

  return {
    ...store,
    load: (key, from) => inTurn(() => load(key, from)),
    append: (key, entry, from) => inTurn(() => append(key, entry, from)),
    async position(key) {
      const position = await store.position(key)
      const { length } = held.of(key).entries
      return length === 0 ? position : `${position ?? ""}+${length}`
    },
    ...onlyOf(store, extrasOf(store, { held, inTurn, load })),
    async remove(key) {
      held.of(key).entries.length = 0
      await store.remove(key)
    },
    /** The underlying store is closed by the caller that opened it. */
    async close() {
      clearTimeout(timer)
      const count = held.count()
      if (count > 0)
        throw new HeadwayError(
          "not-written",
          `${count === 1 ? "1 change of the plan was" : `${count} changes of the plan were`} only in memory and could not be written to ${store.name}: there is still no room.`,
        )
    },
  } satisfies Store
}

/** What comes after a place in the underlying store, and then what is still held. */
const loadHeld = async (
  store: Store,
  held: Held,
  from: Place,
  { write }: Pick<HeldEntries, "write">,
): Promise<Loaded> => {
  if (held.entries.length > 0) await write(held)
  const isOld = from.held > 0 && from.generation !== held.generation
  const loaded = await store.load(held.key, isOld ? undefined : from.under)
  if (from.held > 0 && !isOld && hasOthersBetween(loaded.entries, held)) {
    held.generation += 1
    return loadHeld(store, held, from, { write })
  }
  return withHeld(loaded, held, isOld ? 0 : from.held, isOld)
}

const withHeld = (loaded: Loaded, held: Held, from: number, restarted: boolean): Loaded => {
  const { entries, generation } = held
  const place: Place = { under: loaded.cursor, held: entries.length, generation }
  const isAnew = restarted || loaded.restarted
  return {
    entries: [...loaded.entries, ...entries.slice(isAnew ? 0 : from)],
    cursor: place,
    problems: loaded.problems,
    ...(entries.length > 0 ? { unwritten: entries.length } : {}),
    ...(isAnew ? { restarted: true } : {}),
    ...(restarted && !loaded.restarted ? { isReordered: true } : {}),
  }
}

/** Optional methods exist only if the underlying store has them. */
type Extras = Pick<
  Store,
  "appendNext" | "hasMore" | "publish" | "readSnapshot" | "wantsSnapshot" | "writeSnapshot" | "keepSummary"
>

type Parts = {
  held: HeldEntries
  inTurn: <Result>(action: () => Promise<Result>) => Promise<Result>
  load: (key: PlanKey, from: Cursor | undefined) => Promise<Loaded>
}

const extrasOf = (store: Store, { held, inTurn, load }: Parts): Extras => ({
  appendNext: (key, entry, from) =>
    inTurn(async () => {
      const place = placeOf(from)
      // The caller decides again, and appends.
      if (!store.appendNext || held.isHolding(key) || place.held > 0) return load(key, from)
      try {
        return withHeld(await store.appendNext(key, entry, place.under), held.of(key), 0, false)
      } catch (cause) {
        if (!isFull(cause)) throw cause
        return load(key, from)
      }
    }),
  hasMore: (key, cursor) => {
    const { under, held: read, generation } = placeOf(cursor)
    const { entries, generation: now } = held.of(key)
    if (entries.length > 0 || read > 0 || generation !== now || !under) return true
    return store.hasMore?.(key, under) ?? true
  },
  publish: (key, plan, change) =>
    inTurn(async () => {
      if (!held.isHolding(key)) return store.publish?.(key, plan, change)
      held.of(key).unpublished = plan
      return undefined
    }),
  async readSnapshot(key) {
    const snapshot = await store.readSnapshot?.(key)
    return snapshot && { ...snapshot, cursor: { under: snapshot.cursor, held: 0, generation: 0 } satisfies Place }
  },
  wantsSnapshot: (key, cursor) => {
    const { under } = placeOf(cursor)
    return under !== undefined && !held.isHolding(key) && (store.wantsSnapshot?.(key, under) ?? false)
  },
  async writeSnapshot(key, { cursor, state }) {
    const { under } = placeOf(cursor)
    if (under && !held.isHolding(key)) await store.writeSnapshot?.(key, { cursor: under, state })
  },
  async keepSummary(key, summary, cursor) {
    const { under } = placeOf(cursor)
    if (under && !held.isHolding(key)) await store.keepSummary?.(key, summary, under)
  },
})

const onlyOf = (store: Store, extras: Extras): Extras =>
  Object.fromEntries(Object.entries(extras).filter(([name]) => store[name as keyof Extras] !== undefined))

const stillFull = new HeadwayError("store-full", "There is still no room.")

const isFull = (cause: unknown): cause is HeadwayError => isHeadwayError(cause) && cause.code === "store-full"

const heldProblem = ({ message }: HeadwayError) =>
  warning("kept-in-memory", `${message} The plan is kept in memory and written as soon as there is room.`)

const placeOf = (cursor: Cursor | undefined): Place =>
  cursor && "held" in cursor ? (cursor as Place) : { under: undefined, held: 0, generation: 0 }
