/** The plan: what it is, what can happen to it, how it follows from its log. Pure; imports nothing. */
export { activeFormOf, deriveActiveForm } from "./active-form.ts"
export { type Applied, apply, applyInTurn } from "./apply.ts"
export { resolveBlockers } from "./blockers.ts"
export { claim, defaultLeaseMinutes, type Lease, leaseEnd, leaseOf, refusedClaims, release } from "./claims.ts"
export { changeTodo, type Difference, type DiffOptions, diff, nearest } from "./diff.ts"
export { inPhaseOrder, isActionable } from "./draft.ts"
export { edits } from "./edits.ts"
export { entryVersion, eventKinds, isTodo, readEntry, sortFields, wrongIn } from "./entry.ts"
export {
  type Actor,
  type Entry,
  isPlanChange,
  type Place,
  type PlanEvent,
  type PlanKey,
  type PlanOpened,
  type Settle,
  type TodoPatch,
} from "./event.ts"
export { createFold, type Fold, fold } from "./fold.ts"
export { dataForModel, escapeForModel, lineForModel, quoteForModel, replyForModel, textForModel } from "./for-model.ts"
export { frozen } from "./frozen.ts"
export { HeadwayError, isHeadwayError, messageOf } from "./headway-error.ts"
export { type Happening, lastUndoable, replay, spanOf, type TodoSpan, timesOf, undoing } from "./history.ts"
export { isoTime } from "./iso-time.ts"
export {
  emptyLedger,
  isPersons,
  type Ledger,
  type Stamp,
  type TodoRecord,
  type Tombstone,
  type Untold,
} from "./ledger.ts"
export { limits } from "./limits.ts"
export { contentById, countsOf, todoById } from "./lookup.ts"
export type { Wanted } from "./match.ts"
export { arrivalOf } from "./move.ts"
export { asSeen, referencesIn } from "./names.ts"
export { type Origins, originsIn } from "./origins.ts"
export { error, firstError, hasErrors, type Problem, repair, warning } from "./problem.ts"
export { activeTodo, firstOf, nextTodo, type Progress, progressOf } from "./progress.ts"
export { readStatus } from "./read-status.ts"
export { check, checkSize, defaultRules, type Rules, settleOf } from "./rules.ts"
export {
  escapeHidden,
  sanitise,
  sanitiseBlock,
  sanitiseData,
  sanitiseOutput,
  sanitisePrinted,
  sanitiseRow,
  sanitiseShown,
} from "./sanitise.ts"
export type { FoldSnapshot } from "./snapshot.ts"
export { findTarget, type Target } from "./target.ts"
export { normalise, similarity } from "./text.ts"
export {
  emptyPlan,
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
export { defaultClearDelay, visibleTodos, withTodos, workingPlan, workingTodos } from "./working.ts"
