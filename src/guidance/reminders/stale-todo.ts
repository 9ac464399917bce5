/** A todo has been in progress for many turns without an update: the only nag of the quiet profile, naming the todo. */
import { activeTodo, escapeForModel, idsForAgent } from "../../plan/index.ts"
import type { AttachmentBody } from "../attachment.ts"
import { todoName } from "../shortened.ts"
import { spokenListTools } from "../tools.ts"
import { reminderGiven, timesGiven, workSinceTouched } from "../turns.ts"
import { type ListedTodo, listedTodo } from "./_list.ts"
import { keepToYourself } from "./_words.ts"
import type { ReminderRule } from "./reminder.ts"

type StaleTodoBody = AttachmentBody & { type: "stale_todo"; todo: ListedTodo; turns: number }

const type = "stale_todo"

export const staleTodo: ReminderRule<StaleTodoBody> = {
  id: "stale-todo",
  type,
  about: "10 turns of tool work or more with a todo in progress and the list untouched; at most 3 times a session",
  needsListTool: true,
  due: ({ plan, ledger, turns, pace, planMode }) => {
    if (planMode || ledger?.paused || timesGiven(turns, type) >= pace.mostStale) return undefined
    const untouched = workSinceTouched(turns)
    if (untouched < pace.staleAfter) return undefined
    const last = reminderGiven(turns, type)
    if (last && turns.work - last.work < pace.staleAfter) return undefined
    const todo = activeTodo(plan)
    return todo && { type, todo: listedTodo(todo, idsForAgent(plan.todos)), turns: untouched }
  },
  text: ({ todo, turns }, tools) =>
    [
      `Todo ${escapeForModel(todoName(todo.id, todo.content))} has been in progress for`,
      `${turns} turns with the list untouched. If that is no longer true, update it with ${spokenListTools(tools)};`,
      `otherwise ignore this. ${keepToYourself}`,
    ].join(" "),
}
