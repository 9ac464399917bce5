/** Keeps the keyboard focus in a plan when the focused todo moves or disappears. */
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react"

export const useKeptFocus = (place: RefObject<HTMLElement | null>, shown: unknown): void => {
  const last = useRef<{ todo: string; index: number }>(undefined)
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    // When an element moves, the browser drops its focus without an event. Focus events mean that the person moved it.
    const take = ({ target }: Event): void => {
      const row = target instanceof Element && place.current?.contains(target) ? target.closest("[data-todo]") : null
      last.current = row ? { todo: row.getAttribute("data-todo") ?? "", index: rows(place).indexOf(row) } : undefined
    }
    addEventListener("focusin", take, { signal })
    addEventListener("pointerdown", take, { signal })
    return () => stop.abort()
  }, [place])
  useLayoutEffect(() => {
    void shown
    if (!last.current || (document.activeElement !== document.body && document.activeElement !== null)) return
    const { todo, index } = last.current
    const all = rows(place)
    const row = all.find((one) => one.getAttribute("data-todo") === todo) ?? all[Math.min(index, all.length - 1)]
    if (row instanceof HTMLElement) row.focus({ preventScroll: true })
  }, [place, shown])
}

const rows = (place: RefObject<HTMLElement | null>): Element[] => [
  ...(place.current?.querySelectorAll("[data-todo]") ?? []),
]
