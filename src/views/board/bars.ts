/** The board's first line, which counts the sessions by state, and its last lines, which name the keys. */

import { fitted } from "../plan/row.ts"
import { cutLine, lineWidth, spread } from "../text/line-layout.ts"
import type { Line, Span } from "../text/span.ts"
import { countsOf } from "./families.ts"
import type { BoardFrame } from "./frame.ts"
import { type BoardGlyphs, stateStyles, stateWords } from "./glyphs.ts"
import { type KeyHint, keyHints } from "./keys.ts"
import { boardList } from "./list.ts"
import { noticeLines } from "./notice.ts"
import { promptLine } from "./prompt.ts"
import type { BoardSession, BoardState } from "./session.ts"
import type { BoardView } from "./view.ts"

type Sessions = readonly BoardSession[]

/** The states that the first line counts, the most urgent first. */
const counted: readonly BoardState[] = ["waiting", "stalled", "working"]

export const headerLine = (view: BoardView, sessions: Sessions, { columns, glyphs }: BoardFrame): Line => {
  const { total, by } = countsOf(sessions)
  const counts = counted.flatMap((state): [BoardState, number][] => {
    const count = by.get(state)
    return count === undefined ? [] : [[state, count]]
  })
  const filter = view.filters.sessions
  const { shown } = boardList(view, sessions)
  const all = total === 1 ? "1 session" : `${total} sessions`
  const right: Span = {
    text: filter === "" ? `${all} ` : `/${fitted(filter, { ...glyphs, width: 24 })} ${shown} of ${total} `,
    style: { dim: filter === "" },
  }
  const marked = (state: BoardState, count: number): string => ` ${glyphs.states[state]} ${count}`
  const worded = (state: BoardState, count: number): string => `${marked(state, count)} ${stateWords[state]} `
  const name: Span = { text: " headway ", style: { bold: true } }
  const wordings: [left: Line, right: Line][] = [
    [[name, ...countSpans(counts, worded)], [right]],
    [countSpans(counts, worded), [right]],
    [countSpans(counts, worded), []],
    // The count of waiting agents keeps its words as long as there is room.
    [[...countSpans(counts.slice(0, 1), worded), ...countSpans(counts.slice(1), marked)], []],
  ]
  const fits = ([left, tail]: [Line, Line]): boolean => lineWidth(left) + lineWidth(tail) <= columns
  const [left, tail] = wordings.find(fits) ?? [countSpans(counts, marked), []]
  return spread(left, tail, columns, glyphs.ellipsis)
}

export const footerLines = (view: BoardView, sessions: Sessions, { columns, glyphs, footer }: BoardFrame): Line[] => {
  if (view.prompt) return [promptLine(view.prompt, columns, glyphs)]
  if (view.notice === "") return [hintLine(view, sessions, columns, glyphs)]
  return noticeLines(view.notice, columns, glyphs, Math.max(1, footer)).map((text) => [
    { text: ` ${text}`, style: { bold: true } },
  ])
}

/** The keys that do something here; those at the end are always shown. */
const hintLine = (view: BoardView, sessions: Sessions, columns: number, glyphs: BoardGlyphs): Line => {
  const hints = keyHints(view, sessions)
  const last = hints.filter(({ isAtEnd }) => isAtEnd).flatMap((hint) => hintSpans(hint, glyphs))
  const spans: Span[] = []
  for (const hint of hints.filter(({ isAtEnd }) => !isAtEnd)) {
    const next = hintSpans(hint, glyphs)
    if (lineWidth([...spans, ...next, ...last]) > columns) break
    spans.push(...next)
  }
  return cutLine([...spans, ...last], columns, glyphs.ellipsis)
}

const countSpans = (
  counts: readonly [state: BoardState, count: number][],
  wording: (state: BoardState, count: number) => string,
): Span[] => counts.map(([state, count]) => ({ text: wording(state, count), style: stateStyles[state] }))

const hintSpans = ({ key, says }: KeyHint, { arrows }: BoardGlyphs): Span[] => [
  { text: ` ${key === "arrows" ? arrows : key}`, style: { bold: true } },
  { text: ` ${says} `, style: { dim: true } },
]
