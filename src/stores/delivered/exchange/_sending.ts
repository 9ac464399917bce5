/** Delivers entries of one plan to the remote store, in order and each once, and returns what is in the log there. */
import type { Entry } from "../../../plan/index.ts"
import type { Cursor, Loaded, PlanKey, Store } from "../../store.ts"
import { isRefusal } from "../connection/errors.ts"
import type { OwnEntries } from "../own-entries.ts"
import { chunksOf, hasAll } from "./_entries.ts"

/** The log after a cursor, or the whole log, marked as such. */
export type RemoteLog = { loaded: Loaded; isWhole: boolean }

export type Sending = {
  deliver(remote: Store, key: PlanKey, entries: readonly Entry[], from: Cursor | undefined): Promise<RemoteLog>
}

export type SendingOptions = {
  /** A log that was removed there is started again as it was opened here. */
  mirror: Store
  own: Pick<OwnEntries, "withEvents">
  /** Receives an entry that the remote store permanently rejects. */
  refuse: (key: PlanKey, entry: Entry, why: string) => Promise<void>
}

export const createSending = ({ mirror, own, refuse }: SendingOptions): Sending => {
  /** Entry by entry after one was rejected, so that the others are still delivered. */
  const appendSingly = async (remote: Store, key: PlanKey, entries: readonly Entry[]): Promise<void> => {
    for (const entry of entries) {
      try {
        await append(remote, key, [entry])
      } catch (cause) {
        if (!isRefusal(cause)) throw cause
        await refuse(key, entry, cause.message)
      }
    }
  }

  /** Entries that are already there, before the cursor; or the log was removed, and acknowledged entries start it again. */
  const appendMissing = async (remote: Store, key: PlanKey, entries: readonly Entry[]): Promise<Loaded> => {
    const there = await remote.load(key)
    const ids = idsOf(there.entries)
    const missing = entries.filter(({ id }) => !ids.has(id))
    if (missing.length > 0)
      await append(remote, key, there.entries.length === 0 ? await opened(key, missing) : missing, there.cursor)
    const loaded = await remote.load(key)
    // It reports them as present but does not return them: another entry may have the same id.
    const shown = idsOf(loaded.entries)
    for (const entry of missing) if (!shown.has(entry.id)) await refuse(key, entry, "It was not taken.")
    return loaded
  }

  /** A plan that is started again repeats whose it is. */
  const opened = async (key: PlanKey, [first, ...others]: readonly Entry[]): Promise<Entry[]> => {
    if (!first) return []
    if (first.events.some(({ type }) => type === "plan-opened")) return [first, ...others]
    const known = (await mirror.load(key)).entries.flatMap(({ events }) => events)
    const before = known.find(({ type }) => type === "plan-opened") ?? { type: "plan-opened" as const, ...key }
    return [own.withEvents(key, first, [before, ...first.events]), ...others]
  }

  return {
    async deliver(remote, key, entries, from) {
      try {
        const loaded = await append(remote, key, entries, from)
        if (hasAll(loaded.entries, entries)) return { loaded, isWhole: from === undefined || loaded.restarted === true }
      } catch (cause) {
        if (!isRefusal(cause)) throw cause
        await appendSingly(remote, key, entries)
        return { loaded: await remote.load(key), isWhole: true }
      }
      return { loaded: await appendMissing(remote, key, entries), isWhole: true }
    },
  }
}

const append = async (remote: Store, key: PlanKey, entries: readonly Entry[], from?: Cursor): Promise<Loaded> => {
  const read: Entry[] = []
  let last: Loaded | undefined
  let again: Pick<Loaded, "restarted" | "isReplaced"> = {}
  for (const part of remote.appendAll ? chunksOf(entries) : entries.map((entry) => [entry])) {
    const cursor: Cursor | undefined = last?.cursor ?? from
    const [first] = part
    if (!first) continue
    last = remote.appendAll ? await remote.appendAll(key, part, cursor) : await remote.append(key, first, cursor)
    if (last.restarted) {
      read.length = 0
      again = { restarted: true, ...(again.isReplaced || last.isReplaced ? { isReplaced: true } : {}) }
    }
    read.push(...last.entries)
    // Those after it would come before it.
    if (!hasAll(last.entries, part)) break
  }
  const loaded = last ?? (await remote.load(key, from))
  return { ...loaded, entries: last ? read : loaded.entries, ...again }
}

const idsOf = (entries: readonly Entry[]): Set<string> => new Set(entries.map(({ id }) => id))
