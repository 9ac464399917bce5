/** Checks that a call's content is within the size limits of a list, so that the rest of the program can rely on it. */
import { type Problem, warning } from "../plan/index.ts"
import type { Signal } from "./stream.ts"

/** Enough for twenty thousand todos with a few fields each, eight million characters, and any real nesting. */
const [mostValues, mostText, deepest] = [100_000, 8 << 20, 100]

/** The approximate size of a value apart from its text, in characters. */
const valueSize = 16

/**
 * The approximate size of a value in characters; undefined if it is too large or too deep for a list. Goes level by
 * level, so that no depth can exhaust the stack, and stops as soon as a limit is exceeded.
 */
export const sizeOf = (value: unknown): number | undefined => {
  let level: unknown[] = [value]
  let [values, text] = [0, 0]
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length
    if (depth > deepest || values > mostValues) return undefined
    const next: unknown[] = []
    for (const one of level) {
      if (typeof one === "string") text += one.length
      if (typeof one !== "object" || one === null) continue
      const parts = Object.values(one)
      if (parts.length > mostValues) return undefined
      for (const part of parts) next.push(part)
    }
    if (text > mostText) return undefined
    level = next
  }
  return values * valueSize + text
}

/** The signal and its approximate size in characters. A list that is too large becomes a problem. */
export const withSize = (signal: Signal): { signal: Signal; size: number } => {
  if (signal.type === "call" || signal.type === "snapshot") {
    const [input, result] = [sizeOf(signal.call.input), sizeOf(signal.call.result)]
    if (input !== undefined && result !== undefined) return { signal, size: input + result }
    return { signal: { type: "problem", problem: tooLarge }, size: 0 }
  }
  if (signal.type !== "result") return { signal, size: 0 }
  const size = sizeOf(signal.result)
  if (size !== undefined) return { signal, size }
  const { result: _, ...rest } = signal
  return { signal: rest, size: 0 }
}

const tooLarge: Problem = warning(
  "too-large-list",
  "A list is longer or more deeply nested than Headway reads, and was skipped.",
)
