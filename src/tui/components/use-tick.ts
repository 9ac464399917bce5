/** The step of an animation: the host's, or the component's own if output is a terminal. */
import { useIsScreenReaderEnabled, useStdout } from "ink"
import { useEffect, useState } from "react"

const milliseconds = 160

/** Counts up while the component is shown in a terminal. A pipe or a screen reader gets only the first frame. */
export const useTick = (given: number | undefined): number => {
  const { stdout } = useStdout()
  const isHeard = useIsScreenReaderEnabled()
  const [tick, setTick] = useState(0)
  const isRunning = given === undefined && stdout.isTTY && !isHeard
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => setTick((count) => count + 1), milliseconds)
    return () => clearInterval(timer)
  }, [isRunning])
  return given ?? tick
}
