/** The reminder after a list call that failed: nobody sees the progress it meant to show. */
import { escapeForModel } from "../views/index.ts"

export type FailedCall = { tool: string; message: string }

export const failedCallReminder = ({ tool, message }: FailedCall): string =>
  [
    `Your last ${escapeForModel(tool)} call failed, so the progress in it is not visible to anybody yet:`,
    escapeForModel(message),
    "Make the call again, corrected, before you go on.",
  ].join("\n")
