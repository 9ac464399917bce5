/** Reads what others wrote to a plan, unless what is here is fresh enough. */
import { keyText } from "../../plan/plan-key.ts"
import type { PlanKey, Store } from "../store.ts"
import { isCarried } from "./connection/note.ts"
import type { DeliveryFolder } from "./folder.ts"
import type { Marks } from "./marks.ts"

export type RefreshOptions = {
  folder: DeliveryFolder
  mirror: Store
  marks: Marks
  /** Whether every change of the remote store is noticed in this process. */
  isWatching: () => boolean
  /** Whether the plan is being exchanged, and its copy changes. */
  isUnderWay: (key: PlanKey) => boolean
  /** Data read this many milliseconds ago is fresh enough. */
  freshFor: number
  /** Milliseconds after which this process asks for the same plan again. */
  againAfter: number
  exchange: (key: PlanKey) => Promise<unknown>
}

export const createRefresh = (options: RefreshOptions): ((key: PlanKey) => Promise<void>) => {
  const { folder, mirror, marks, isWatching, isUnderWay, freshFor, againAfter, exchange } = options
  /** When this process last asked for a plan, by a clock that is never set. */
  const asked = new Map<string, number>()

  const isFresh = (key: PlanKey): boolean => {
    const last = asked.get(keyText(key))
    if (last !== undefined && (isWatching() || performance.now() - last < againAfter)) return true
    const age = marks.age(key)
    return age !== undefined && (age < freshFor || isCarried(folder))
  }

  /** Whether the copy here is another one than was written last: it was removed, truncated or damaged. */
  const isCopyOther = async (key: PlanKey): Promise<boolean> => {
    if (isUnderWay(key)) return false
    const mark = marks.read(key)
    return mark ? mark.mirror !== (await mirror.position(key)) : marks.age(key) !== undefined
  }

  return async (key) => {
    if (isFresh(key) && !(await isCopyOther(key))) return
    asked.set(keyText(key), performance.now())
    await exchange(key)
  }
}
