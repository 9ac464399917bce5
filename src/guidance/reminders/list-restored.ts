/** Repeats the list after a compaction, or as a paused list in a later session. */
import { workingTodos } from "../../plan/index.ts"
import { listForModel } from "./_list.ts"
import { type TodoBody, todoText } from "./_todo-text.ts"
import type { ReminderRule, Situation } from "./reminder.ts"

export const listRestored: ReminderRule<TodoBody> = {
  id: "list-restored",
  type: "todo",
  about: "after compaction, with work in progress; after a session is resumed, paused until the plan is resumed",
  tellsList: true,
  due: (situation) => {
    if (situation.restored === "compact") return compacted(situation)
    return situation.restored === "resume" ? resumed(situation) : undefined
  },
  text: todoText,
}

const compacted = ({ plan }: Situation): TodoBody | undefined =>
  plan.todos.length === 0 ? undefined : { type: "todo", ...listForModel(plan.todos), context: "post-compact" }

/** The list in a resumed session, without todos that were finished earlier. */
const resumed = ({ plan, ledger, now }: Situation): TodoBody | undefined => {
  const todos = ledger ? workingTodos(plan, ledger) : plan.todos
  if (todos.length === 0) return undefined
  const age = now.getTime() - Date.parse(ledger?.updated ?? "")
  return {
    type: "todo",
    ...listForModel(todos, plan.todos),
    context: "resume",
    isPaused: ledger?.paused ?? true,
    ...(age >= 0 ? { age } : {}),
  }
}
