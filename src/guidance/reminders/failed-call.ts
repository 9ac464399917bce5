/** Reminder after a failed list call: its progress was not recorded. */
import type { AttachmentBody } from "../attachment.ts"
import { type FailedCall, failedCallReminder } from "../failed-call.ts"
import { shortened } from "../shortened.ts"
import { reminderGiven } from "../turns.ts"
import type { ReminderRule } from "./reminder.ts"

type FailedCallBody = AttachmentBody & { type: "failed_call"; tool: string; message: string }

const type = "failed_call"

export const failedCall: ReminderRule<FailedCallBody> = {
  id: "failed-call",
  type,
  about: "the turn after a list call that failed, once for each",
  speaksOfEmptyPlan: true,
  needsListTool: true,
  due: ({ failure, turns }) => {
    const last = reminderGiven(turns, type)
    const isSaid = last !== undefined && (turns.written === undefined || (last.turn ?? 0) > turns.written)
    if (!failure || isSaid) return undefined
    return { type, ...briefly(failure) }
  },
  text: (body) => failedCallReminder(briefly(body)),
}

/** The whole message, with its example of a valid call, was the tool's result: here its beginning is enough. */
const briefly = ({ tool, message }: FailedCall): FailedCall => ({
  tool: shortened(tool, 100),
  message: shortened(message, 120),
})
