/** Rate-limits an action: the first call runs at once, the last one is guaranteed, and those in between are merged. */

export type Timer = {
  /** The milliseconds of a clock that never goes back. */
  now(): number
  /**
   * Runs something once, later, after all input received by then was read, even if the process was delayed. Returns a function that
   * cancels it.
   */
  after(milliseconds: number, run: () => void): () => void
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  after(milliseconds, run) {
    let soon: NodeJS.Immediate | undefined
    const timeout = setTimeout(() => {
      soon = setImmediate(run)
    }, milliseconds)
    return () => {
      clearTimeout(timeout)
      clearImmediate(soon)
    }
  },
}

export type Pace = {
  ask(): void
  stop(): void
}

export const createPace = (run: () => void, every: number, timer: Timer = systemTimer): Pace => {
  let last = Number.NEGATIVE_INFINITY
  let callOff: (() => void) | undefined
  const go = (): void => {
    callOff = undefined
    last = timer.now()
    run()
  }
  return {
    ask() {
      if (callOff) return
      const wait = last + every - timer.now()
      if (wait <= 0) go()
      else callOff = timer.after(wait, go)
    },
    stop() {
      callOff?.()
      callOff = undefined
    },
  }
}
