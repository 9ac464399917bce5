/** Reminder of plan mode: when it begins, and repeatedly while it lasts. */
import { escapeForModel } from "../../plan/index.ts"
import type { AttachmentBody } from "../attachment.ts"
import { shortened } from "../shortened.ts"
import { spokenListTools } from "../tools.ts"
import { reminderGiven, turnsSinceReminder } from "../turns.ts"
import type { PlanMode, ReminderRule } from "./reminder.ts"

type PlanModeBody = AttachmentBody & PlanMode & { type: "plan_mode" }

const type = "plan_mode"

export const planMode: ReminderRule<PlanModeBody> = {
  id: "plan-mode",
  type,
  about: "when plan mode begins, and every 5 turns while it lasts",
  speaksOfEmptyPlan: true,
  due: ({ planMode: mode, turns, pace }) => {
    if (!mode) return undefined
    const isFresh = reminderGiven(turns, type)?.turn === undefined
    return isFresh || turnsSinceReminder(turns, type) >= pace.planModeEvery ? { type, ...mode } : undefined
  },
  text: ({ file, exitTool }, tools) => {
    const list = spokenListTools(tools)
    return [
      "Plan mode is on: read, search and plan, but change nothing yet.",
      `Tools that change something are refused${list === "" ? "" : `, ${list} included`}.`,
      ...(file ? [`The plan goes into ${escapeForModel(shortened(file, 1000))}, the one file you may write.`] : []),
      ...(exitTool ? [`When it is ready, ask for approval with ${escapeForModel(shortened(exitTool, 100))}.`] : []),
    ].join(" ")
  },
}
