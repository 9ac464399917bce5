/** How far each plan was read from the remote store: in its mark, or only in this process if cursors cannot be saved. */
import { keyText } from "../../../plan/plan-key.ts"
import type { Cursor, PlanKey, Store } from "../../store.ts"
import type { Mark } from "../marks.ts"

export type ReadPlaces = {
  /** Where to continue; undefined for the beginning. */
  from(remote: Store, key: PlanKey, mark: Mark | undefined): Cursor | undefined
  /** Records a place. Returns what the mark has to say about it. */
  keep(remote: Store, key: PlanKey, cursor: Cursor): Pick<Mark, "cursor" | "reader">
  forget(key: PlanKey): void
}

export const createReadPlaces = (): ReadPlaces => {
  /** They are valid until another process reads the plan, which the name of the reader tells. */
  const cursors = new Map<string, Cursor>()
  const reader = Math.random().toString(36).slice(2)
  return {
    from(remote, key, mark) {
      if (remote.hasPlainCursors) return mark?.cursor
      return mark?.reader === reader ? cursors.get(keyText(key)) : undefined
    },
    keep(remote, key, cursor) {
      cursors.set(keyText(key), cursor)
      return remote.hasPlainCursors ? { cursor } : { reader }
    },
    forget: (key) => void cursors.delete(keyText(key)),
  }
}
