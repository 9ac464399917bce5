/** The public door of this room: functions that show a plan as rows, as lines for a screen, and as plain text. */

export { describeEvent, describeEvents, describeLeft, overtakenText, transitionLine } from "./changes.ts"
export { detailedList, escapeForModel, numberedList, phasedList, phaseLine, progressList } from "./model-text.ts"
export { changeNoticeLines, changeNoticeText, type NoticeOptions } from "./plan/change-notice.ts"
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
} from "./plan/list.ts"
export { panelLines, panelRows, panelText, panelTitle, progressBar, progressLines } from "./plan/panel.ts"
export { type PhasedPlan, type PhaseGroup, phaseGroups } from "./plan/phases.ts"
export { type MemberOptions, planHeading, planLines, planRows, planText } from "./plan/plan-heading.ts"
export { type FramedViewOptions, framedLines, type PlanView } from "./plan/plan-view.ts"
export { reasonOf } from "./plan/reason.ts"
export { lineOf, type Row, type Todos, type ViewOptions } from "./plan/row.ts"
export { type SpinnerOptions, spinnerLine, spinnerRest, spinnerText } from "./plan/spinner.ts"
export { type StatusLineOptions, statusLine } from "./plan/status-line.ts"
export { type TreeOptions, type TreeRow, treeLines, treeRows, treeText } from "./plan/tree.ts"
export { type Colour, type Line, plainLine, plainText, readColour, type Span, type Style } from "./text/span.ts"
export { drawsUnicode } from "./text/unicode.ts"
export { cut, pad, widthOf } from "./text/width.ts"
