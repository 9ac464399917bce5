/** Plans as text for a model: no text is cut, every todo stays on one line, and no todo can imitate a reminder. */
import { activeTodo, progressOf } from "../plan/progress.ts"
import { activeFormOf } from "../plan/text/active-form.ts"
import { escapeForModel, lineForModel, quoteForModel } from "../plan/text/for-model.ts"
import { quoted } from "../plan/text/quoted.ts"
import { isFinished, type Todo } from "../plan/todo.ts"
import { brackets } from "./plan/marks.ts"
import { type PhasedPlan, type PhaseGroup, phaseGroups } from "./plan/phases.ts"
import { reasonOf } from "./plan/reason.ts"
import type { Todos } from "./plan/row.ts"

export { escapeForModel } from "../plan/text/for-model.ts"

/** Behaviour G3: `[x] content`, `[>] content <- activeForm`, `[ ] content`, then `(1/3 completed)`. */
export const progressList = (plan: Todos): string => {
  if (plan.todos.length === 0) return "No todos."
  const { completed, total } = progressOf(plan)
  const lines = plan.todos.map((todo) =>
    todo.status === "in_progress" ? `${checkLine(todo)} <- ${lineForModel(activeFormOf(todo))}` : checkLine(todo),
  )
  return [...lines, "", `(${completed}/${total} completed)`].join("\n")
}

/** One line per todo with the id and status that the model uses in its calls: `#1 [pending] content`. */
export const numberedList = (plan: Todos): string => {
  if (plan.todos.length === 0) return "No todos."
  const idOf = ({ id }: Todo): string => (id === "" ? "" : `#${lineForModel(id)} `)
  return plan.todos.map((todo) => `${idOf(todo)}[${todo.status}] ${described(todo)}`).join("\n")
}

/** The list for a model that asks for it: numbered, with phases, and with the notes of unfinished todos. */
export const detailedList = (plan: Todos): string => {
  if (plan.todos.length === 0) return "No todos."
  return plan.todos.flatMap((todo) => [detailedLine(todo), ...openNotes(todo)]).join("\n")
}

const detailedLine = (todo: Todo): string => {
  const phase = todo.phase === undefined ? "" : ` (phase ${escapeForModel(quoted(todo.phase))})`
  return `#${lineForModel(todo.id)} [${todo.status}] ${described(todo)}${phase}`
}

const openNotes = ({ status, notes = [] }: Todo): string[] => (isFinished(status) ? [] : notes.map(quoteForModel))

/** Behaviour O7: errors, the remaining todos, the progress of the current phase, and the whole plan by phase. */
export const phasedList = (plan: PhasedPlan, errors: readonly string[] = []): string => {
  const problems =
    errors.length === 0 ? [] : [["Errors:", ...errors.map((error) => `- ${lineForModel(error)}`)].join("\n")]
  if (plan.todos.length === 0) {
    return [...problems, errors.length === 0 ? "The todo list is cleared." : "The todo list is empty."].join("\n\n")
  }
  const groups = phaseGroups(plan)
  const current = currentPhase(plan, groups)
  const parts = [...problems, remainingText(plan), current, groups.map(phaseTree).join("\n")]
  return parts.filter((part) => part !== "").join("\n\n")
}

const remainingText = (plan: Todos): string => {
  const remaining = plan.todos.filter(({ status }) => !isFinished(status))
  if (remaining.length === 0) return "Nothing remains."
  const lines = remaining.map((todo) =>
    todo.status === "in_progress" ? `- ${described(todo)} (in progress)` : `- ${described(todo)}`,
  )
  return [`Remaining (${remaining.length}):`, ...lines].join("\n")
}

/** The current phase: that of the todo in progress, otherwise of the first unfinished todo, otherwise the last one. */
const currentPhase = (plan: PhasedPlan, groups: readonly PhaseGroup[]): string => {
  const named = groups.filter(({ name }) => name !== undefined)
  const todo = activeTodo(plan) ?? groups.flatMap(({ todos }) => todos).find(({ status }) => !isFinished(status))
  const position = todo === undefined ? named.length - 1 : named.findIndex(({ name }) => name === todo.phase)
  const group = named[position]
  if (group?.name === undefined) return ""
  const { completed, total } = progressOf(group)
  return `Current phase: ${lineForModel(group.name)} (${position + 1} of ${named.length}), ${completed}/${total} completed`
}

const phaseTree = ({ name, todos }: PhaseGroup): string => {
  const indent = name === undefined ? "" : "  "
  const lines = todos.flatMap((todo) => [
    indent + checkLine(todo),
    ...(todo.status === "in_progress"
      ? (todo.notes ?? []).map((note) => `${indent}    note: ${lineForModel(note)}`)
      : []),
  ])
  return [...(name === undefined ? [] : [phaseLine(name)]), ...lines].join("\n")
}

/** Labelled as a phase, because a bare name on a line could be misread. */
export const phaseLine = (name: string): string => `Phase ${escapeForModel(quoted(name))}:`

const checkLine = (todo: Todo): string => `${brackets[todo.status]} ${described(todo)}`

const described = (todo: Todo): string => {
  const reason = reasonOf(todo)
  return reason === "" ? lineForModel(todo.content) : `${lineForModel(todo.content)} (${lineForModel(reason)})`
}
