/** The entries that are held in memory for a full store, in the order in which they are to be written. */
import { deepFreeze } from "../plan/frozen.ts"
import type { Entry, Plan } from "../plan/index.ts"
import type { PlanKey, Store } from "./store.ts"

/** The entries of one plan that are not written yet, in their order. */
export type Held = {
  key: PlanKey
  entries: Entry[]
  /** The ids of all that were ever held. */
  ids: Set<string>
  /** Increases when entries of other processes came in between, which changes the order of what was read. */
  generation: number
  /** The list that was to be published meanwhile. */
  unpublished: Plan | undefined
}

export type HeldEntries = {
  of(key: PlanKey): Held
  isHolding(key: PlanKey): boolean
  add(held: Held, entry: Entry): void
  /** Writes what is held of one plan in order, as far as there is room. */
  write(held: Held): Promise<void>
  /** Writes what is held of all plans, in the same way. */
  writeAll(): Promise<void>
  /** The number of entries of all plans. */
  count(): number
}

export const createHeldEntries = (store: Store): HeldEntries => {
  const plans = new Map<string, Held>()

  const of = (key: PlanKey): Held => {
    const name = JSON.stringify([key.session, key.agent])
    const held = plans.get(name) ?? { key, entries: [], ids: new Set(), generation: 0, unpublished: undefined }
    plans.set(name, held)
    return held
  }

  const write = async (held: Held): Promise<void> => {
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

  return {
    of,
    isHolding: (key) => of(key).entries.length > 0,
    add({ ids, entries }, entry) {
      ids.add(entry.id)
      // Converted through JSON and frozen, as any other store would return it.
      entries.push(deepFreeze(JSON.parse(JSON.stringify(entry)) as Entry))
    },
    write,
    async writeAll() {
      for (const held of plans.values()) if (held.entries.length > 0) await write(held)
    },
    count: () => [...plans.values()].reduce((sum, { entries }) => sum + entries.length, 0),
  }
}

const mostAttempts = 3

/** Whether other processes' entries come before the held ones, although the held ones were read first. */
export const hasOthersBetween = (entries: readonly Entry[], held: Held): boolean => {
  const isOurs = ({ id }: Entry): boolean => held.ids.has(id)
  const end = held.entries.length > 0 ? entries.length : entries.findLastIndex(isOurs) + 1
  return !entries.slice(0, end).every(isOurs)
}

const isAmong = (entries: readonly Entry[], { id }: Entry): boolean => entries.some((entry) => entry.id === id)
