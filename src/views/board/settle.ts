/** Adjusts a view to the current sessions and screen: keeps the selection valid and the cursor visible. */
import { type BoardFrame, type BoardSize, frameOf } from "./frame.ts"
import { boardList, keyOf, olderKey } from "./list.ts"
import { pageLines } from "./page.ts"
import type { PlanList } from "./plan.ts"
import { itemLines, itemRows, type PlanPane } from "./plan-pane.ts"
import type { BoardSession } from "./session.ts"
import { entryHeight } from "./sidebar.ts"
import { type BoardView, type Scroll, shownPlan } from "./view.ts"
import { topFor } from "./window.ts"

type Sessions = readonly BoardSession[]

export const settled = (view: BoardView, sessions: Sessions, size: BoardSize): BoardView => {
  const chosen = withSession(view, sessions)
  const plan = shownPlan(chosen, sessions)
  const placed = plan ? withCursor(chosen, plan) : { ...chosen, pane: "sessions" as const, cursor: undefined }
  const page = placed.page === "todo" && !(plan && placed.cursor) ? undefined : placed.page
  const next = { ...placed, page }
  const frame = frameOf(next, size)
  const scrolls = {
    sessions: sessionScroll(next, sessions, frame),
    plan: plan ? planScroll({ view: next, sessions, plan, frame }) : { top: 0 },
  }
  return { ...next, scrolls, pageTop: page ? pageTopOf({ ...next, scrolls }, sessions, frame) : 0 }
}

/**
 * If the selected session is gone, selects its neighbour and moves the focus to the list, because the person did not
 * choose this plan.
 */
const withSession = (view: BoardView, sessions: Sessions): BoardView => {
  const { entries, places } = boardList(view, sessions)
  const place = view.session === undefined ? undefined : places.get(view.session)
  if (place !== undefined) return { ...view, place }
  const next = nearest(view.place, entries.length, (index) => keyOf(entries[index]) !== undefined)
  const key = next === undefined ? undefined : keyOf(entries[next])
  if (next === undefined || key === undefined) return view
  return {
    ...view,
    session: key,
    // Two sessions with the same key are selected as one.
    place: places.get(key) ?? next,
    pane: "sessions",
    cursor: undefined,
    cursorPlace: 0,
    scrolls: { ...view.scrolls, plan: { top: 0 } },
  }
}

const withCursor = (view: BoardView, plan: PlanList): BoardView => {
  if (view.pane === "sessions") return { ...view, cursor: undefined }
  const place = view.cursor && plan.placeOf(view.cursor)
  if (place !== undefined) return { ...view, cursorPlace: place }
  const next = nearest(view.cursorPlace, plan.count, (index) => plan.at(index)?.item.kind === "todo")
  const found = next === undefined ? undefined : plan.at(next)
  if (next === undefined || found?.item.kind !== "todo") return { ...view, cursor: undefined, page: closed(view) }
  return {
    ...view,
    cursor: { session: found.session.key, todo: found.item.todo.id },
    cursorPlace: next,
    page: closed(view),
  }
}

/** Closes the page about a todo that is gone, so that another todo's text does not take its place. */
const closed = ({ page }: BoardView): BoardView["page"] => (page === "todo" ? undefined : page)

/** The same place, otherwise the nearest one before it, otherwise the first one after it. */
const nearest = (place: number, count: number, isIt: (index: number) => boolean): number | undefined => {
  for (let index = Math.min(place, count - 1); index >= 0; index -= 1) if (isIt(index)) return index
  for (let index = Math.max(0, place); index < count; index += 1) if (isIt(index)) return index
  return undefined
}

const sessionScroll = (view: BoardView, sessions: Sessions, frame: BoardFrame): Scroll => {
  const list = boardList(view, sessions)
  const { anchor, top } = view.scrolls.sessions
  const place = anchor && list.places.get(anchor.session)
  const was = anchor && place !== undefined ? place - anchor.offset : top
  const sight = {
    count: list.entries.length,
    rows: frame.body,
    heightOf: (index: number) => entryHeight({ view, list, frame }, index),
  }
  // After unfolding older sessions, they should be visible.
  const margin = view.session === olderKey && view.isUnfolded ? Math.floor(frame.body / 2) : 2
  const next = topFor(sight, view.place, was, margin)
  return scrollAt(next, list.entries.length, (index) => {
    const session = keyOf(list.entries[index])
    return session === undefined ? undefined : { session }
  })
}

const planScroll = (pane: PlanPane): Scroll => {
  const { view, plan } = pane
  const { anchor, top } = view.scrolls.plan
  const place = anchor?.todo === undefined ? undefined : plan.placeOf({ session: anchor.session, todo: anchor.todo })
  const was = anchor && place !== undefined ? place - anchor.offset : top
  const rows = itemRows(pane)
  const heightOf = (index: number): number => itemLines(pane, index).length
  const shown = view.cursor ?? plan.current
  const at = (shown && plan.placeOf(shown)) ?? 0
  // Until the person moves the cursor, the next todo should be visible as well as the current one.
  const margin = view.cursor ? 2 : Math.floor(rows / 3)
  return scrollAt(topFor({ count: plan.count, rows, heightOf }, at, was, margin), plan.count, (index) => {
    const found = plan.at(index)
    return found?.item.kind === "todo" ? { session: found.session.key, todo: found.item.todo.id } : undefined
  })
}

/**
 * Anchors the scroll position to the first visible item with a name. At the very top there is no anchor, so that new
 * items above are visible.
 */
const scrollAt = (
  top: number,
  count: number,
  nameAt: (index: number) => { session: string; todo?: string } | undefined,
): Scroll => {
  if (top === 0) return { top }
  for (let index = top; index < Math.min(top + 3, count); index += 1) {
    const name = nameAt(index)
    if (name) return { top, anchor: { ...name, offset: index - top } }
  }
  return { top }
}

const pageTopOf = (view: BoardView, sessions: Sessions, frame: BoardFrame): number => {
  const length = pageLines(view, sessions, frame).length
  return Math.max(0, Math.min(view.pageTop, length - frame.body))
}
