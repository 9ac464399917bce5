/** The rules of a dialect for a list, as data: one preset per dialect, checked in one place. */
import type { PlanEvent, Settle } from "../event.ts"
import { limits } from "../limits.ts"
import { error, type Problem } from "../problem.ts"
import { quoted } from "../text/quoted.ts"
import type { Plan } from "../todo.ts"
import type { Wanted } from "./match.ts"

export type Rules = {
  /** More than one todo in progress: fine, refused, or brought down to the first. */
  oneActive: "allow" | "reject" | "normalise"
  /** With nothing in progress the first pending todo starts by itself. */
  autoStart: boolean
  /** A list sent with everything completed leaves the stored list empty. */
  clearWhenDone: boolean
  /** Unfinished todos that a whole list leaves out stay. */
  keepUnfinished: boolean
  maxTodos: number
  /** In characters, for the content and for the active form. */
  maxLength: number
}

/** Limits for dialects that state none: long enough for any todo, short enough for any screen and prompt. */
export const defaultRules: Rules = {
  oneActive: "allow",
  autoStart: false,
  clearWhenDone: false,
  keepUnfinished: false,
  maxTodos: limits.todos,
  maxLength: limits.content,
}

/** The violations of the rules in a list as sent. With any error, nothing is stored. */
export const check = (rules: Rules, items: readonly Wanted[]): Problem[] => {
  const problems: Problem[] = []
  const active = items.filter(({ status }) => status === "in_progress")
  if (rules.oneActive === "reject" && active.length > 1) {
    const names = active.slice(0, 3).map(({ content, id }) => quoted((content ?? id ?? "").slice(0, 60)))
    problems.push(
      error(
        "several-active",
        `Only one todo may be in_progress, but ${active.length} are: ${names.join(", ")}. Keep one and set the others to pending.`,
      ),
    )
  }
  if (items.length > rules.maxTodos) {
    problems.push(
      error(
        "too-many-todos",
        `A list holds at most ${rules.maxTodos} todos, but ${items.length} were sent. Merge small steps and send the list again.`,
      ),
    )
  }
  const long = items.findIndex(
    ({ content = "", activeForm = "" }) => Math.max(content.length, activeForm.length) > rules.maxLength,
  )
  if (long >= 0) {
    const advice = "Shorten it and put details into notes."
    problems.push(
      error(
        "too-long",
        `A todo has at most ${rules.maxLength} characters, but number ${long + 1} is longer. ${advice}`,
      ),
    )
  }
  const bulky = items.findIndex((item) => detailsOf(item).some((text) => text.length > limits.details))
  if (bulky >= 0) {
    problems.push(
      error(
        "too-long",
        `A description, note or reason has at most ${limits.details} characters, but one of number ${bulky + 1} is longer.`,
      ),
    )
  }
  return problems
}

const detailsOf = ({ description = "", reason = "", waitsFor = "", notes = [] }: Wanted): string[] => [
  description,
  reason,
  waitsFor,
  ...notes,
]

/** The limits a plan would exceed by these events. With any error, none of them is applied. */
export const checkSize = (plan: Plan, events: readonly PlanEvent[]): Problem[] => {
  const phases = new Set(plan.phases)
  let todos = plan.todos.length
  for (const event of events) {
    if (event.type === "todo-added") todos += 1
    if (event.type === "todo-removed") todos -= 1
    if (event.type === "plan-cleared") todos -= event.todos.length
    if (event.type === "todo-added" && event.todo.phase) phases.add(event.todo.phase)
    if (event.type === "phase-added") phases.add(event.name)
    if (event.type === "phase-removed") phases.delete(event.name)
  }
  const problems: Problem[] = []
  if (todos > limits.todos && todos > plan.todos.length) {
    const advice = "Finish or remove some, and merge small steps."
    problems.push(
      error("too-many-todos", `A plan holds at most ${limits.todos} todos, and this would make ${todos}. ${advice}`),
    )
  }
  if (phases.size > limits.phases && phases.size > plan.phases.length) {
    const advice = "Use fewer headings."
    problems.push(
      error(
        "too-many-phases",
        `A plan holds at most ${limits.phases} phases, and this would make ${phases.size}. ${advice}`,
      ),
    )
  }
  return problems
}

export const settleOf = ({ oneActive, autoStart }: Rules): Settle => ({
  ...(oneActive === "normalise" ? { oneActive: true } : {}),
  ...(autoStart ? { autoStart: true } : {}),
})
