/** The state of the board (selection, scroll positions, prompt), and how each action changes it. */
import { type BoardEntry, boardList, keyOf, olderKey } from "./list.ts"
import { type PlanList, planList, plansShownWith, type TodoRef } from "./plan.ts"
import { type BoardPrompt, changedPrompt, oneLine, type PromptChange, type PromptPurpose } from "./prompt.ts"
import type { BoardSession } from "./session.ts"

export type BoardPane = "sessions" | "plan"

/**
 * The scroll position of a list: its first visible item, anchored to a name so that it stays when items are inserted
 * above.
 */
export type Scroll = { top: number; anchor?: { session: string; todo?: string; offset: number } | undefined }

export type BoardView = {
  pane: BoardPane
  /** The selected session, by its key. */
  session: string | undefined
  /** The selected session's position in the list, so that a neighbour can be selected when it is gone. */
  place: number
  /** The todo under the cursor. Without one, the plan follows the agent's current todo. */
  cursor: TodoRef | undefined
  /** The position of the todo in the plan. */
  cursorPlace: number
  filters: Readonly<Record<BoardPane, string>>
  /** The sessions in which a full-text search found the filter's words, each with the text around them. */
  found: ReadonlyMap<string, string> | undefined
  /** Whether older sessions are listed too. */
  isUnfolded: boolean
  /** A session that is over and was last active before this time is old. In milliseconds since 1970. */
  before: number
  scrolls: Readonly<Record<BoardPane, Scroll>>
  isCollapsed: boolean
  /** The page that covers the panes: the list of keys, or one todo in full. */
  page: "help" | "todo" | undefined
  /** How many lines of the page have been scrolled away. */
  pageTop: number
  prompt: BoardPrompt | undefined
  /** What just happened, in one line; shown until the next key. */
  notice: string
  /** Abilities that only some boards have. */
  can: BoardAbilities
}

export type BoardAbilities = {
  /** Reopen a session in its agent. */
  open: boolean
  /** Search the full text of sessions. */
  search: boolean
  mouse: boolean
  /** The board runs in a terminal: it can be quit, paused and redrawn, and it may use keys with ctrl. */
  terminal: boolean
}

export const newBoardView = (
  given: Partial<Pick<BoardView, "isUnfolded" | "before">> & { can?: Partial<BoardAbilities> } = {},
): BoardView => ({
  pane: "sessions",
  session: undefined,
  place: 0,
  cursor: undefined,
  cursorPlace: 0,
  filters: { sessions: "", plan: "" },
  found: undefined,
  isUnfolded: given.isUnfolded ?? false,
  before: given.before ?? Number.NEGATIVE_INFINITY,
  scrolls: { sessions: { top: 0 }, plan: { top: 0 } },
  isCollapsed: false,
  page: undefined,
  pageTop: 0,
  prompt: undefined,
  notice: "",
  can: { open: false, search: false, mouse: false, terminal: true, ...given.can },
})

export type BoardAction =
  /** Moves by this many steps, up if negative, in the focused pane or page. */
  | { type: "move"; by: number }
  | { type: "focus"; pane: BoardPane }
  /** Selects a session by its key, or a todo, such as with a click. */
  | { type: "select"; session: string }
  | { type: "select-todo"; todo: TodoRef }
  /** Opens the selected item: from a session to its plan, from a todo to its full text. */
  | { type: "open" }
  /** Goes back one step: from a page, a filter or a plan. */
  | { type: "back" }
  | { type: "fold" }
  /** Lists older sessions, or folds them again. */
  | { type: "unfold" }
  /** The result of a full-text search for a filter's words. */
  | { type: "found"; filter: string; sessions: ReadonlyMap<string, string> }
  | { type: "help" }
  /** Selects the next session that waits for a person, continuing at the top after the last one. */
  | { type: "next-waiting" }
  | { type: "ask"; purpose: PromptPurpose }
  | PromptChange
  /** Closes the prompt; the caller has already read its line. */
  | { type: "answered" }
  | { type: "notice"; text: string }

type Sessions = readonly BoardSession[]

/** Never fails: an action that makes no sense here changes nothing. */
export const boardAfter = (view: BoardView, action: BoardAction, sessions: Sessions): BoardView => {
  if (action.type === "notice") return { ...view, notice: action.text }
  // Search results arrive without a key press, so the notice stays.
  if (action.type === "found") return withFound(view, action, sessions)
  const quiet = view.notice === "" ? view : { ...view, notice: "" }
  return step(quiet, action, sessions)
}

