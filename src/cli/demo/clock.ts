/** The clock of a recording: it runs at a chosen speed, or jumps from one moment to the next. */
import { setTimeout as sleep } from "node:timers/promises"

export type Clock = {
  /** In seconds of the recording. */
  readonly position: number
  /** Resolves when the recording is there. Rejects when the signal is given first. */
  until(at: number, signal?: AbortSignal): Promise<void>
}

/** Without waiting: the next moment is now. */
export const createJumpingClock = (): Clock => {
  let position = 0
  return {
    get position() {
      return position
    },
    async until(at) {
      position = at
    },
  }
}

/** Begins to run when second 0 is passed; before that it jumps. `wall` is in milliseconds. */
export const createRunningClock = (speed: number, wall: () => number): Clock => {
  let began: number | undefined
  let position = 0
  const here = (): number => (began === undefined ? position : ((wall() - began) / 1000) * speed)
  return {
    get position() {
      return here()
    },
    async until(at, signal) {
      if (at <= 0) {
        position = at
        return
      }
      began ??= wall()
      const left = ((at - here()) / speed) * 1000
      if (left > 0) await sleep(left, undefined, { signal })
      signal?.throwIfAborted()
    },
  }
}
