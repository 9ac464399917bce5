/** Lengths of time, as people write them. */
import { HeadwayError } from "../plan/headway-error.ts"

const units: readonly [letter: string, milliseconds: number][] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
]

/** In the largest unit that fits: `3d`, `2h`, `5m`, `12s`. */
export const durationText = (milliseconds: number): string => {
  const [letter, size] = units.find(([, size]) => milliseconds >= size) ?? ["s", 1_000]
  return `${Math.floor(milliseconds / size)}${letter}`
}

/** How long ago something was; `-` when nobody knows. */
export const ageText = (at: string, now: Date): string => {
  const age = now.getTime() - Date.parse(at)
  return Number.isNaN(age) ? "-" : durationText(Math.max(0, age))
}

export const readDuration = (text: string): number => {
  const [, amount, letter] = /^(\d+)([dhms])$/.exec(text.trim()) ?? []
  const size = units.find(([unit]) => unit === letter)?.[1]
  if (amount === undefined || size === undefined) {
    throw new HeadwayError("usage", `"${text}" is no length of time. Write 30d, 12h, 45m or 90s.`)
  }
  return Number(amount) * size
}
