/** The plan: what it is, what can happen to it, how it follows from its log. Pure; imports nothing. */

export { type Applied, apply, applyInTurn } from "./apply.ts"
export { type AtHand, atHand, isUpcomingKind, type Upcoming } from "./at-hand.ts"
export { decisionsOf } from "./decisions.ts"
export { edits } from "./edits.ts"
export {
  type Actor,
  type CheckRan,
  type Entry,
  isPlanChange,
  type Place,
  type PlanCheck,
  type PlanEvent,
  type PlanKey,
  type PlanOpened,
  type SeenTimes,
  type Settle,
  type TodoPatch,
  type ToldPart,
  type Writer,
} from "./event.ts"
export { createFold, type Fold, fold } from "./fold.ts"
export { frozen } from "./frozen.ts"
export { HeadwayError, isHeadwayError, messageOf } from "./headway-error.ts"
export { isoTime } from "./iso-time.ts"
export { limits } from "./limits.ts"
export { blockerFinder, resolveBlockers } from "./list/blockers.ts"
export { changeTodo, type Difference, type DiffOptions, diff, idProposer, namedByText, nearest } from "./list/diff.ts"
export { goesByOurId, type Wanted } from "./list/match.ts"
export { inPhaseOrder } from "./list/phase-order.ts"
export { readStatus } from "./list/read-status.ts"
export { check, checkSize, defaultRules, type Rules, settleOf } from "./list/rules.ts"
export { absenceSaid, fieldSaid, isRewordedIn, type Said, saidAfter, saidGone, saidWhole } from "./list/said.ts"
export { findTarget, type Target } from "./list/target.ts"
export { withoutNumber } from "./list/without-number.ts"
export { hasPersonsWords, isPersons, personSet } from "./log/by-person.ts"
export {
  claim,
  defaultLeaseMinutes,
  heldByOther,
  keptForOthers,
  type Lease,
  leaseEnd,
  leaseOf,
  refusedClaims,
  release,
  settleClaims,
} from "./log/claims.ts"
export { entryVersion, eventKinds, isTodo, readEntry, sortFields, wrongIn } from "./log/entry.ts"
export {
  type FieldsLeft,
  type Happening,
  lastRedoable,
  lastUndoable,
  replay,
  seenTimesOf,
  spanOf,
  type TodoSpan,
  timesOf,
  undoing,
  wouldChange,
} from "./log/history.ts"
export {
  emptyLedger,
  type Ledger,
  observedDialect,
  type Stamp,
  type TodoRecord,
  type Tombstone,
  type Untold,
} from "./log/ledger.ts"
export { asSeen, referencesIn } from "./log/names.ts"
export { type Origins, originOf, originsIn, renamedIn } from "./log/origins.ts"
export type { FoldSnapshot } from "./log/snapshot.ts"
export { isKnown, ledgerFor, ownAgent, toldWith } from "./log/told.ts"
export { inverse } from "./log/undo.ts"
export { partOf, restOf } from "./log/untold.ts"
export { contentById, countsOf, todoById } from "./lookup.ts"
export { arrivalOf, withoutOlder } from "./move.ts"
export { error, firstError, hasErrors, type Problem, repair, warning } from "./problem.ts"
export { activeTodo, firstOf, nextTodo, type Progress, progressOf, readyTodo } from "./progress.ts"
export { changeInSight, listInSight, planInSight } from "./put-away.ts"
export { sameTodos } from "./same-todos.ts"
export { activeFormOf, deriveActiveForm } from "./text/active-form.ts"
export {
  dataForModel,
  escapeForModel,
  lineForModel,
  quoteForModel,
  replyForModel,
  textForModel,
} from "./text/for-model.ts"
export { quoted } from "./text/quoted.ts"
export {
  escapeHidden,
  sanitise,
  sanitiseBlock,
  sanitiseData,
  sanitiseNote,
  sanitiseOutput,
  sanitisePrinted,
  sanitiseRow,
  sanitiseShown,
} from "./text/sanitise.ts"
export { normalise, similarity } from "./text/wording.ts"
export {
  emptyPlan,
  idsForAgent,
  isActionable,
  isFinished,
  nativeIdOf,
  type Plan,
  type Priority,
  priorities,
  type Todo,
  type TodoStatus,
  todoStatuses,
} from "./todo.ts"
export { defaultClearDelay, visibleTodos, withTodos, workingPlan, workingTodos } from "./working.ts"
