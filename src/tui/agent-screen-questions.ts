/** Questions to the person, one after the other: may it read, write or run this, and is this plan good. */
import type { Permission } from "../agent/tools/index.ts"
import type { Stage } from "./agent-screen-stage.ts"
import { shownLines } from "./agent-screen-transcript.ts"

export type Questions = {
  permit: (permission: Permission) => Promise<boolean>
  confirm: (question: string, detail?: string) => Promise<boolean>
  /** `y`, `n` or `a`; any other key answers nothing. */
  answer(key: string): void
  /** Says no to all that is open. */
  dismiss(): void
}

type Asked = {
  text: string
  always?: string | undefined
  /** What `a` allows from then on. */
  kind?: string
  resolve: (isYes: boolean) => void
}

/** What is asked while nobody listens any more is answered with no. */
export const createQuestions = (stage: Stage, isListening: () => boolean): Questions => {
  const allowed = new Set<string>()
  let open: Asked[] = []
  const show = (next: Asked[]): void => {
    open = next
    stage.change({ question: open[0] })
  }
  const settle = (done: readonly Asked[], isYes: boolean): void => {
    show(open.filter((one) => !done.includes(one)))
    for (const { resolve } of done) resolve(isYes)
  }
  const ask = (question: Omit<Asked, "resolve">, detail = ""): Promise<boolean> => {
    if (!isListening()) return Promise.resolve(false)
    return new Promise((resolve) => {
      // All of it goes above: somebody answers for the whole, and can look at it later.
      if (detail.trim() !== "") stage.write("shown", shownLines(detail, stage.room()))
      show([...open, { ...question, resolve }])
    })
  }
  return {
    permit({ action, isOutside, question, detail }) {
      if (isOutside) return ask({ text: question }, detail)
      if (allowed.has(action)) return Promise.resolve(true)
      return ask({ text: question, always: alwaysWords[action], kind: action }, detail)
    },
    confirm: (text, detail) => ask({ text }, detail),
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
    dismiss: () => settle(open, false),
  }
}

const alwaysWords: Record<Permission["action"], string> = {
  run: "always run commands here",
  write: "always write here",
  read: "always read here",
}
