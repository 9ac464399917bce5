/** Lines of text for a model: numbered, and shortened if they are too long. */
import { z } from "zod"
import type { Limits } from "./tool.ts"

/** Text without lone surrogates, which would change when written to a file or passed to a shell. */
export const textInput = z
  .string()
  .refine((text) => text.isWellFormed(), "has half of a surrogate pair, which a file cannot hold")

/** The lines of a text, without the empty one after a final line break. */
export const linesOf = (text: string): string[] => {
  if (text === "") return []
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line))
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

export const cutLine = (line: string, { lineLength }: Pick<Limits, "lineLength">): string =>
  line.length <= lineLength
    ? line
    : `${line.slice(0, lineLength).toWellFormed()}… (${line.length - lineLength} more characters)`

/** As many numbered lines as fit, and how many they are. `first` counts from 1. */
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
