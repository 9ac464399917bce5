/** The plan: what it is, what can happen to it, how it follows from its log. Pure; imports nothing. */
export { activeFormOf, deriveActiveForm } from "./active-form.ts"
export { type Applied, apply } from "./apply.ts"
export { changeTodo, type Difference, type DiffOptions, diff, nearest } from "./diff.ts"
export { inPhaseOrder, isActionable, isPlanChange } from "./draft.ts"
export { entryVersion, isTodo, readEntry } from "./entry.ts"
export type { Actor, Entry, Place, PlanEvent, PlanOpened, Settle, TodoPatch } from "./event.ts"
export { createFold, type Fold, type FoldSnapshot, fold } from "./fold.ts"
export { HeadwayError, isHeadwayError } from "./headway-error.ts"
export {
  emptyLedger,
  isPersons,
  type Ledger,
  type Stamp,
  type TodoRecord,
  type Tombstone,
  type Untold,
} from "./ledger.ts"
export type { Wanted } from "./match.ts"
export { error, hasErrors, type Problem, repair, warning } from "./problem.ts"
export { activeTodo, type Progress, progressOf } from "./progress.ts"
export { check, defaultRules, type Rules, settleOf } from "./rules.ts"
export { sanitise, sanitiseBlock, sanitiseData } from "./sanitise.ts"
export { normalise, similarity } from "./text.ts"
export {
  emptyPlan,
  findById,
  isFinished,
  nativeIdOf,
  type Plan,
  type Priority,
  priorities,
  type Todo,
  type TodoStatus,
  todoStatuses,
} from "./todo.ts"
export { inverse } from "./undo.ts"
