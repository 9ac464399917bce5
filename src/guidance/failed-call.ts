/** The reminder after a list call that failed: the progress in it was not recorded. */
import { lineForModel } from "../plan/index.ts"

export type FailedCall = { tool: string; message: string }

export const failedCallReminder = ({ tool, message }: FailedCall): string =>
  [
    `Your last ${lineForModel(tool)} call failed, so the progress in it is not visible yet: ${lineForModel(message)}`,
    "Make the call again, corrected, before you go on.",
  ].join("\n")
