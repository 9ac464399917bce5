/** The message to an agent that stops with a done todo whose last check failed. Sent once. */
import { textForModel } from "../plan/index.ts"
import { shortened, shortQuote } from "./shortened.ts"

/** A todo marked done, and its failed check. */
export type Contradiction = {
  content: string
  command: string
  /** The line of the check's output about the failure. */
  printed?: string | undefined
}

export const contradictedText = (found: readonly Contradiction[]): string =>
  textForModel(
    [
      ...found.slice(0, mostNamed).map(lineOf),
      "Run the check again, or reopen the todo. If the failure has another cause, say so; you will not be asked twice.",
    ].join("\n"),
  )

/** Identifies the message, so that it is sent only once. */
export const contradictedKey = (found: readonly Contradiction[]): string =>
  JSON.stringify(found.map(({ content, command }) => [shortened(content, 200), shortened(command, 200)]))

const mostNamed = 3

const lineOf = ({ content, command, printed }: Contradiction): string => {
  const last = printed === undefined ? "" : ` and printed ${shortQuote(printed, 200)}`
  return `You marked ${shortQuote(content, 200)} as done, but the last check, ${shortQuote(command, 200)}, failed${last}.`
}
