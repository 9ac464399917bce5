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

/**
 * The beginning of the message. The model already got all of it, with an example of a valid call, as the tool's result.
 */
const briefly = ({ tool, message }: FailedCall): FailedCall => ({
  tool: shortened(tool, 100),
  message: shortened(message, 120),
})
