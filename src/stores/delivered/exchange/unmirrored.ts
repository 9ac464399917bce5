/** Logs that were read and cannot be written to the mirror, because its home is full or read-only: kept while the process runs. */
import type { Entry } from "../../../plan/index.ts"
import { keyText } from "../../../plan/plan-key.ts"
import type { PlanKey, Store } from "../../store.ts"

export type Unmirrored = {
  keep(key: PlanKey, entries: readonly Entry[]): void
  /** The mirror has the log again. */
  forget(key: PlanKey): void
  /** The mirror, with these logs instead of its own. */
  over(mirror: Store): Store
}

export const createUnmirrored = (): Unmirrored => {
  const logs = new Map<string, readonly Entry[]>()
  return {
    keep: (key, entries) => void logs.set(keyText(key), entries),
    forget: (key) => void logs.delete(keyText(key)),
    over: (mirror) => ({
      ...mirror,
      async load(key, from) {
        const entries = logs.get(keyText(key))
        if (!entries) return mirror.load(key, from)
        // There is no cursor in them: a reader that continues gets all of them again.
        const { cursor, problems } = await mirror.load(key)
        return { entries: [...entries], cursor, problems, ...(from ? { restarted: true } : {}) }
      },
      hasMore: (key, from) => logs.has(keyText(key)) || (mirror.hasMore?.(key, from) ?? true),
    }),
  }
}
