/** Turns a click or a turn of the wheel into actions on the session or todo under the pointer. */
import { type BoardFrame, type BoardSize, frameOf } from "./frame.ts"
import { boardList, keyOf, olderKey } from "./list.ts"
import { planSight } from "./plan-pane.ts"
import type { BoardSession } from "./session.ts"
import { sidebarSight } from "./sidebar.ts"
import { type BoardAction, type BoardPane, type BoardView, shownPlan } from "./view.ts"

/** A place on the screen, counted from 0. */
export type Point = { column: number; row: number }

type Board = { view: BoardView; sessions: readonly BoardSession[]; size: BoardSize }

/** The first click selects, a second one on the same opens. */
export const clicked = ({ view, sessions, size }: Board, point: Point): BoardAction[] => {
  const frame = frameOf(view, size)
  const row = point.row - Number(frame.hasHeader) - Number(frame.rules.above)
  if (view.page || row < 0 || row >= frame.body) return []
  // A click may end a filter, but must not discard an unfinished line for a plan.
  if (view.prompt && view.prompt.kind !== "filter") return []
  const actions =
    paneAt(frame, point) === "sessions" ? onSession(view, sessions, frame, row) : onTodo(view, sessions, frame, row)
  return view.prompt && actions.length > 0 ? [{ type: "answered" }, ...actions] : actions
}

/** How far one turn of the wheel moves. A todo takes one line, a session usually two. */
const steps: Readonly<Record<BoardPane | "page", number>> = { sessions: 1, plan: 2, page: 3 }

/** Moves in the pane under the pointer. */
export const wheeled = ({ view, size }: Board, point: Point, direction: -1 | 1): BoardAction[] => {
  if (view.prompt && view.prompt.kind !== "filter") return []
  if (view.page) return [{ type: "move", by: direction * steps.page }]
  const pane = paneAt(frameOf(view, size), point)
  return [
    ...(pane === view.pane ? [] : [{ type: "focus", pane } as const]),
    { type: "move", by: direction * steps[pane] },
  ]
}

const paneAt = ({ sidebar }: BoardFrame, { column }: Point): BoardPane => (column < sidebar ? "sessions" : "plan")

const onSession = (view: BoardView, sessions: Board["sessions"], frame: BoardFrame, row: number): BoardAction[] => {
  const list = boardList(view, sessions)
  const key = keyOf(list.entries[sidebarSight({ view, list, frame }).rows[row] ?? -1])
  if (key === undefined) return []
  const isAgain = key === view.session && view.pane === "sessions"
  return isAgain || key === olderKey
    ? [{ type: "select", session: key }, { type: "open" }]
    : [{ type: "select", session: key }]
}

const onTodo = (view: BoardView, sessions: Board["sessions"], frame: BoardFrame, row: number): BoardAction[] => {
  const plan = shownPlan(view, sessions)
  const found = plan?.at(planSight({ view, sessions, plan, frame }).rows[row] ?? -1)
  if (!found) return []
  if (found.item.kind !== "todo") return [{ type: "focus", pane: "plan" }]
  const todo = { session: found.session.key, todo: found.item.todo.id }
  const isAgain = view.cursor?.session === todo.session && view.cursor.todo === todo.todo && view.pane === "plan"
  return isAgain ? [{ type: "open" }] : [{ type: "select-todo", todo }]
}
