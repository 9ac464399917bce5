/** Converts a plan to a markdown checklist for editing, and finds the changes in it. */
import type { Checklist } from "../../board/edit.ts"
import { houseMarks, printChecklist, readChecklist } from "../../dialects/checklist.ts"
import { readChecklistPlan } from "../../dialects/checklist-plan.ts"
import { markdown } from "../../dialects/markdown.ts"
import { diff, HeadwayError, hasErrors, type Plan, type PlanEvent, type Todo, todoStatuses } from "../../plan/index.ts"

export type ChecklistEdit = {
  events: PlanEvent[]
  /** Lines without a meaning here, reported because the person meant something by them. */
  ignored: string[]
}

/** The first mark of each status, as it is printed. */
const marks = todoStatuses.flatMap((status) => {
  const [mark] = Object.entries(houseMarks).find(([, meant]) => meant === status) ?? []
  return mark === undefined ? [] : `[${mark}] ${status.replace("_", " ")}`
})

/** Explains the marks to a first-time reader. It is not part of the plan, and is ignored when the text is read. */
const legend = `<!-- ${marks.join("  ")}; "> " below a todo is a note -->`

/** A plan as a person gets it in their editor, with a legend of the marks. */
export const editorText = (plan: Plan): string => {
  const text = printChecklist(plan)
  return `${text}${text === "" ? "" : "\n"}${legend}\n`
}

const withoutLegend = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== legend)
    .join("\n")

/** The differences between a text and the plan. Throws if it cannot be what the person meant. */
export const readChecklistEdit = (plan: Plan, given: string): ChecklistEdit => {
  const text = withoutLegend(given)
  if (text.trim() === "") {
    throw new HeadwayError(
      "unreadable",
      'There is nothing in it, so nothing was changed. To remove every todo use "headway todo clear".',
    )
  }
  const shown = planAsShown(plan)
  const { problems, items = [], details } = markdown.decode({ tool: "markdown", input: text }, shown)
  if (hasErrors(problems)) throw new HeadwayError("unreadable", problems.map(({ message }) => message).join(" "))
  const { ignored } = readChecklist(text, houseMarks)
  const phases = Array.isArray(details?.phases) ? details.phases.map(String) : []
  // What comes before any heading belongs to no phase, also when it did before.
  const wanted = items.map((item) => ({ phase: "", ...item }))
  return { events: diff(shown, wanted, { phases }).events, ignored }
}

/**
 * The plan as its text says it. What the text cannot say, or says otherwise than it is kept, is nothing a person changed; a
 * todo without any text is not shown at all and stays.
 */
const planAsShown = (plan: Plan): Plan => {
  const { phases } = readChecklistPlan(printChecklist(plan), [])
  const todos = plan.todos.flatMap((todo): Todo[] => {
    const [shown] = readChecklistPlan(printChecklist({ todos: [todo], phases: [] }), []).items
    if (shown?.content === undefined) return []
    const { notes: _, reason: __, waitsFor: ___, phase: ____, ...notShown } = todo
    return [{ ...notShown, ...shown, id: todo.id, content: shown.content }]
  })
  return { ...plan, todos, phases }
}

/** A message about ignored lines, if there are any. */
export const ignoredLines = ({ length }: readonly string[]): string | undefined =>
  length === 0
    ? undefined
    : `${length} ${length > 1 ? "lines are not todos and were" : "line is not a todo and was"} left out (a todo begins with "- [ ] ")`

/** The same as the board wants it. */
export const checklist: Checklist = {
  print: editorText,
  read(shown, text) {
    const { events, ignored } = readChecklistEdit(shown, text)
    return { events, remark: ignoredLines(ignored) }
  },
}
