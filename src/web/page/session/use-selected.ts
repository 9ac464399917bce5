/** The selected todo of a plan: the one that has the focus. */
import { type FocusEvent, useEffect, useRef, useState } from "react"

/**
 * Selecting a todo expands it and moves the todos below. So a press selects only when it is released; otherwise the
 * click would hit another element than the one pressed.
 */
export const useSelected = () => {
  const [selected, setSelected] = useState<string>()
  const isPressed = useRef(false)
  const waiting = useRef<{ id: string | undefined }>(undefined)
  useEffect(() => {
    const stop = new AbortController()
    const options = { signal: stop.signal, capture: true }
    const press = (): void => {
      isPressed.current = true
    }
    const release = (): void => {
      // The click follows immediately.
      setTimeout(() => {
        isPressed.current = false
        if (waiting.current) setSelected(waiting.current.id)
        waiting.current = undefined
      })
    }
    // For touch, the browser moves the focus only with the mouse events that follow the pointer events.
    for (const name of ["pointerdown", "mousedown"]) addEventListener(name, press, options)
    for (const name of ["pointerup", "pointercancel", "mouseup", "dragend"]) addEventListener(name, release, options)
    return () => stop.abort()
  }, [])
  const onFocus = ({ target }: FocusEvent): void => {
    const id = target.closest("[data-todo]")?.getAttribute("data-todo") ?? undefined
    if (isPressed.current) waiting.current = { id }
    else setSelected(id)
  }
  return { selected, onFocus }
}
