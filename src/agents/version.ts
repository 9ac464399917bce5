/** Compares versions of clients number by number. */

/** Whether a version is this one or a later one. Parts that are not numbers count as 0. */
export const isAtLeast = (version: string, least: string): boolean => {
  const [one, other] = [version, least].map((text) => text.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0))
  for (const index of [0, 1, 2]) {
    const difference = (one?.[index] ?? 0) - (other?.[index] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
