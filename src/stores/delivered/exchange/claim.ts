/** A claim of a todo counts at once or never, so it is written only while its agent waits. */
import type { Entry } from "../../../plan/index.ts"
import type { Store } from "../../store.ts"

/**
 * Its agent is told that it failed when its time is over (`performance.now()`), unless it is `decided` by then, and only
 * has to be read back.
 */
export type Claim = { entry: Entry; until: number; decided: () => void }

export const isInTime = ({ until }: Claim): boolean => until > performance.now()

/** Something of the time is left for the answer. */
const shareOfWait = 0.8

/** The store, which writes nothing any more when the time of one of the claims is over. */
export const untilOver = (store: Store, claims: readonly Claim[]): Store => {
  const { appendAll } = store
  if (!appendAll || claims.length === 0) return store
  const left = (): number => Math.min(...claims.map(({ until }) => until)) - performance.now()
  return { ...store, appendAll: (key, entries, from) => appendAll(key, entries, from, left() * shareOfWait) }
}
