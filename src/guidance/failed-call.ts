/** The reminder after a list call that failed: the progress in it was not recorded. */
import { lineForModel } from "../plan/index.ts"

export type FailedCall = { tool: string; message: string }

export const failedCallReminder = ({ tool, message }: FailedCall): string =>
  [
    `Your last ${lineForModel(tool)} call failed, so the progress in it is not visible yet: ${lineForModel(message)}`,
    "Correct the call and make it again before you continue.",
  ].join("\n")
