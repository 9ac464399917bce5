/** Summaries of plans with delivered entries, which the remote store still lacks: with them, listing there need not fold. */
import { createFold } from "../../../plan/index.ts"
import { keyText } from "../../../plan/plan-key.ts"
import { type Cursor, type PlanKey, type PlanSummary, type Store, summarise } from "../../store.ts"
import type { Answered } from "../connection/within.ts"

export type OwedSummaries = {
  /** The plan was delivered up to this cursor of the remote store. */
  owe(key: PlanKey, cursor: Cursor): void
  /** Sends them until a time (`performance.now()`). */
  handOver(remote: Store, answered: Answered, until: number): Promise<void>
  forget(key: PlanKey): void
}

export const createOwedSummaries = (mirror: Store): OwedSummaries => {
  const owed = new Map<string, { key: PlanKey; cursor: Cursor }>()

  const summaryOf = async (key: PlanKey): Promise<PlanSummary> => {
    const snapshot = await mirror.readSnapshot?.(key)
    const fold = createFold(snapshot?.state)
    for (const entry of (await mirror.load(key, snapshot?.cursor)).entries) fold.add(entry)
    return summarise(key, fold)
  }

  return {
    owe: (key, cursor) => void owed.set(keyText(key), { key, cursor }),
    async handOver(remote, answered, until) {
      for (const [name, { key, cursor }] of [...owed]) {
        if (performance.now() > until) return
        owed.delete(name)
        await remote.keepSummary?.(key, await summaryOf(key), cursor)
        answered()
      }
    },
    forget: (key) => void owed.delete(keyText(key)),
  }
}
