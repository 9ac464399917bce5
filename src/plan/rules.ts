/** What a dialect demands of a list, as data: one preset per dialect, checked in one place. */
import type { Settle } from "./event.ts"
import type { Wanted } from "./match.ts"
import { error, type Problem } from "./problem.ts"

export type Rules = {
  /** More than one todo in progress: fine, refused, or brought down to the first. */
  oneActive: "allow" | "reject" | "normalise"
  /** With nothing in progress the first pending todo starts by itself. */
  autoStart: boolean
  /** A list sent with everything completed leaves the stored list empty. */
  clearWhenDone: boolean
  /** Unfinished todos that a whole list leaves out stay. */
  keepUnfinished: boolean
  maxTodos?: number
  /** In characters, for the content and for the active form. */
  maxLength: number
}

/** What nobody forbids: long enough for any todo, short enough for any screen and prompt. */
export const defaultRules: Rules = {
  oneActive: "allow",
  autoStart: false,
  clearWhenDone: false,
  keepUnfinished: false,
  maxLength: 20_000,
}

/** What the rules say against a list as it was sent. Any error means that nothing of it is stored. */
export const check = (rules: Rules, items: readonly Wanted[]): Problem[] => {
  const problems: Problem[] = []
  const active = items.filter(({ status }) => status === "in_progress")
  if (rules.oneActive === "reject" && active.length > 1) {
    const names = active.slice(0, 3).map(({ content, id }) => `"${(content ?? id ?? "").slice(0, 60)}"`)
    problems.push(
      error(
        "several-active",
        `Only one todo may be in_progress, but ${active.length} are: ${names.join(", ")}. Keep one and set the others to pending.`,
      ),
    )
  }
  if (rules.maxTodos !== undefined && items.length > rules.maxTodos) {
    problems.push(
      error(
        "too-many-todos",
        `A list holds at most ${rules.maxTodos} todos, but ${items.length} were sent. Merge small steps and send the list again.`,
      ),
    )
  }
  const long = items.findIndex(
    ({ content = "", activeForm = "" }) => Math.max(content.length, activeForm.length) > rules.maxLength,
  )
  if (long >= 0) {
    const advice = "Shorten it and put details into notes."
    problems.push(
      error(
        "too-long",
        `A todo has at most ${rules.maxLength} characters, but number ${long + 1} is longer. ${advice}`,
      ),
    )
  }
  const bulky = items.findIndex((item) => detailsOf(item).some((text) => text.length > maxDetails))
  if (bulky >= 0) {
    problems.push(
      error(
        "too-long",
        `A description, note or reason has at most ${maxDetails} characters, but one of number ${bulky + 1} is longer.`,
      ),
    )
  }
  return problems
}

/** What stands beside a todo's text may be long, but is no place for files. */
const maxDetails = 100_000

const detailsOf = ({ description = "", reason = "", waitsFor = "", notes = [] }: Wanted): string[] => [
  description,
  reason,
  waitsFor,
  ...notes,
]

export const settleOf = ({ oneActive, autoStart }: Rules): Settle => ({
  ...(oneActive === "normalise" ? { oneActive: true } : {}),
  ...(autoStart ? { autoStart: true } : {}),
})
