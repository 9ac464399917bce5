/** What a person changed in a plan that they were shown as a checklist. */
import { houseMarks, readChecklist } from "../dialects/_checklist.ts"
import { markdown } from "../dialects/markdown.ts"
import { diff, HeadwayError, hasErrors, type Plan, type PlanEvent } from "../plan/index.ts"

export type ChecklistEdit = {
  events: PlanEvent[]
  /** Lines that say nothing, because somebody meant something by them. */
  ignored: string[]
}

/** What a text says otherwise than the plan. Throws when it cannot be what the person meant. */
export const readChecklistEdit = (plan: Plan, text: string): ChecklistEdit => {
  if (text.trim() === "") {
    throw new HeadwayError(
      "unreadable",
      'There is nothing in it, so nothing was changed. To remove every todo use "headway todo clear".',
    )
  }
  const { problems, items = [], details } = markdown.decode({ tool: "markdown", input: text }, plan)
  if (hasErrors(problems)) throw new HeadwayError("unreadable", problems.map(({ message }) => message).join(" "))
  const { ignored } = readChecklist(text, houseMarks)
  const phases = Array.isArray(details?.phases) ? details.phases.map(String) : []
  return { events: diff(plan, items, { phases }).events, ignored }
}

/** In words; undefined when every line says something. */
export const ignoredLines = ({ length }: readonly string[]): string | undefined =>
  length === 0
    ? undefined
    : `${length} ${length > 1 ? "lines are no todos and were" : "line is no todo and was"} left out (a todo begins with "- [ ] ")`
