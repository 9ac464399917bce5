/** The signs the board is drawn with, in Unicode and in ASCII. */

import { brackets, type Marks, symbols } from "../plan/marks.ts"
import type { Style } from "../text/span.ts"
import type { BoardSession, BoardState } from "./session.ts"

export type BoardGlyphs = {
  ascii: boolean
  ellipsis: string
  /** Between facts about one thing. */
  dot: string
  across: string
  down: string
  /** The junctions of the line between the panes with the lines above and below it. */
  meets: { above: string; below: string }
  caret: string
  bullet: string
  arrows: string
  /** The sign that there is more above or below the visible part. */
  more: { above: string; below: string }
  /** The sign in front of a folded group, and of an unfolded one. */
  folds: { closed: string; open: string }
  todos: Marks
  states: Readonly<Record<BoardState, string>>
}

const unicode: BoardGlyphs = {
  ascii: false,
  ellipsis: "…",
  dot: " · ",
  across: "─",
  down: "│",
  meets: { above: "┬", below: "┴" },
  caret: "▏",
  bullet: "· ",
  arrows: "↑↓",
  more: { above: "↑", below: "↓" },
  folds: { closed: "▸", open: "▾" },
  todos: symbols,
  states: { working: "▶", waiting: "◆", stalled: "▷", ended: "◇", finished: "✓", failed: "✗", idle: "○" },
}

const ascii: BoardGlyphs = {
  ascii: true,
  ellipsis: "...",
  dot: " - ",
  across: "-",
  down: "|",
  meets: { above: "+", below: "+" },
  caret: "|",
  bullet: "- ",
  arrows: "j k",
  more: { above: "^", below: "v" },
  folds: { closed: "+", open: "-" },
  todos: brackets,
  states: { working: "*", waiting: "!", stalled: "?", ended: "o", finished: "x", failed: "#", idle: "." },
}

export const glyphsOf = (isAscii: boolean): BoardGlyphs => (isAscii ? ascii : unicode)

/** Three colours, each readable on dark and light backgrounds. A sign or word always says the same as the colour. */
export const stateStyles: Readonly<Record<BoardState, Style>> = {
  working: { colour: "green" },
  waiting: { colour: "magenta", bold: true },
  stalled: { colour: "red" },
  ended: { colour: "yellow" },
  finished: { colour: "green", dim: true },
  failed: { colour: "red", bold: true },
  idle: { dim: true },
}

export const stateWords: Readonly<Record<BoardState, string>> = {
  working: "working",
  waiting: "waiting for you",
  stalled: "stalled",
  ended: "ended",
  finished: "finished",
  failed: "failed",
  idle: "idle",
}

/** An explanation of each state for first-time users. */
export const stateMeanings: Readonly<Record<BoardState, string>> = {
  waiting: "waiting for you",
  working: "working",
  stalled: "stalled: no activity for some minutes",
  failed: "failed: an error stopped it",
  ended: "ended with work left",
  finished: "finished",
  idle: "idle: no activity for a long time",
}

/** Whether the agent is running, or should be. */
export const isLive = ({ state }: Pick<BoardSession, "state">): boolean => liveStates.includes(state)

const liveStates: readonly BoardState[] = ["working", "waiting", "stalled"]
