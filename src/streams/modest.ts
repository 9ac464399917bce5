/** Whether what a call says is of a size that a list may have: the rest of the program need not fear it then. */
import { type Problem, warning } from "../plan/index.ts"
import type { Signal } from "./stream.ts"

/** Twenty thousand todos, each with a few fields; eight million characters; and deeper than any list is nested. */
const [mostValues, mostText, deepest] = [100_000, 8 << 20, 100]

/** Looked at level by level, so that no depth can exhaust the stack; stops as soon as it is too much. */
export const isModest = (value: unknown): boolean => {
  let level: unknown[] = [value]
  let [values, text] = [0, 0]
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (depth > deepest || values > mostValues) return false
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one === "string") text += one.length
      if (typeof one !== "object" || one === null) continue
      const parts = Object.values(one)
      if (parts.length > mostValues) return false
      for (const part of parts) next.push(part)
    }
    if (text > mostText) return false
    level = next
  }
  return true
}

/** A signal that others can take as it is: one that is out of all proportion becomes a problem. */
export const modest = (signal: Signal): Signal => {
  if (signal.type === "call" || signal.type === "snapshot") {
    const { input, result } = signal.call
    return isModest(input) && isModest(result) ? signal : { type: "problem", problem: immodest }
  }
  if (signal.type === "result" && !isModest(signal.result)) {
    const { result: _, ...rest } = signal
    return rest
  }
  return signal
}

const immodest: Problem = warning("too-large-list", "A list is longer or deeper than any list is, and was skipped.")
