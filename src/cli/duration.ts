/** Lengths of time, as people write them. */

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

/** How long ago something was; `-` if unknown. */
export const ageText = (at: string, now: Date): string => {
  const age = now.getTime() - Date.parse(at)
  return Number.isNaN(age) ? "-" : durationText(Math.max(0, age))
}

/** In milliseconds; undefined if it is not a duration. */
export const readDuration = (text: string): number | undefined => {
  const [, amount, letter] = /^(\d+)([dhms])$/.exec(text.trim()) ?? []
  const size = units.find(([unit]) => unit === letter)?.[1]
  return size === undefined ? undefined : Number(amount) * size
}
