/**
 * A store that keeps entries in memory while the underlying store is full, and writes them as soon as there is room.
 */
import { deepFreeze } from "../plan/frozen.ts"
import { type Entry, HeadwayError, isHeadwayError, type Plan, warning } from "../plan/index.ts"
import type { Cursor, Loaded, PlanKey, Store } from "./store.ts"

export type HoldOptions = {
  /** Milliseconds until the next attempt. @default 5000 */
  retryAfter?: number
}

/** The entries of one plan that are not written yet, in their order. */
type Held = {
  key: PlanKey
  entries: Entry[]
  /** The ids of all that were ever held. */
  ids: Set<string>
  /** Increases when entries of other processes came in between, which changes the order of what was read. */
  generation: number
  /** The list that was to be published meanwhile. */
  unpublished: Plan | undefined
}

/** How far the underlying store was read, and how many of the held entries. */
type Place = { under: Cursor | undefined; held: number; generation: number }

/**
 * Only for long-running processes: held entries are lost when the process ends, and `close` rejects if there are any.
 * Claims are never held, because others could claim the same todo in the meantime; they fail as usual.
 */
export const holdInMemory = (store: Store, { retryAfter = 5000 }: HoldOptions = {}): Store => {
  const plans = new Map<string, Held>()
  let queue: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** One at a time: an automatic retry must not overlap with a write. */
  const inTurn = <Result>(action: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(action)
    queue = result.catch(() => {})
    return result
  }

  const heldOf = (key: PlanKey): Held => {
    const name = JSON.stringify([key.session, key.agent])
    const held = plans.get(name) ?? { key, entries: [], ids: new Set(), generation: 0, unpublished: undefined }
    plans.set(name, held)
    return held
  }
  const isHolding = (key: PlanKey): boolean => heldOf(key).entries.length > 0

  /** Writes the held entries in order, as far as there is room. */
  const writeHeld = async (held: Held): Promise<void> => {
    while (held.entries[0]) {
      if (!(await isWritten(held.key, held.entries[0]))) return
      held.entries.shift()
    }
    const { key, unpublished } = held
    held.unpublished = undefined
    if (unpublished) await store.publish?.(key, unpublished)
  }

  /** A failed write may have left part of a line. The log is read first, so that the entry gets its own line. */
  const isWritten = async (key: PlanKey, entry: Entry): Promise<boolean> => {
    try {
      for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
        const { cursor } = await store.load(key)
        // It may already be there without being durable; a duplicate has no effect.
        if (isAmong((await store.append(key, entry, cursor)).entries, entry)) return true
      }
      return false
    } catch {
      return false
    }
  }

  const retrySoon = (): void => {
    if (timer) return
    timer = setTimeout(() => {
      timer = undefined
      void inTurn(async () => {
        for (const held of plans.values()) if (held.entries.length > 0) await writeHeld(held)
        if ([...plans.values()].some(({ entries }) => entries.length > 0)) retrySoon()
      }).catch(() => {})
    }, retryAfter)
    timer.unref()
  }

  const load = async (key: PlanKey, from: Place): Promise<Loaded> => {
    const held = heldOf(key)
    if (held.entries.length > 0) await writeHeld(held)
    const isOld = from.held > 0 && from.generation !== held.generation
    const loaded = await store.load(key, isOld ? undefined : from.under)
    if (from.held > 0 && !isOld && hasOthersBetween(loaded.entries, held)) {
      held.generation += 1
      return load(key, from)
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

  return {
    ...store,
    load: (key, from) => inTurn(() => load(key, placeOf(from))),
    append: (key, entry, from) =>
      inTurn(async () => {
        const held = heldOf(key)
        if (held.entries.length > 0) await writeHeld(held)
        try {
          if (held.entries.length > 0) throw stillFull
          const place = placeOf(from)
          const loaded = await store.append(key, entry, place.under)
          // Entries that were held at the last read are written now, possibly after those of others.
          return place.held > 0 ? await load(key, place) : withHeld(loaded, held, 0, false)
        } catch (cause) {
          if (!isFull(cause) || entry.events.some(({ type }) => type === "todo-claimed")) throw cause
          const isFirst = held.entries.length === 0
          // Converted through JSON and frozen, as any other store would return it.
          held.ids.add(entry.id)
          held.entries.push(deepFreeze(JSON.parse(JSON.stringify(entry)) as Entry))
          retrySoon()
          const loaded = await load(key, placeOf(from))
          return isFirst ? { ...loaded, problems: [...loaded.problems, heldProblem(cause)] } : loaded
        }
      }),
    async position(key) {
      const position = await store.position(key)
      const { length } = heldOf(key).entries
      return length === 0 ? position : `${position ?? ""}+${length}`
    },
    ...onlyOf(store, {
      appendNext: (key, entry, from) =>
        inTurn(async () => {
          const place = placeOf(from)
          // The caller decides again, and appends.
          if (!store.appendNext || isHolding(key) || place.held > 0) return load(key, place)
          try {
            return withHeld(await store.appendNext(key, entry, place.under), heldOf(key), 0, false)
          } catch (cause) {
            if (!isFull(cause)) throw cause
            return load(key, place)
          }
        }),
      hasMore: (key, cursor) => {
        const { under, held, generation } = placeOf(cursor)
        const { entries, generation: now } = heldOf(key)
        if (entries.length > 0 || held > 0 || generation !== now || !under) return true
        return store.hasMore?.(key, under) ?? true
      },
      publish: (key, plan, change) =>
        inTurn(async () => {
          if (!isHolding(key)) return store.publish?.(key, plan, change)
          heldOf(key).unpublished = plan
          return undefined
        }),
      async readSnapshot(key) {
        const snapshot = await store.readSnapshot?.(key)
        return snapshot && { ...snapshot, cursor: { under: snapshot.cursor, held: 0, generation: 0 } satisfies Place }
      },
      wantsSnapshot: (key, cursor) => {
        const { under } = placeOf(cursor)
        return under !== undefined && !isHolding(key) && (store.wantsSnapshot?.(key, under) ?? false)
      },
      async writeSnapshot(key, { cursor, state }) {
        const { under } = placeOf(cursor)
        if (under && !isHolding(key)) await store.writeSnapshot?.(key, { cursor: under, state })
      },
      async keepSummary(key, summary, cursor) {
        const { under } = placeOf(cursor)
        if (under && !isHolding(key)) await store.keepSummary?.(key, summary, under)
      },
    }),
    async remove(key) {
      heldOf(key).entries.length = 0
      await store.remove(key)
    },
    /** The underlying store is closed by the caller that opened it. */
    async close() {
      clearTimeout(timer)
      const count = [...plans.values()].reduce((sum, { entries }) => sum + entries.length, 0)
      if (count > 0)
        throw new HeadwayError(
          "not-written",
          `${count === 1 ? "1 change of the plan was" : `${count} changes of the plan were`} only in memory and could not be written to ${store.name}: there is still no room.`,
        )
    },
  } satisfies Store
}

/** Optional methods exist only if the underlying store has them. */
type Extras = Pick<
  Store,
  "appendNext" | "hasMore" | "publish" | "readSnapshot" | "wantsSnapshot" | "writeSnapshot" | "keepSummary"
>

const onlyOf = (store: Store, extras: Extras): Extras =>
  Object.fromEntries(Object.entries(extras).filter(([name]) => store[name as keyof Extras] !== undefined))

const mostAttempts = 3

const stillFull = new HeadwayError("store-full", "There is still no room.")

const isFull = (cause: unknown): cause is HeadwayError => isHeadwayError(cause) && cause.code === "store-full"

/** Whether other processes' entries come before the held ones, although the held ones were read first. */
const hasOthersBetween = (entries: readonly Entry[], held: Held): boolean => {
  const isOurs = ({ id }: Entry): boolean => held.ids.has(id)
  const end = held.entries.length > 0 ? entries.length : entries.findLastIndex(isOurs) + 1
  return !entries.slice(0, end).every(isOurs)
}

const isAmong = (entries: readonly Entry[], { id }: Entry): boolean => entries.some((entry) => entry.id === id)

const heldProblem = ({ message }: HeadwayError) =>
  warning("kept-in-memory", `${message} The plan is kept in memory and written as soon as there is room.`)

const placeOf = (cursor: Cursor | undefined): Place =>
  cursor && "held" in cursor ? (cursor as Place) : { under: undefined, held: 0, generation: 0 }
