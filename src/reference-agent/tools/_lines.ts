/** Lines of text as they are shown to a model: numbered, and shortened if they are too long. */
import { z } from "zod"
import type { Limits } from "./tool.ts"

/** Text that can be stored as it is: half a character would become another one when written to a file or passed to a shell. */
export const textInput = z
  .string()
  .refine((text) => text.isWellFormed(), "has half of a surrogate pair, which a file cannot hold")

/** Without the last, empty one that a final line end makes. */
export const linesOf = (text: string): string[] => {
  if (text === "") return []
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

export const cutLine = (line: string, { lineLength }: Pick<Limits, "lineLength">): string =>
  line.length <= lineLength
    ? line
    : `${line.slice(0, lineLength).toWellFormed()}… (${line.length - lineLength} more characters)`

/** As many numbered lines as fit, and their number. `first` counts from 1. */
export const numbered = (
  lines: readonly string[],
  { first, limits }: { first: number; limits: Limits },
): { text: string; count: number } => {
  const shown: string[] = []
  let length = 0
  for (const line of lines.slice(0, limits.listLength)) {
    const next = `${first + shown.length}\t${cutLine(line, limits)}`
    if (shown.length > 0 && length + next.length > limits.outputLength) break
    shown.push(next)
    length += next.length + 1
  }
  return { text: shown.join("\n"), count: shown.length }
}

export const count = (number: number, noun: string, plural = `${noun}s`): string =>
  `${number} ${number === 1 ? noun : plural}`
