/** Evidence: the evidence for each todo marked done. */
export { assess } from "./assess.ts"
export { type Brief, type BriefTodo, briefOf, type Marked, marksOf } from "./brief.ts"
export { type CommandKind, commandKind, isCheck } from "./command-kind.ts"
export type { Check, Evidence, Facts, ListEvidence, TodoEvidence, Verification, Word } from "./evidence.ts"
export { words } from "./evidence.ts"
export { type CommandRun, type Outcome, outcomeOf } from "./outcome.ts"
export { createTimeline, type Timeline } from "./timeline.ts"
export { evidenceOfPlan, planFailures, type Verified, withPlaces, withVerifications } from "./verify.ts"
