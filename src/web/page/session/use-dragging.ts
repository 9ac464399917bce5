/** Moves a todo by dragging it with a mouse or a finger. */
import { type PointerEvent as ReactPointerEvent, useCallback, useState } from "react"
import type { Todo } from "../../../plan/todo.ts"
import type { DropTarget } from "./plan-items.ts"

export type Dragging = { todo: string; target: DropTarget; side: "before" | "behind" }

/** In pixels. A drag this close to an edge of the screen scrolls the page. */
const edge = 60

/** Calls `onDrop` with the dragged todo and the todo or phase on which it was dropped. */
export const useDragging = (onDrop: (dragging: Dragging) => void) => {
  const [dragging, setDragging] = useState<Dragging>()
  const begin = useCallback(
    (event: ReactPointerEvent, { id }: Todo): void => {
      event.preventDefault()
      const grip = event.currentTarget as HTMLElement
      const list = grip.closest("[data-plan]")
      let latest: Dragging | undefined
      const move = ({ clientY }: PointerEvent): void => {
        const over = rowAt(list, clientY)
        if (clientY < edge) scrollBy(0, -12)
        if (clientY > innerHeight - edge) scrollBy(0, 12)
        if (!over) return
        const { top, height } = over.getBoundingClientRect()
        const side = clientY < top + height / 2 ? "before" : "behind"
        const { todo, phase = "" } = over.dataset
        latest = { todo: id, target: todo === undefined ? { phase } : { todo }, side }
        setDragging(latest)
      }
      const end = (isDropped: boolean) => (): void => {
        stop.abort()
        setDragging(undefined)
        if (isDropped && latest && latest.target.todo !== id) onDrop(latest)
      }
      const stop = new AbortController()
      const options = { signal: stop.signal }
      addEventListener("pointermove", move, options)
      addEventListener("pointerup", end(true), options)
      addEventListener("pointercancel", end(false), options)
      addEventListener("keydown", ({ key }) => key === "Escape" && end(false)(), options)
    },
    [onDrop],
  )
  return { dragging, begin }
}

/** The todo or phase heading at a height of the screen, even if something covers it. */
const rowAt = (list: Element | null, y: number): HTMLElement | undefined =>
  [...(list?.querySelectorAll<HTMLElement>("[data-todo], [data-phase]") ?? [])].find((row) => {
    const { top, bottom } = row.getBoundingClientRect()
    return y >= top && y <= bottom
  })
