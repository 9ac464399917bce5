/** Plans that live as long as the process: for tests, demos and agents that keep nothing. */
import { createFold, type Entry } from "../plan/index.ts"
import { summarise } from "./_summary.ts"
import type { PlanKey, Store } from "./store.ts"

export const createMemoryStore = (): Store => {
  const logs = new Map<string, { key: PlanKey; entries: Entry[] }>()
  const listeners = new Set<(key: PlanKey) => void>()
  const nameOf = ({ session, agent }: PlanKey): string => JSON.stringify([session, agent])
  return {
    name: "memory:",
    isPersistent: false,
    async load(key, from = 0) {
      const entries = logs.get(nameOf(key))?.entries ?? []
      return { entries: entries.slice(from), cursor: entries.length, problems: [] }
    },
    async append(key, entry, from = 0) {
      const log = logs.get(nameOf(key)) ?? { key, entries: [] }
      logs.set(nameOf(key), log)
      log.entries.push(structuredClone(entry))
      for (const listener of listeners) listener(key)
      return this.load(key, from)
    },
    async list() {
      const plans = [...logs.values()].map(({ key, entries }) => {
        const fold = createFold()
        for (const entry of entries) fold.add(entry)
        return summarise(key, fold)
      })
      return { plans, problems: [] }
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
    async close() {
      listeners.clear()
    },
  }
}
