/** Keeps the mirror of one plan the same as its log in the remote store. */
import { type Entry, HeadwayError } from "../../../plan/index.ts"
import { keyText } from "../../../plan/plan-key.ts"
import type { FileStore } from "../../file/index.ts"
import type { Cursor, Loaded, PlanKey, Store } from "../../store.ts"
import { chunksOf, hasAll, onceEach } from "./_entries.ts"
import type { RemoteLog } from "./_sending.ts"

/** How many entries were new here, and whether the mirror was written from the beginning. */
export type Taken = { read: number; isRestarted: boolean }

/** What is in the mirror now. */
export type Kept = { loaded: Loaded; taken: Taken }

export type MirrorCopy = {
  /** Adds what was read to the mirror, or writes all of it again where the mirror is another log. */
  take(remote: Store, key: PlanKey, log: RemoteLog): Promise<Kept>
  /** Where the mirror ends is looked up again. */
  forget(key: PlanKey): void
}

export type MirrorCopyOptions = {
  mirror: FileStore
  /** Receives an entry that is here and no longer there. */
  refuse: (key: PlanKey, entry: Entry, why: string) => Promise<void>
}

const mostAttempts = 3

export const createMirrorCopy = ({ mirror, refuse }: MirrorCopyOptions): MirrorCopy => {
  const ends = new Map<string, Cursor>()

  const endOf = async (key: PlanKey): Promise<Cursor> =>
    ends.get(keyText(key)) ?? (await mirror.load(key, (await mirror.readSnapshot?.(key))?.cursor)).cursor

  const add = async (key: PlanKey, entries: readonly Entry[], from: Cursor | undefined): Promise<boolean> => {
    let cursor = from
    for (const part of chunksOf(entries)) {
      const loaded = await mirror.appendLines(key, part, cursor)
      cursor = loaded.cursor
      ends.set(keyText(key), cursor)
      if (!hasAll(loaded.entries, part)) return false
    }
    return true
  }

  /** Undefined if the mirror was replaced meanwhile, as below. */
  const takeNew = async (key: PlanKey, { entries }: Loaded): Promise<Taken | undefined> => {
    if (entries.length === 0) return { read: 0, isRestarted: false }
    return (await add(key, entries, await endOf(key))) ? { read: entries.length, isRestarted: false } : undefined
  }

  const takeWhole = async (key: PlanKey, { entries, isReplaced = false }: Loaded): Promise<Taken | undefined> => {
    const known = await mirror.load(key)
    const [here, there] = [onceEach(known.entries), onceEach(entries)]
    // Another process may have read more by now. Of a log that is gone nothing is left there.
    const both = isReplaced || there.length === 0 ? here.length : Math.min(here.length, there.length)
    const isReadable = known.problems.length === 0
    const isSame = isReadable && here.slice(0, both).every(({ id }, index) => there[index]?.id === id)
    if (!isSame) {
      if (isReplaced) await keepLost(key, here, there)
      await mirror.remove(key)
    }
    const fresh = isSame ? there.slice(here.length) : there
    const isTaken = fresh.length === 0 || (await add(key, fresh, isSame ? known.cursor : undefined))
    return isTaken ? { read: fresh.length, isRestarted: !isSame } : undefined
  }

  /** Entries that were delivered and are missing there: this may be the only remaining copy. */
  const keepLost = async (key: PlanKey, here: readonly Entry[], there: readonly Entry[]): Promise<void> => {
    const ids = new Set(there.map(({ id }) => id))
    for (const entry of here) if (!ids.has(entry.id)) await refuse(key, entry, "It no longer exists.")
  }

  const takeAgain = async (remote: Store, key: PlanKey): Promise<Kept> => {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      ends.delete(keyText(key))
      const loaded = await remote.load(key)
      const taken = await takeWhole(key, loaded)
      if (taken) return { loaded, taken: { ...taken, isRestarted: true } }
    }
    throw new HeadwayError("store-failed", `A plan from ${remote.name} could not be written to ${mirror.name}.`)
  }

  return {
    async take(remote, key, { loaded, isWhole }) {
      const taken = await (isWhole ? takeWhole : takeNew)(key, loaded)
      return taken ? { loaded, taken } : takeAgain(remote, key)
    },
    forget: (key) => void ends.delete(keyText(key)),
  }
}
