/** The keyboard for an Ink component: used while it is mounted. */
import { useStdin } from "ink"
import { useLayoutEffect, useRef } from "react"
import { createKeyboard, type Key } from "./keyboard.ts"
import type { Timer } from "./pace.ts"

/**
 * Replaces Ink's `useInput`, which confuses Delete with Backspace and reports several keys that arrive together as one
 * text. Does nothing without a keyboard.
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
    // Runs on unmounting. Ink also unmounts after errors and signals, and when the process ends.
    return keyboard.end
  }, [stdin, isRawModeSupported, timer])
}
