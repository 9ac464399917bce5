/** Plans that live as long as the process: for tests, demos and agents that keep nothing. */
import { deepFreeze } from "../plan/frozen.ts"
import { createFold, type Entry } from "../plan/index.ts"
import { summarise } from "./_summary.ts"
import type { PlanKey, PlanSummary, Store } from "./store.ts"

type Log = { key: PlanKey; entries: Entry[] }

/** Which log, and how many entries of it: another log of the same plan is another object. */
type Place = { log: Log; count: number }

export const createMemoryStore = (): Store => {
  const logs = new Map<string, Log>()
  const listeners = new Set<(key: PlanKey) => void>()
  const nameOf = ({ session, agent }: PlanKey): string => JSON.stringify([session, agent])
  return {
    name: "memory:",
    isPersistent: false,
    async load(key, from) {
      const { log: old, count = 0 } = (from ?? {}) as Partial<Place>
      const log = logs.get(nameOf(key)) ?? { key, entries: [] }
      const isSame = log === old
      const cursor: Place = { log, count: log.entries.length }
      const entries = log.entries.slice(isSame ? count : 0)
      return { entries, cursor, problems: [], ...(count > 0 && !isSame ? { restarted: true } : {}) }
    },
    async append(key, entry, from) {
      const { count = 0 } = (from ?? {}) as Partial<Place>
      const log = logs.get(nameOf(key)) ?? { key, entries: [] }
      if (count > 0 && log.entries.length === 0) return this.load(key, from)
      logs.set(nameOf(key), log)
      // As any other store keeps it: what JSON has no form for is not kept, and no reader changes it.
      log.entries.push(deepFreeze(JSON.parse(JSON.stringify(entry)) as Entry))
      for (const listener of listeners) listener(key)
      return this.load(key, from)
    },
    async list() {
      return { plans: [...logs.values()].map(summaryOf), problems: [] }
    },
    async watch(listener) {
      listeners.add(listener)
      return async () => {
        listeners.delete(listener)
      }
    },
    async remove(key) {
      logs.delete(nameOf(key))
    },
    async sweep(condition) {
      const removed: PlanSummary[] = []
      for (const log of [...logs.values()]) {
        const summary = summaryOf(log)
        if (!condition(summary) || !condition(summaryOf(log))) continue
        logs.delete(nameOf(log.key))
        removed.push(summary)
      }
      return { removed, problems: [] }
    },
    async close() {
      listeners.clear()
    },
  }
}

const summaryOf = ({ key, entries }: Log): PlanSummary => {
  const fold = createFold()
  for (const entry of entries) fold.add(entry)
  return summarise(key, fold)
}
