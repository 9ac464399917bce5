/** Questions to the person, one at a time: permissions to read, write or run, and approval of plans. */
import type { AgentOptions } from "../../reference-agent/agent.ts"
import type { Asker } from "../../reference-agent/ask-person.ts"
import type { Permission } from "../../reference-agent/tools/index.ts"
import { alwaysOffer } from "../../views/text/question.ts"
import type { Timer } from "../terminal/pace.ts"
import type { OpenQuestion, Stage } from "./stage.ts"
import { shownLines } from "./transcript.ts"

export type Questions = Pick<AgentOptions, "permit" | "confirm"> & {
  /** Call this when the question has been drawn. */
  drawn(question: OpenQuestion | undefined): void
  /**
   * Handles one of `questionKeys`; other keys do nothing. A question takes an answer only after it was visible for a
   * while.
   */
  press(key: string, seen: SeenQuestion): void
}

/** The keys for yes, no and always, and the keys that scroll. */
export const questionKeys: ReadonlySet<string> = new Set([
  "y",
  "n",
  "a",
  "up",
  "down",
  "pageup",
  "pagedown",
  "home",
  "end",
])

/** A question as currently drawn. */
export type SeenQuestion = {
  question: OpenQuestion | undefined
  isAnswerable: boolean
  /** The number of rows of its subject, and how many are visible at a time. */
  rows: number
  page: number
  /** Whether the screen is too small to show the question and part of its subject. */
  isTooSmall: boolean
}

type Asked = OpenQuestion & {
  /** The kind of action that `a` allows from then on. */
  kind?: Permission["action"]
  resolve: (isYes: boolean) => void
}

/**
 * Milliseconds after a question is drawn before it takes an answer. A key pressed sooner was meant for something else,
 * such as the previous question, and restarts the time, as does a key that is held down.
 */
export const readingTime = 500

/** An interruption answers every open question with no. */
export const createQuestions = (stage: Stage, timer: Timer): Questions => {
  const allowed = new Set<Permission["action"]>()
  let open: readonly Asked[] = []
  let stopWaiting = (): void => {}
  const show = (next: readonly Asked[]): void => {
    open = next
    if (stage.state.question === open[0]) return
    stopWaiting()
    stage.change({ question: open[0], scrolled: 0, isAnswerable: false })
  }
  const letRead = (): void => {
    stopWaiting()
    if (stage.state.isAnswerable) stage.change({ isAnswerable: false })
    stopWaiting = timer.after(readingTime, () => {
      // Keys pressed while this process was busy are read between two timers, and count as early too.
      stopWaiting = timer.after(0, () => stage.change({ isAnswerable: true }))
    })
  }
  const settle = (done: readonly Asked[], isYes: boolean): void => {
    const settled = done.filter((one) => open.includes(one))
    show(open.filter((one) => !done.includes(one)))
    for (const { detail = "", resolve } of settled) {
      // Answered questions stay visible in the scroll-back.
      if (detail !== "") stage.write("shown", shownLines(detail, stage.room()))
      resolve(isYes)
    }
  }
  const ask = (question: Omit<Asked, "resolve">, by: Asker): Promise<boolean> => {
    if (by.signal.aborted || stage.state.isOver) return Promise.resolve(false)
    return new Promise((resolve) => {
      const asked = { ...question, text: whose(by) + question.text, resolve }
      by.signal.addEventListener("abort", () => settle([asked], false), { once: true })
      show([...open, asked])
    })
  }
  const answer = (first: Asked, key: string): void => {
    if (key === "y") settle([first], true)
    if (key !== "a" || first.kind === undefined) return
    allowed.add(first.kind)
    settle(
      open.filter(({ kind }) => kind === first.kind),
      true,
    )
  }
  return {
    permit(permission, by) {
      const { action, question: text, detail } = permission
      const always = alwaysOffer(permission)
      if (always === undefined) return ask({ text, detail }, by)
      return allowed.has(action) ? Promise.resolve(true) : ask({ text, detail, always, kind: action }, by)
    },
    confirm: (text, detail, by) => ask({ text, detail }, by),
    drawn(question) {
      if (question !== undefined && question === open[0]) letRead()
    },
    press(key, seen) {
      const [first] = open
      if (!first || seen.question !== first) return
      const scrolled = scrolledBy(key, stage.state.scrolled, seen)
      if (scrolled !== undefined) stage.change({ scrolled })
      else if (!seen.isAnswerable) letRead()
      else if (key === "n") settle([first], false)
      else if (!seen.isTooSmall) answer(first, key)
    },
  }
}

/** The new scroll position after a key; undefined for a key that does not scroll. */
const scrolledBy = (key: string, scrolled: number, { rows, page }: SeenQuestion): number | undefined => {
  const end = Math.max(0, rows - page)
  const from = Math.min(scrolled, end)
  const ways: Readonly<Record<string, number>> = {
    ...{ up: from - 1, down: from + 1, pageup: from - page, pagedown: from + page, home: 0, end },
  }
  const to = ways[key]
  return to === undefined ? undefined : Math.max(0, Math.min(to, end))
}

const whose = ({ agent, depth }: Asker): string => (depth === 0 ? "" : `${agent}: `)
