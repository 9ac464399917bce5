/** What an agent hears, once, when it stops with a todo ticked off whose last check failed. */
import { textForModel } from "../plan/index.ts"
import { shortened } from "./shortened.ts"

/** A todo that is called done, and the check that says otherwise. */
export type Contradiction = {
  content: string
  command: string
  /** What the check printed of the failure, in one line. */
  printed?: string | undefined
}

export const contradictedText = (found: readonly Contradiction[]): string =>
  textForModel(
    [
      ...found.slice(0, mostNamed).map(lineOf),
      "Run it again, or take the todo up again. If the failure has another reason, say so; you are not asked twice.",
    ].join("\n"),
  )

/** Names what was said, so that it is said once. */
export const contradictedKey = (found: readonly Contradiction[]): string =>
  JSON.stringify(found.map(({ content, command }) => [shortened(content, 200), shortened(command, 200)]))

const mostNamed = 3

const lineOf = ({ content, command, printed }: Contradiction): string => {
  const last = printed === undefined ? "" : `: ${shortened(printed, 200)}`
  return `You ticked off "${shortened(content, 200)}", but the last check, "${shortened(command, 200)}", failed${last}`
}
