/** The selected todo of a plan: the one that has the focus. */
import { type FocusEvent, useEffect, useRef, useState } from "react"

/** What a todo shows when it is selected moves those below it, so that a press waits until it has become a click on what it began on. */
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
    // A finger gives the focus only with the mouse events that follow its own.
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
