/** The door of the room: a plan as rows and plain strings. */

export { describeEvent, transitionLine } from "./changes.ts"
export { agentTasksText, listHeading, listRows, listText, standaloneListText, todosText } from "./list.ts"
export { escapeForModel, numberedList, phasedList, progressList } from "./model-text.ts"
export { panelRows, panelText, panelTitle, progressBar, progressLines } from "./panel.ts"
export { type PhasedPlan, type PhaseGroup, phaseGroups } from "./phases.ts"
export { planHeading, planRows, planText } from "./plan-heading.ts"
export { reasonOf } from "./reason.ts"
export { lineOf, type Row, type Todos, type ViewOptions } from "./row.ts"
export { type StatusLineOptions, statusLine } from "./status-line.ts"
export { type TreeOptions, type TreeRow, treeRows, treeText } from "./tree.ts"
export { cut, pad, widthOf } from "./width.ts"
