/** The mark for each status: one table per kind of view. */

import type { TodoStatus } from "../../plan/todo.ts"

export type Marks = Readonly<Record<TodoStatus, string>>

/** One column each, for panel and tree (behaviour G5). */
export const symbols: Marks = { pending: "○", in_progress: "▶", blocked: "⊘", completed: "✓", cancelled: "✗" }

/** The marks in ASCII, also used in texts for models (behaviour G3). */
export const brackets: Marks = {
  pending: "[ ]",
  in_progress: "[>]",
  blocked: "[!]",
  completed: "[x]",
  cancelled: "[-]",
}

/** The plain list distinguishes only done and not done (behaviour C30). */
export const boxes: Marks = { pending: "☐", in_progress: "☐", blocked: "☐", completed: "☒", cancelled: "☐" }
export const bracketBoxes: Marks = {
  pending: "[ ]",
  in_progress: "[ ]",
  blocked: "[ ]",
  completed: "[×]",
  cancelled: "[ ]",
}

/** The boxes for a list that shows all five statuses. In ASCII, `brackets` are used instead. */
export const detailedBoxes: Marks = { ...boxes, in_progress: "▶", blocked: "⊘", cancelled: "✗" }

/**
 * For the plan of one member among several (behaviour A6). A todo in progress has the circle of an open todo, and a sign
 * after it.
 */
export const emoji: Marks = { pending: "⭕", in_progress: "⭕ ▶", blocked: "⛔", completed: "✅", cancelled: "❌" }