const step = (
  view: BoardView,
  action: Exclude<BoardAction, { type: "notice" | "found" }>,
  sessions: Sessions,
): BoardView => {
  switch (action.type) {
    case "move":
      return move(view, action.by, sessions)
    case "focus":
      return focus(view, action.pane, sessions)
    case "select":
      return select(view, action.session, sessions)
    case "select-todo":
      return selectTodo(view, action.todo, sessions)
    case "open":
      return open(view, sessions)
    case "back":
      return back(view, sessions)
    case "fold":
      return { ...view, isCollapsed: !view.isCollapsed }
    case "unfold":
      return unfold(view, sessions)
    case "help":
      return { ...view, page: view.page === "help" ? undefined : "help", pageTop: 0 }
    case "next-waiting":
      return nextWaiting(view, sessions)
    case "ask":
      return ask(view, action.purpose)
    case "answered":
      return { ...view, prompt: undefined }
    default:
      return type(view, action, sessions)
  }
}

/** The selected session, as it is now. */
export const selectedSession = (view: BoardView, sessions: Sessions): BoardSession | undefined => {
  const { entries, places } = boardList(view, sessions)
  const entry = view.session === undefined ? undefined : entries[places.get(view.session) ?? -1]
  return entry?.kind === "session" ? entry.session : undefined
}

/** What the plan pane shows. */
export const shownPlan = (view: BoardView, sessions: Sessions): PlanList | undefined => {
  const session = selectedSession(view, sessions)
  return session && planList(sessions, session, { isCollapsed: view.isCollapsed, filter: view.filters.plan })
}

/** For at most this many working sessions, the row shows how long the current todo has taken. */
const mostTimed = 12

/**
 * The keys of the sessions whose plans must be read: the visible plans, and working sessions, whose rows show how long
 * a todo has taken.
 */
export const plansInSight = (view: BoardView, sessions: Sessions): string[] => {
  const session = selectedSession(view, sessions)
  const working = boardList(view, sessions).entries.flatMap((entry) =>
    entry.kind === "session" && entry.session.state === "working" && entry.session.todos > 0 ? entry.session.key : [],
  )
  return [...new Set([...(session ? plansShownWith(sessions, session) : []), ...working.slice(0, mostTimed)])]
}

const move = (view: BoardView, by: number, sessions: Sessions): BoardView => {
  if (view.page) return { ...view, pageTop: Math.max(0, view.pageTop + by) }
  return view.pane === "sessions" ? moveInSessions(view, by, sessions) : moveInPlan(view, by, sessions)
}

const moveInSessions = (view: BoardView, by: number, sessions: Sessions): BoardView => {
  const { entries, places } = boardList(view, sessions)
  const place = places.get(view.session ?? "") ?? view.place
  const next = stepFrom(place, by, entries.length, (index) => keyOf(entries[index]) !== undefined)
  const key = keyOf(entries[next])
  return key === undefined ? view : selected(view, key, next)
}

const moveInPlan = (view: BoardView, by: number, sessions: Sessions): BoardView => {
  const plan = shownPlan(view, sessions)
  if (!plan) return view
  const ref = view.cursor ?? plan.current
  const place = (ref && plan.placeOf(ref)) ?? view.cursorPlace
  const next = stepFrom(place, by, plan.count, (index) => plan.at(index)?.item.kind === "todo")
  const found = plan.at(next)
  if (found?.item.kind !== "todo") return view
  return { ...view, cursor: { session: found.session.key, todo: found.item.todo.id }, cursorPlace: next }
}

/** The index after this many steps over selectable items; the last reachable one if there are fewer. */
const stepFrom = (from: number, by: number, count: number, isStop: (index: number) => boolean): number => {
  const direction = Math.sign(by)
  let left = Math.abs(by)
  let reached = from
  for (let index = from + direction; direction !== 0 && left > 0 && index >= 0 && index < count; index += direction) {
    if (!isStop(index)) continue
    reached = index
    left -= 1
  }
  return reached
}

/** Selects a session. Its plan is shown from the agent's current todo. */
const selected = (view: BoardView, session: string, place: number): BoardView =>
  session === view.session
    ? { ...view, place }
    : { ...view, session, place, ...following, filters: { ...view.filters, plan: "" } }

const following = { cursor: undefined, cursorPlace: 0 } as const

const focus = (view: BoardView, pane: BoardPane, sessions: Sessions): BoardView => {
  if (view.page || pane === view.pane) return view
  if (pane === "sessions") return { ...view, pane, ...following }
  const plan = shownPlan(view, sessions)
  if (!plan) return view
  return { ...view, pane, cursor: plan.current, cursorPlace: (plan.current && plan.placeOf(plan.current)) ?? 0 }
}

