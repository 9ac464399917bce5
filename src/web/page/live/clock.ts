/** The current time for components that show seconds: one timer for the whole page, paused while it is hidden. */
import { useSyncExternalStore } from "react"

const listeners = new Set<() => void>()
let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined

const tick = (): void => {
  now = Date.now()
  for (const listener of [...listeners]) listener()
}

const settle = (): void => {
  const isNeeded = listeners.size > 0 && document.visibilityState === "visible"
  if (isNeeded && timer === undefined) {
    timer = setInterval(tick, 1_000)
    tick()
  }
  if (isNeeded || timer === undefined) return
  clearInterval(timer)
  timer = undefined
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  settle()
  return () => {
    listeners.delete(listener)
    settle()
  }
}

document.addEventListener("visibilitychange", settle)

/** Derives a value from the time; a component renders again only when the value changes. */
export const useClock = <Value extends string | number>(read: (now: Date) => Value): Value =>
  useSyncExternalStore(subscribe, () => read(new Date(now)))
