/** The public functions of this room: a plan as rows, as lines of a screen, and as plain strings. */

export { changeNoticeLines, changeNoticeText, type NoticeOptions } from "./change-notice.ts"
export { describeEvent, describeEvents, describeLeft, overtakenText, transitionLine } from "./changes.ts"
export {
  agentTasksLines,
  agentTasksText,
  listHeading,
  listLines,
  listRows,
  listText,
  standaloneListLines,
  standaloneListText,
  todosLines,
  todosText,
} from "./list.ts"
export { detailedList, escapeForModel, numberedList, phasedList, phaseLine, progressList } from "./model-text.ts"
export { panelLines, panelRows, panelText, panelTitle, progressBar, progressLines } from "./panel.ts"
export { type PhasedPlan, type PhaseGroup, phaseGroups } from "./phases.ts"
export { type MemberOptions, planHeading, planLines, planRows, planText } from "./plan-heading.ts"
export { type FramedViewOptions, framedLines, type PlanView } from "./plan-view.ts"
export { reasonOf } from "./reason.ts"
export { lineOf, type Row, type Todos, type ViewOptions } from "./row.ts"
export { type Colour, type Line, plainLine, plainText, readColour, type Span, type Style } from "./span.ts"
export { type SpinnerOptions, spinnerLine, spinnerRest, spinnerText } from "./spinner.ts"
export { type StatusLineOptions, statusLine } from "./status-line.ts"
export { type TreeOptions, type TreeRow, treeLines, treeRows, treeText } from "./tree.ts"
export { drawsUnicode } from "./unicode.ts"
export { cut, pad, widthOf } from "./width.ts"
