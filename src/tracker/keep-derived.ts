/** Gives the store what it may keep next to a log: with a summary listing is faster, with a snapshot opening is. */
import { type Fold, messageOf, type Problem, warning } from "../plan/index.ts"
import { type Cursor, type PlanKey, type Store, summarise } from "../stores/store.ts"

export type Derived = { store: Store; key: PlanKey; fold: Fold; cursor: Cursor | undefined }

/** Nothing else depends on either, so failures are only reported. */
export const keepDerived = async (
  { store, key, fold, cursor }: Derived,
  onProblem: (problem: Problem) => void,
): Promise<void> => {
  if (!cursor) return
  try {
    await store.keepSummary?.(key, summarise(key, fold), cursor)
  } catch (cause) {
    onProblem(warning("no-summary", messageOf(cause)))
  }
  if (!store.wantsSnapshot?.(key, cursor)) return
  try {
    await store.writeSnapshot?.(key, { cursor, state: fold.snapshot() })
  } catch (cause) {
    onProblem(warning("no-snapshot", messageOf(cause)))
  }
}
