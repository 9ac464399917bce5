/** Where a part occurs in a sequence, found in one pass: letters of a text as well as lines of a file. */

/**
 * The places of all occurrences, from the left, none overlapping another (Knuth, Morris, Pratt). The search that strings
 * have built in compares a long part again at every place, so that a file of equal letters takes minutes.
 */
export const occurrences = (
  whole: ArrayLike<string>,
  part: ArrayLike<string>,
  most = Number.POSITIVE_INFINITY,
): number[] => {
  const places: number[] = []
  if (part.length === 0 || part.length > whole.length) return places
  const borders = bordersOf(part)
  let matched = 0
  for (let at = 0; at < whole.length && places.length < most; at += 1) {
    matched = afterNext(part, borders, matched, whole[at])
    if (matched < part.length) continue
    places.push(at - part.length + 1)
    matched = 0
  }
  return places
}

/** For each beginning of the part, how long the longest shorter beginning is that it also ends with. */
const bordersOf = (part: ArrayLike<string>): Uint32Array => {
  const borders = new Uint32Array(part.length)
  for (let at = 1; at < part.length; at += 1) {
    borders[at] = afterNext(part, borders, borders[at - 1] ?? 0, part[at])
  }
  return borders
}

/** How much of the part is matched after one more element. */
const afterNext = (
  part: ArrayLike<string>,
  borders: Uint32Array,
  matched: number,
  next: string | undefined,
): number => {
  let length = matched
  while (length > 0 && part[length] !== next) length = borders[length - 1] ?? 0
  return part[length] === next ? length + 1 : length
}
