/** The first and the last line of the board: how many wait for a person, and which keys do what. */

import { cutLine, lineWidth, spread } from "../line-layout.ts"
import { fitted } from "../row.ts"
import type { Line, Span } from "../span.ts"
import type { BoardFrame } from "./frame.ts"
import { type BoardGlyphs, stateStyles, stateWords } from "./glyphs.ts"
import { boardList, sessionsIn } from "./list.ts"
import { promptLine } from "./prompt.ts"
import type { BoardSession, BoardState } from "./session.ts"
import { type BoardView, selectedSession } from "./view.ts"

type Sessions = readonly BoardSession[]

/** What is worth counting, the most pressing first. */
const counted: readonly BoardState[] = ["waiting", "stalled", "working"]

export const headerLine = (view: BoardView, sessions: Sessions, { columns, glyphs }: BoardFrame): Line => {
  const counts = countsOf(sessions)
  const { shown } = boardList(sessions, view.filters.sessions)
  const filter = view.filters.sessions
  const all = sessions.length === 1 ? "1 session" : `${sessions.length} sessions`
  const right: Span = {
    text: filter === "" ? `${all} ` : `/${fitted(filter, { ...glyphs, width: 24 })} ${shown} of ${sessions.length} `,
    style: { dim: filter === "" },
  }
  const marked = (state: BoardState, count: number): string => ` ${glyphs.states[state]} ${count}`
  const said = (state: BoardState, count: number): string => `${marked(state, count)} ${stateWords[state]} `
  const name: Span = { text: " headway ", style: { bold: true } }
  const wordings: [left: Line, right: Line][] = [
    [[name, ...countSpans(counts, said)], [right]],
    [countSpans(counts, said), [right]],
    [countSpans(counts, said), []],
    // Who waits for a person is said in words for as long as there is room for them.
    [[...countSpans(counts.slice(0, 1), said), ...countSpans(counts.slice(1), marked)], []],
  ]
  const fits = ([left, tail]: [Line, Line]): boolean => lineWidth(left) + lineWidth(tail) <= columns
  const [left, tail] = wordings.find(fits) ?? [countSpans(counts, marked), []]
  return spread(left, tail, columns, glyphs.ellipsis)
}

export const footerLine = (view: BoardView, sessions: Sessions, { columns, glyphs }: BoardFrame): Line => {
  if (view.prompt) return promptLine(view.prompt, columns, glyphs)
  if (view.notice !== "") {
    return [{ text: ` ${fitted(view.notice, { ...glyphs, width: columns - 1 })}`, style: { bold: true } }]
  }
  const last = hintSpans(
    view.page
      ? [["esc", "back"]]
      : [
          ["?", "help"],
          ["q", "quit"],
        ],
  )
  const spans: Span[] = []
  for (const hint of hintsFor(view, sessions, glyphs)) {
    const next = hintSpans([hint])
    if (lineWidth([...spans, ...next, ...last]) > columns) break
    spans.push(...next)
  }
  return cutLine([...spans, ...last], columns, glyphs.ellipsis)
}

const countsOf = (sessions: Sessions): [state: BoardState, count: number][] => {
  const list = boardList(sessions, "")
  return counted.flatMap((state): [BoardState, number][] => {
    const { length } = sessionsIn(list, state)
    return length === 0 ? [] : [[state, length]]
  })
}

const countSpans = (
  counts: readonly [state: BoardState, count: number][],
  wording: (state: BoardState, count: number) => string,
): Span[] => counts.map(([state, count]) => ({ text: wording(state, count), style: stateStyles[state] }))

type Hint = readonly [key: string, does: string]

/** The keys that do something here, those a person needs most often first. */
const hintsFor = (view: BoardView, sessions: Sessions, { arrows }: BoardGlyphs): Hint[] => {
  if (view.page === "help") return [[arrows, "scroll"]]
  const session = selectedSession(view, sessions)
  if (!session) return view.filters.sessions === "" ? [] : [["esc", "clear filter"]]
  const forTodo: Hint[] = [
    ["space", "done"],
    ["a", "add"],
    ["b", "block"],
    ["d", "drop"],
  ]
  const forPlan: Hint[] = [
    ["u", "undo"],
    ["e", "edit"],
  ]
  const edits: Hint[] = session.isEditable ? [...forTodo, ...forPlan] : []
  if (view.page) return [[arrows, "scroll"], ...edits]
  const fold: Hint = ["ctrl+t", view.isCollapsed ? "show all" : "fold"]
  if (view.pane === "plan")
    return [[arrows, "move"], ["esc", "back"], ...edits, ["enter", "read"], ["/", "filter"], fold]
  const waits: Hint[] = sessions.some(({ state }) => state === "waiting") ? [["w", "next waiting"]] : []
  const changes: Hint[] = session.isEditable ? [["a", "add"], ...forPlan] : []
  return [[arrows, "move"], ["enter", "plan"], ...waits, ["/", "filter"], fold, ...changes]
}

const hintSpans = (hints: readonly Hint[]): Span[] =>
  hints.flatMap(([key, does]) => [
    { text: ` ${key}`, style: { bold: true } },
    { text: ` ${does} `, style: { dim: true } },
  ])
