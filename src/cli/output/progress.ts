/** A progress message at a terminal for long operations; quick ones show nothing. */
import type { Io } from "../io.ts"

/** In milliseconds: how long nothing is said, and then how often. */
const quietTime = 1000
const pause = 200

export type ShownProgress = {
  /** `words` are made only when they are shown. */
  report(words: () => string): void
  /** Before anything else is printed, because both may go to the same screen. */
  clear(): void
}

export const createProgress = (io: Pick<Io, "err" | "now" | "isTerminal">): ShownProgress => {
  const isSeen = io.isTerminal.err
  let lastReport = (isSeen ? io.now().getTime() : 0) + quietTime - pause
  let isShown = false
  const clear = (): void => {
    if (isShown) io.err({ gesture: "clear-row" })
    isShown = false
  }
  return {
    report(words) {
      const now = isSeen ? io.now().getTime() : 0
      if (now < lastReport + pause) return
      lastReport = now
      clear()
      isShown = true
      io.err(`headway: ${words()}`)
    },
    clear,
  }
}
