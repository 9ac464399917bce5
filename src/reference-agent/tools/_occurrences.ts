/** Finds where a part occurs in a sequence, in one pass. Works for letters of a text and for lines of a file. */

/**
 * The positions of all occurrences from the left, without overlaps (Knuth, Morris, Pratt). The built-in search of
 * strings compares a long part again at every position, which takes minutes for a file of equal letters.
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

/** For each beginning of the part, the length of the longest shorter beginning with which it ends. */
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
