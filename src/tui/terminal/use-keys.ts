/** The keyboard for an Ink component: used while it is mounted. */
import { useStdin } from "ink"
import { useLayoutEffect, useRef } from "react"
import { createKeyboard, type Key } from "./keyboard.ts"
import type { Timer } from "./pace.ts"

/**
 * In place of Ink's `useInput`, which takes Delete for Backspace and gives several keys that arrive together as one text.
 * Without a keyboard it listens to nothing.
 */
export const useKeys = (onKey: (key: Key) => void, timer?: Timer): void => {
  const { stdin, isRawModeSupported } = useStdin()
  const latest = useRef(onKey)
  latest.current = onKey
  useLayoutEffect(() => {
    if (isRawModeSupported !== true) return
    const onKeys = (keys: readonly Key[]): void => {
      for (const key of keys) latest.current(key)
    }
    const keyboard = createKeyboard({ stdin, onKeys, timer })
    keyboard.begin()
    // On unmounting, which Ink sees to for errors, signals and the end of the process too.
    return keyboard.end
  }, [stdin, isRawModeSupported, timer])
}