const select = (view: BoardView, key: string, sessions: Sessions): BoardView => {
  const place = boardList(view, sessions).places.get(key)
  if (view.page || place === undefined) return view
  return { ...selected(view, key, place), pane: "sessions", ...following }
}

const selectTodo = (view: BoardView, todo: TodoRef, sessions: Sessions): BoardView => {
  const place = shownPlan(view, sessions)?.placeOf(todo)
  return view.page || place === undefined ? view : { ...view, pane: "plan", cursor: todo, cursorPlace: place }
}

const open = (view: BoardView, sessions: Sessions): BoardView => {
  if (view.page) return { ...view, page: undefined }
  if (view.session === olderKey) return unfold(view, sessions)
  if (view.pane === "sessions") return focus(view, "plan", sessions)
  return view.cursor ? { ...view, page: "todo", pageTop: 0 } : view
}

/** The notice says where the unfolded sessions are, because they may be below the visible part. */
const unfold = (view: BoardView, sessions: Sessions): BoardView => {
  const { entries, places } = boardList(view, sessions)
  const entry = entries[places.get(olderKey) ?? -1]
  if (entry?.kind !== "older") return { ...view, notice: "There are no older sessions." }
  const what = entry.count === 1 ? "1 older session is" : `${entry.count} older sessions are`
  const notice = view.isUnfolded ? `${what} folded.` : `${what} listed below the others.`
  return { ...view, isUnfolded: !view.isUnfolded, notice }
}

const back = (view: BoardView, sessions: Sessions): BoardView => {
  if (view.prompt) {
    const closed = { ...view, prompt: undefined }
    return view.prompt.kind === "filter" ? withFilter(closed, view.prompt.pane, "", sessions) : closed
  }
  if (view.page) return { ...view, page: undefined }
  if (view.filters[view.pane] !== "") return withFilter(view, view.pane, "", sessions)
  return view.pane === "plan" ? focus(view, "sessions", sessions) : view
}

/** The selection stays if it matches the filter; otherwise the first match is selected. */
const withFilter = (view: BoardView, pane: BoardPane, text: string, sessions: Sessions): BoardView => {
  const filters = { ...view.filters, [pane]: text }
  if (pane === "plan") return firstTodo({ ...view, filters }, sessions)
  return firstMatch({ ...view, filters, found: text === "" ? undefined : view.found }, sessions)
}

const firstMatch = (view: BoardView, sessions: Sessions): BoardView => {
  if (view.filters.sessions === "") return view
  const { entries, places } = boardList(view, sessions)
  const isMatch = (entry: BoardEntry | undefined): boolean => entry?.kind === "session" && entry.isMatch
  if (isMatch(entries[places.get(view.session ?? "") ?? -1])) return view
  const place = entries.findIndex(isMatch)
  const key = keyOf(entries[place])
  return key === undefined ? view : selected(view, key, place)
}

const firstTodo = (view: BoardView, sessions: Sessions): BoardView => {
  const plan = shownPlan(view, sessions)
  if (!plan || !view.cursor || plan.placeOf(view.cursor) !== undefined) return view
  return { ...view, cursor: undefined, cursorPlace: 0 }
}

/** Ignores results for words that are no longer in the filter. */
const withFound = (
  view: BoardView,
  { filter, sessions: found }: Extract<BoardAction, { type: "found" }>,
  sessions: Sessions,
): BoardView => (view.filters.sessions === filter ? firstMatch({ ...view, found }, sessions) : view)

const nextWaiting = (view: BoardView, sessions: Sessions): BoardView => {
  const { entries, places } = boardList(view, sessions)
  const place = places.get(view.session ?? "") ?? view.place
  const waiting = entries.flatMap((entry, index) =>
    entry.kind === "session" && entry.session.state === "waiting" ? [{ key: entry.session.key, place: index }] : [],
  )
  const next = waiting.find((one) => one.place > place) ?? waiting[0]
  if (!next) return { ...view, notice: "Nothing is waiting for you." }
  return { ...selected(view, next.key, next.place), pane: "sessions", page: undefined, ...following }
}

const ask = (view: BoardView, purpose: PromptPurpose): BoardView => {
  const text = purpose.kind === "filter" ? view.filters[purpose.pane] : (purpose.text ?? "")
  const safe = oneLine(text)
  return { ...view, prompt: { ...purpose, text: safe, at: safe.length } }
}

/** Changes the prompt's text. A filter applies while it is typed. */
const type = (view: BoardView, change: PromptChange, sessions: Sessions): BoardView => {
  if (!view.prompt) return view
  const prompt = changedPrompt(view.prompt, change)
  return prompt.kind === "filter"
    ? withFilter({ ...view, prompt }, prompt.pane, prompt.text, sessions)
    : { ...view, prompt }
}
