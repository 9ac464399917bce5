/** Ends what takes longer than a limit. One timer serves all that is under way: a timer for each costs every statement. */

export type TimeLimit = {
  /** Calls `end` if `isOver` is not called in time. Returns `isOver`. */
  begin(end: () => void): () => void
}

type Running = { until: number; end: () => void }

/** `limit` is in milliseconds. */
export const createTimeLimit = (limit: number): TimeLimit => {
  /** The oldest first. */
  const underWay = new Set<Running>()
  let timer: NodeJS.Timeout | undefined

  const endLate = (): void => {
    timer = undefined
    for (const running of underWay) {
      const left = running.until - performance.now()
      if (left > 0) {
        timer = setTimeout(endLate, left).unref()
        return
      }
      underWay.delete(running)
      running.end()
    }
  }

  return {
    begin(end) {
      const running: Running = { until: performance.now() + limit, end }
      underWay.add(running)
      if (!timer) endLate()
      return () => void underWay.delete(running)
    },
  }
}
