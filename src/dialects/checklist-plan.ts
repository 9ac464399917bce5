/**
 * Reads a checklist with our own marks as items and phases of a plan, for dialects that use them and for people's
 * editors.
 */
import { type Problem, sanitise, type Wanted } from "../plan/index.ts"
import { type ChecklistOptions, houseMarks, readChecklist } from "./checklist.ts"
import { checklistItems, readItem } from "./reading/items.ts"

/** The items, phases and problems of a Markdown checklist. */
export const readChecklistPlan = (
  text: string,
  problems: Problem[],
  options: ChecklistOptions = {},
): { items: Wanted[]; phases: string[]; ignored: string[] } => {
  const { items, phases, ignored } = readChecklist(text, houseMarks, options)
  const words = { list: "todos", text: "content" }
  return {
    items: checklistItems(items).flatMap((item) => readItem(item, words, problems) ?? []),
    phases: phases.flatMap((name) => sanitise(name) || []),
    ignored,
  }
}
