/** The mark for each status: one table per kind of view. */

import type { TodoStatus } from "../../plan/todo.ts"

export type Marks = Readonly<Record<TodoStatus, string>>

/** One column each, for panel and tree (SPEC G5). */
export const symbols: Marks = { pending: "○", in_progress: "▶", blocked: "⊘", completed: "✓", cancelled: "✗" }

/** The same in ASCII, and what a model is shown (SPEC G3). */
export const brackets: Marks = {
  pending: "[ ]",
  in_progress: "[>]",
  blocked: "[!]",
  completed: "[x]",
  cancelled: "[-]",
}

/** The plain list only tells done from not done (SPEC C30). */
export const boxes: Marks = { pending: "☐", in_progress: "☐", blocked: "☐", completed: "☒", cancelled: "☐" }
export const bracketBoxes: Marks = {
  pending: "[ ]",
  in_progress: "[ ]",
  blocked: "[ ]",
  completed: "[×]",
  cancelled: "[ ]",
}

/** The same boxes if all five statuses are distinguished; in ASCII the brackets do that. */
export const detailedBoxes: Marks = { ...boxes, in_progress: "▶", blocked: "⊘", cancelled: "✗" }

/** For the plan of one member among several (SPEC A6). What is in progress is as open as what is pending, and says so. */
export const emoji: Marks = { pending: "⭕", in_progress: "⭕ ▶", blocked: "⛔", completed: "✅", cancelled: "❌" }
