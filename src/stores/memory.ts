/** Plans in memory, which end with the process: for tests, demos and agents without storage. */
import { deepFreeze } from "../plan/frozen.ts"
import { createFold, type Entry } from "../plan/index.ts"
import { keyText } from "../plan/plan-key.ts"
import { selectPlans, summarise } from "./_summary.ts"
import type { PlanKey, PlanSummary, Store } from "./store.ts"

type Log = {
  key: PlanKey
  /** Unique to this log, even among later logs of the same plan. */
  number: number
  entries: Entry[]
  /** The plan after this many entries. */
  kept?: { summary: PlanSummary; count: number }
}

/** Which log, and how many entries of it: another log of the same plan is another object. */
type Place = { log: Log; count: number }

export const createMemoryStore = (): Store => {
  const logs = new Map<string, Log>()
  const listeners = new Set<(key: PlanKey) => void>()
  let begun = 0
  const logOf = (key: PlanKey): Log => logs.get(keyText(key)) ?? { key, number: begun, entries: [] }
  const changed = (key: PlanKey): void => {
    for (const listener of listeners) listener(key)
  }
  const drop = (key: PlanKey): void => {
    if (logs.delete(keyText(key))) changed(key)
  }
  return {
    name: "memory:",
    isPersistent: false,
    async load(key, from) {
      const { log: old, count = 0 } = (from ?? {}) as Partial<Place>
      const log = logOf(key)
      const isSame = log === old
      const cursor: Place = { log, count: log.entries.length }
      const entries = log.entries.slice(isSame ? count : 0)
      return { entries, cursor, problems: [], ...(count > 0 && !isSame ? { restarted: true } : {}) }
    },
    async append(key, entry, from) {
      const { count = 0 } = (from ?? {}) as Partial<Place>
      const log = logOf(key)
      if (count > 0 && log.entries.length === 0) return this.load(key, from)
      if (log.entries.length === 0) begun += 1
      logs.set(keyText(key), log)
      // Converted through JSON and frozen, like in any other store.
      log.entries.push(deepFreeze(JSON.parse(JSON.stringify(entry)) as Entry))
      changed(key)
      return this.load(key, from)
    },
    async list(filter) {
      return { plans: selectPlans([...logs.values()].map(summaryOf), filter), problems: [] }
    },
    async position(key) {
      const log = logs.get(keyText(key))
      return log && positionOf(log)
    },
    async keepSummary(key, summary, cursor) {
      const { log, count } = cursor as Place
      if (logs.get(keyText(key)) === log) log.kept = { summary, count }
    },
    async watch(listener) {
      listeners.add(listener)
      return async () => {
        listeners.delete(listener)
      }
    },
    async remove(key) {
      drop(key)
    },
    async sweep(condition) {
      const removed: PlanSummary[] = []
      for (const log of [...logs.values()]) {
        const summary = summaryOf(log)
        if (!condition(summary, positionOf(log)) || !condition(summaryOf(log), positionOf(log))) continue
        drop(log.key)
        removed.push(summary)
      }
      return { removed, problems: [] }
    },
    async close() {
      listeners.clear()
    },
  }
}

const positionOf = ({ number, entries }: Log): string => `${number}/${entries.length}`

const summaryOf = ({ key, entries, kept }: Log): PlanSummary => {
  if (kept?.count === entries.length) return kept.summary
  const fold = createFold()
  for (const entry of entries) fold.add(entry)
  return summarise(key, fold)
}
