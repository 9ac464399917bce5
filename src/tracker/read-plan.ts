/** The current state of a kept plan, for readers: nothing is repaired, imported, published or written. */
import { createFold, type Entry, type Fold, type Ledger, type Plan, type Problem } from "../plan/index.ts"
import type { Cursor, PlanKey, Snapshot, Store } from "../stores/store.ts"

export type ReadPlan = {
  key: PlanKey
  plan: Plan
  ledger: Ledger
  /** What could not be read. */
  problems: readonly Problem[]
  /** All entries ever written, in log order. */
  entries(): Promise<Entry[]>
}

/** Reads from the snapshot on. Undefined if the plan has no entries. */
export const readPlan = async (store: Store, key: PlanKey): Promise<ReadPlan | undefined> => {
  const begun = foldFrom(await store.readSnapshot?.(key))
  const { entries, restarted, problems } = await store.load(key, begun.cursor)
  const fold = restarted ? createFold() : begun.fold
  for (const entry of entries) fold.add(entry)
  const { plan, ledger } = fold
  if (ledger.entries === 0) return undefined
  return {
    key,
    plan,
    ledger,
    problems: [...begun.problems, ...problems],
    entries: async () => (await store.load(key)).entries,
  }
}

type Begun = { fold: Fold; cursor: Cursor | undefined; problems: readonly Problem[] }

/** From the first entry on if the snapshot is of another kind. */
const foldFrom = (snapshot: Snapshot | undefined): Begun => {
  try {
    return { fold: createFold(snapshot?.state), cursor: snapshot?.cursor, problems: snapshot?.problems ?? [] }
  } catch {
    return { fold: createFold(), cursor: undefined, problems: [] }
  }
}
