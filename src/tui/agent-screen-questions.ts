/** Questions to the person, one after the other: may it read, write or run this, and is this plan good. */
import type { AgentOptions } from "../agent/agent.ts"
import type { Asker } from "../agent/asking.ts"
import type { Permission } from "../agent/tools/index.ts"
import type { Stage } from "./agent-screen-stage.ts"
import { shownLines } from "./agent-screen-transcript.ts"

export type Questions = Pick<AgentOptions, "permit" | "confirm"> & {
  /** `y`, `n` or `a`; any other key answers nothing. */
  answer(key: string): void
}

type Asked = {
  text: string
  always?: string | undefined
  /** What `a` allows from then on. */
  kind?: Permission["action"]
  resolve: (isYes: boolean) => void
}

/** An answer that is not wanted any more, because the work was interrupted, is a no. */
export const createQuestions = (stage: Stage): Questions => {
  const allowed = new Set<Permission["action"]>()
  let open: readonly Asked[] = []
  const show = (next: readonly Asked[]): void => {
    open = next
    stage.change({ question: open[0] })
  }
  const settle = (done: readonly Asked[], isYes: boolean): void => {
    show(open.filter((one) => !done.includes(one)))
    for (const { resolve } of done) resolve(isYes)
  }
  const ask = (question: Omit<Asked, "resolve">, detail: string | undefined, by: Asker): Promise<boolean> => {
    if (by.signal.aborted || stage.state.isOver) return Promise.resolve(false)
    return new Promise((resolve) => {
      const asked = { ...question, text: whose(by) + question.text, resolve }
      // All of it goes above: somebody answers for the whole, and can look at it later.
      if (detail !== undefined && detail.trim() !== "") stage.write("shown", shownLines(detail, stage.room()))
      by.signal.addEventListener("abort", () => settle([asked], false), { once: true })
      show([...open, asked])
    })
  }
  return {
    permit({ action, isOutside, question, detail }, by) {
      if (isOutside) return ask({ text: question }, detail, by)
      if (allowed.has(action)) return Promise.resolve(true)
      return ask({ text: question, always: alwaysWords[action], kind: action }, detail, by)
    },
    confirm: (text, detail, by) => ask({ text }, detail, by),
    answer(key) {
      const [first] = open
      if (!first) return
      if (key === "y" || key === "n") settle([first], key === "y")
      if (key !== "a" || first.kind === undefined) return
      allowed.add(first.kind)
      settle(
        open.filter(({ kind }) => kind === first.kind),
        true,
      )
    },
  }
}

const whose = ({ agent, depth }: Asker): string => (depth === 0 ? "" : `${agent}: `)

const alwaysWords: Record<Permission["action"], string> = {
  run: "always run commands here",
  write: "always write here",
  read: "always read here",
}
