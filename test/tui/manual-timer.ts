/** A timer that goes on only when a test says so. */

import type { Timer } from "../../src/tui/terminal/pace.ts"

export type ManualTimer = Timer & { advance(milliseconds: number): void }

export const manualTimer = (): ManualTimer => {
  let time = 0
  const waiting = new Map<() => void, number>()
  return {
    now: () => time,
    after(milliseconds, run) {
      // The same function may wait twice.
      const once = (): void => run()
      waiting.set(once, time + milliseconds)
      return () => waiting.delete(once)
    },
    advance(milliseconds) {
      const until = time + milliseconds
      for (;;) {
        const due = [...waiting].filter(([, at]) => at <= until).sort(([, one], [, other]) => one - other)[0]
        if (!due) break
        time = due[1]
        waiting.delete(due[0])
        due[0]()
      }
      time = until
    },
  }
}
