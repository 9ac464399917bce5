/** The repeated reminder of the profile `gencode`: many turns have passed without an update of the list. */
import { activeTodo, escapeForModel, progressOf } from "../../plan/index.ts"
import type { AttachmentBody } from "../attachment.ts"
import { shortened, shortQuote } from "../shortened.ts"
import { spokenListTools } from "../tools.ts"
import { turnsSinceReminder, turnsSinceWrite } from "../turns.ts"
import { ignoreIfUnfit, keepToYourself } from "./_words.ts"
import type { ReminderRule } from "./reminder.ts"

type NagBody = AttachmentBody & {
  type: "todo_nag"
  turns: number
  completed: number
  total: number
  /** The text of the todo in progress. */
  active?: string
}

const type = "todo_nag"

export const gencodeNag: ReminderRule<NagBody> = {
  id: "gencode-nag",
  type,
  about: "10 turns without an update of the list, and again after 10 more",
  speaksOfEmptyPlan: true,
  needsListTool: true,
  due: ({ plan, turns, pace, planMode }) => {
    const since = turnsSinceWrite(turns)
    if (planMode || since < pace.nagAfter || turnsSinceReminder(turns, type) < pace.nagAfter) return undefined
    const { completed, total } = progressOf(plan)
    const active = activeTodo(plan)?.content
    return { type, turns: since, completed, total, ...(active === undefined ? {} : { active: shortened(active, 200) }) }
  },
  text: ({ turns, completed, total, active }, tools) =>
    [
      `The todo list has had no update for ${turns} turns${total === 0 ? "" : `; it says ${completed}/${total} completed`}`,
      active === undefined ? "." : ` and ${escapeForModel(shortQuote(active, 200))} in progress.`,
      ` If it is out of date, update it with ${spokenListTools(tools)}. ${ignoreIfUnfit} ${keepToYourself}`,
    ].join(""),
}
