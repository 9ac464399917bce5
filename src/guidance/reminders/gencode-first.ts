/** The first reminder of the profile `gencode`: mentions the list tool at the start of a session. */
import type { AttachmentBody } from "../attachment.ts"
import { spokenListTools } from "../tools.ts"
import { timesGiven } from "../turns.ts"
import { ignoreIfUnfit, keepToYourself } from "./_words.ts"
import type { ReminderRule } from "./reminder.ts"

type FirstBody = AttachmentBody & { type: "todo_first" }

const type = "todo_first"

export const gencodeFirst: ReminderRule<FirstBody> = {
  id: "gencode-first",
  type,
  about: "once, at the start of a session",
  speaksOfEmptyPlan: true,
  needsListTool: true,
  due: ({ turns, planMode }) => (planMode || timesGiven(turns, type) > 0 ? undefined : { type }),
  text: (_, tools) =>
    [
      `Work of several steps goes better with a plan: write it with ${spokenListTools(tools)} before you begin, and keep`,
      `it current as you go. ${ignoreIfUnfit} ${keepToYourself}`,
    ].join(" "),
}
