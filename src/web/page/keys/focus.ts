/** Moves the keyboard's focus between cards and todos, which are marked `data-stop`, and between panes. */

export const moveFocus = (by: number): boolean => {
  const all = stops()
  if (all.length === 0) return false
  if (!Number.isFinite(by)) return toEnd(by)
  const at = all.findIndex((stop) => stop.contains(document.activeElement))
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))
  return focusOn(all[next])
}

/** Moves the focus to the pane on the left or right, at about the same height. */
export const movePane = (by: -1 | 1): boolean => {
  const panes = [...document.querySelectorAll("[data-pane]")].filter((pane) => stopsIn(pane).length > 0)
  const from = document.activeElement
  const at = panes.findIndex((pane) => pane.contains(from))
  const next = panes[at < 0 ? 0 : at + by]
  if (!next) return false
  const height = at < 0 || !from ? 0 : from.getBoundingClientRect().top
  const distance = (stop: Element): number => Math.abs(stop.getBoundingClientRect().top - height)
  return focusOn(stopsIn(next).toSorted((one, other) => distance(one) - distance(other))[0])
}

/** Focuses the next matching stop after the focused one, wrapping around. */
export const focusNext = (selector: string): boolean => {
  const all = stops().filter((stop) => stop.matches(selector))
  const from = document.activeElement
  const isBehind = (stop: Element): boolean =>
    !!from && !!(from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING)
  return focusOn(all.find(isBehind) ?? all[0])
}

export const focusOn = (element: HTMLElement | undefined): boolean => {
  if (!element) return false
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: "nearest" })
  return true
}

const stops = (): HTMLElement[] => stopsIn(document)

const stopsIn = (place: ParentNode): HTMLElement[] => [...place.querySelectorAll<HTMLElement>("[data-stop]")]

/** Focuses the first or last stop. Scrolls first, because distant items are not rendered. */
const toEnd = (by: number): boolean => {
  const pane = document.activeElement?.closest("[data-pane]") ?? document.querySelector("[data-pane]") ?? document
  const groups = [...pane.querySelectorAll("[data-group]")]
  const edge = by < 0 ? groups[0] : groups.at(-1)
  const isDrawn = (): boolean => !edge || edge.getAttribute("data-group") === "drawn"
  const focusEdge = (): boolean => focusOn(by < 0 ? stopsIn(pane)[0] : stopsIn(pane).at(-1))
  if (isDrawn()) return focusEdge()
  edge?.scrollIntoView({ block: by < 0 ? "start" : "end" })
  let frames = 0
  const wait = (): void => {
    frames += 1
    if (isDrawn()) focusEdge()
    else if (frames < 60) requestAnimationFrame(wait)
  }
  requestAnimationFrame(wait)
  return true
}
