/** The message to an agent that marks a todo done whose check fails. Sent once for each state of the files. */
import { textForModel } from "../plan/index.ts"
import { shortened, shortQuote } from "./shortened.ts"

export type FailedCheck = {
  content: string
  command?: string | undefined
  file?: string | undefined
  /** The last lines of its output. */
  printed: readonly string[]
}

export const failedCheckText = ({ content, command, file, printed }: FailedCheck): string => {
  const what =
    command === undefined
      ? `the file ${shortQuote(file ?? "", 200)} is missing or empty.`
      : `${shortQuote(command, 200)} fails${printed.length > 0 ? ". The last it printed:" : "."}`
  // The mark shows that these lines are quoted.
  const lines = printed.slice(-mostLines).map((line) => `  > ${shortened(line, 200)}`)
  return textForModel(
    [
      `${shortQuote(content, 200)} stays open: ${what}`,
      ...(command === undefined ? [] : lines),
      "Fix it and mark the todo as done again. If the check itself is wrong, mark it as done once more and say why: then it is accepted.",
    ].join("\n"),
  )
}

const mostLines = 8
