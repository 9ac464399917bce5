/** A question on the agent's screen: its subject in a scrollable window, and the keys. */

import { fitted, layoutOf } from "../../views/plan/row.ts"
import { detailLines, hiddenNote, questionRows, visibleSpans } from "../../views/text/question.ts"
import type { Line, Style } from "../../views/text/span.ts"
import { wrap } from "../../views/text/wrap.ts"
import type { SeenQuestion } from "./questions.ts"
import type { OpenQuestion, StageState } from "./stage.ts"
import type { Room } from "./transcript.ts"

/** All rows of a question, before they are fitted to the screen. */
export type QuestionParts = {
  /** The subject of the question, scrollable if it does not fit. */
  sheet: readonly Line[]
  /** The question itself. */
  head: readonly Line[]
  keys: readonly Line[]
  /** The scroll position in the text, and which keys scroll. */
  position(from: number, to: number): Line[]
  /** Shown instead of the keys if the screen is too small for the question. */
  refusal: Line
}

const loud: Style = { bold: true, colour: "yellow" }

/** A question with more rows, such as one with a very long path, moves to the scrollable part. */
const mostHead = 3

/** `isTyping` means that the input line has text: it then receives the keys, and the question waits. */
export const questionParts = (
  { text, detail = "", always }: OpenQuestion,
  { isTyping, ...room }: Room & { isTyping: boolean },
): QuestionParts => {
  const width = Math.max(1, Math.floor(room.width))
  const lines = (words: string, style?: Style): Line[] =>
    wrap(words, width).lines.map((row) => [{ text: row, ...(style ? { style } : {}) }])
  const asked = questionRows(text, width).map((row): Line => visibleSpans(row, loud))
  const isLong = asked.length > mostHead
  const note = hiddenNote(`${text}${detail}`)
  const sheet = [
    ...(isLong ? asked : []),
    ...(note === undefined ? [] : lines(note, loud)),
    ...(detail === "" ? [] : detailLines(detail, room)),
  ]
  return {
    sheet,
    head: isLong ? [[{ text: fitted(text, layoutOf(room)), style: loud }]] : asked,
    keys: lines(
      (isTyping ? "first send or clear your line (enter, ctrl+c), then " : "") +
        ["y yes", "n no", ...(always === undefined ? [] : [`a ${always}`])].join(", "),
    ),
    position: (from, to) => lines(`lines ${from + 1}-${to} of ${sheet.length} (arrows, PgUp, PgDn)`, loud),
    refusal: [{ text: fitted("n no; to say yes, enlarge the window", layoutOf(room)) }],
  }
}

/** The minimum that must be visible: the question, part of its subject, and the keys. */
export const leastRows = (parts: QuestionParts | undefined, room: number): number =>
  parts ? Math.min(room, parts.head.length + parts.keys.length + leastSheet(parts)) : 0

/** One row of the subject, and the row with the scroll position. */
const leastSheet = (parts: QuestionParts): number => Math.min(parts.sheet.length, 1 + positionRows(parts))

export const mostRows = (parts: QuestionParts | undefined): number =>
  parts ? parts.head.length + parts.keys.length + parts.sheet.length : 0

const positionRows = ({ sheet, position }: QuestionParts): number => position(sheet.length, sheet.length).length

/** How many rows each part gets. */
export type QuestionShares = { head: number; keys: number; page: number; position: number }

export const questionShares = (parts: QuestionParts | undefined, rows: number): QuestionShares => {
  if (!parts) return { head: 0, keys: 0, page: 0, position: 0 }
  const head = Math.min(parts.head.length, rows)
  const keys = Math.min(parts.keys.length, rows - head)
  const left = rows - head - keys
  if (left >= parts.sheet.length) return { head, keys, page: parts.sheet.length, position: 0 }
  const position = Math.min(positionRows(parts), left)
  return { head, keys, page: left - position, position }
}

/** What is visible when the person presses a key. */
export const seenQuestion = (
  { question, isAnswerable }: StageState,
  parts: QuestionParts | undefined,
  shares: QuestionShares,
): SeenQuestion => ({
  question,
  isAnswerable,
  rows: parts?.sheet.length ?? 0,
  page: shares.page,
  isTooSmall: parts === undefined || isTooSmall(parts, shares),
})

const isTooSmall = ({ sheet, head }: QuestionParts, shares: QuestionShares): boolean =>
  shares.head < head.length || (shares.page === 0 && sheet.length > 0)

export const questionLines = (parts: QuestionParts, shares: QuestionShares, state: StageState): Line[] => {
  const { sheet, head } = parts
  const from = Math.max(0, Math.min(state.scrolled, sheet.length - shares.page))
  const to = from + shares.page
  const named = isTooSmall(parts, shares) ? [parts.refusal] : parts.keys
  // While the keys have no effect yet, their rows stay empty.
  const keys = state.isAnswerable || state.editor.text !== "" ? named : named.map((): Line => [])
  return [
    ...sheet.slice(from, to),
    ...parts.position(from, to).slice(0, shares.position),
    ...head.slice(0, shares.head),
    ...keys.slice(0, shares.keys),
  ]
}
