/** The list tool has not been called for a long time: the classic reminder, with the list. */
import type { GuidanceTools } from "../tools.ts"
import { spokenListTools } from "../tools.ts"
import { turnsSinceReminder, turnsSinceWrite } from "../turns.ts"
import { bracketedList, type ListBody, listForModel } from "./_list.ts"
import { ignoreIfUnfit, keepToYourself } from "./_words.ts"
import type { ReminderRule } from "./reminder.ts"

type TodoReminderBody = ListBody & { type: "todo_reminder" }

const type = "todo_reminder"

export const todoReminder: ReminderRule<TodoReminderBody> = {
  id: "todo-reminder",
  type,
  about: "7 turns or more since the list was written, and 3 or more since the last such reminder",
  speaksOfEmptyPlan: true,
  needsListTool: true,
  due: ({ plan, turns, pace, planMode }) => {
    // In plan mode the tool is refused, so the reminder must not ask for a call.
    if (planMode || turns.messages === 0) return undefined
    if (turnsSinceWrite(turns) < pace.turnsSinceWrite) return undefined
    if (turnsSinceReminder(turns, type) < pace.turnsSinceReminder) return undefined
    return { type, ...listForModel(plan.todos) }
  },
  text: (body, tools) => {
    const asking = askingFor(tools)
    return body.content.length === 0 ? asking : `${asking}\n\nThe todos as they stand:\n\n${bracketedList(body)}`
  },
}

const askingFor = (tools: GuidanceTools): string =>
  [
    `There has been no call of ${spokenListTools(tools)} for a while. If the current work would benefit from a list, bring it`,
    "up to date: mark what is done, and remove what is stale or no longer fits.",
    ignoreIfUnfit,
    keepToYourself,
  ].join(" ")
