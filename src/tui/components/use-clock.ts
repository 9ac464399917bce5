/** The time, updated every second while something is active. */
import { useIsScreenReaderEnabled, useStdout } from "ink"
import { useEffect, useReducer } from "react"

/** Does not tick for a pipe or a screen reader, which get only the first frame. */
export const useClock = (now: () => Date, isRunning: boolean): Date => {
  const { stdout } = useStdout()
  const isHeard = useIsScreenReaderEnabled()
  const [, drawAnew] = useReducer((count: number) => count + 1, 0)
  const isTicking = isRunning && stdout.isTTY && !isHeard
  useEffect(() => {
    if (!isTicking) return
    const timer = setInterval(drawAnew, 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  return now()
}
