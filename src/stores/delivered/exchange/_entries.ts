/** Lists of entries: in parts, each entry once, and whether one list has all of another. */
import type { Entry } from "../../../plan/index.ts"

const mostAtOnce = 200

export const chunksOf = (entries: readonly Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / mostAtOnce) }, (_, index) =>
    entries.slice(index * mostAtOnce, (index + 1) * mostAtOnce),
  )

/** An entry may be in a log twice; its first position counts. */
export const onceEach = (entries: readonly Entry[]): Entry[] =>
  [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed()

export const hasAll = (entries: readonly Entry[], wanted: readonly Entry[]): boolean => {
  const ids = new Set(entries.map(({ id }) => id))
  return wanted.every(({ id }) => ids.has(id))
}
