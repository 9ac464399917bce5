/** The word that was probably meant, for one that is not known. */

/** `Did you mean "list"?` where a known word is near enough, else nothing. */
export const didYouMean = (typed: string, known: readonly string[]): string => {
  const word = nearestWord(typed, known)
  return word === undefined ? "" : ` Did you mean "${word}"?`
}

const nearestWord = (typed: string, known: readonly string[]): string | undefined => {
  const begun = typed.length > 1 ? known.filter((word) => word.startsWith(typed)) : []
  if (begun.length === 1) return begun[0]
  const most = Math.max(1, Math.floor(typed.replace(/^-+/, "").length / 3))
  const [nearest] = known
    .map((word) => ({ word, distance: distanceOf(typed.toLowerCase(), word) }))
    .filter(({ distance }) => distance <= most)
    .sort((one, other) => one.distance - other.distance)
  return nearest?.word
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour. */
export const distanceOf = (one: string, other: string): number => {
  if (Math.abs(one.length - other.length) > 8) return Number.POSITIVE_INFINITY
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap && row > 1 && column > 1 ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = next
  }
  return last[other.length] ?? 0
}
