/** The plans that are to be exchanged next, and those that are left alone for a while. */
import { keyText } from "../../../plan/plan-key.ts"
import type { PlanKey } from "../../store.ts"

export type DuePlans = {
  add(key: PlanKey): void
  /** Adds a plan because of entries to deliver, unless this user may not deliver them. */
  addUndelivered(key: PlanKey): void
  /** Each plan that is not left alone, which is then no longer due. */
  take(): Iterable<PlanKey>
  /** The log of the plan takes nothing there: it is left alone for a while. */
  pause(key: PlanKey): void
  /** This user may not deliver its entries, which is not tried for a while. It is read all the same. */
  holdBack(key: PlanKey): void
  isEmpty(): boolean
  isAnyPaused(): boolean
}

/** In milliseconds. */
const pauseOfOne = 30_000

export const createDuePlans = (): DuePlans => {
  const due = new Map<string, PlanKey>()
  /** Until when. */
  const paused = new Map<string, number>()
  const heldBack = new Map<string, number>()

  const add = (key: PlanKey): void => void due.set(keyText(key), key)

  return {
    add,
    addUndelivered(key) {
      if (!isAhead(heldBack.get(keyText(key)))) add(key)
    },
    *take() {
      for (const [name, key] of [...due]) {
        due.delete(name)
        if (isAhead(paused.get(name))) continue
        paused.delete(name)
        heldBack.delete(name)
        yield key
      }
    },
    pause: (key) => void paused.set(keyText(key), performance.now() + pauseOfOne),
    holdBack: (key) => void heldBack.set(keyText(key), performance.now() + pauseOfOne),
    isEmpty: () => due.size === 0,
    isAnyPaused: () => paused.size > 0,
  }
}

const isAhead = (time: number | undefined): boolean => time !== undefined && performance.now() < time
