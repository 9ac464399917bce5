/** A list call failed: the next turn begins with the news that nobody sees the progress it meant to show. */
import type { AttachmentBody } from "../attachment.ts"
import { failedCallReminder } from "../failed-call.ts"
import { shortened, shortenedBlock } from "../shortened.ts"
import { saidOf } from "../turns.ts"
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
    const last = saidOf(turns, type)
    const isSaid = last !== undefined && (turns.written === undefined || (last.turn ?? 0) > turns.written)
    if (!failure || isSaid) return undefined
    return { type, tool: shortened(failure.tool, 100), message: shortenedBlock(failure.message, 2000) }
  },
  text: ({ tool, message }) =>
    failedCallReminder({ tool: shortened(tool, 100), message: shortenedBlock(message, 2000) }),
}
