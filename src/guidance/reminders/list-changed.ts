/** Reminder that the list has changed or is empty, for models without a tool to read it. */
import { timesGiven } from "../turns.ts"
import { listForModel } from "./_list.ts"
import { type TodoBody, todoText } from "./_todo-text.ts"
import type { ReminderRule } from "./reminder.ts"

export const listChanged: ReminderRule<TodoBody> = {
  id: "list-changed",
  type: "todo",
  about: "the list was changed by someone other than this agent, or it is empty when the model is first told about it",
  speaksOfEmptyPlan: true,
  needsListTool: true,
  tellsList: true,
  due: ({ plan, turns, restored, edits }) => {
    if (restored !== undefined || turns.known === plan.revision) return undefined
    const isEmpty = plan.todos.length === 0
    // Once is enough: after a compaction, an empty list need not be reported again.
    if (isEmpty && turns.known === undefined && timesGiven(turns, "todo") > 0) return undefined
    // The person emptied the list on purpose, which another reminder reports. Inviting a new list would contradict
    // that.
    if (isEmpty && edits !== undefined) return undefined
    return { type: "todo", ...listForModel(plan.todos) }
  },
  text: todoText,
}
