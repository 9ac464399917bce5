/** Compares the wordings of todos: models change case, punctuation and a word here and there. */

/**
 * Case, spaces, surrounding quotes, final punctuation and what is not drawn do not make another todo; nothing but those is
 * itself.
 */
export const normalise = (text: string): string => {
  const drawn = /[^\0-~]/.test(text) ? text.replace(undrawn(), "").replace(tooManyMarks(), "") : text
  const folded = drawn.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim()
  let start = 0
  let end = folded.length
  while (start < end && opening.has(folded.charAt(start))) start += 1
  while (end > start && closing.has(folded.charAt(end - 1))) end -= 1
  return start === end ? folded : folded.slice(start, end)
}

/**
 * Joiners and selectors change how a text looks at most a little, and some screens pass them over. Both patterns stand in
 * functions, so that a command that needs neither does not make the classes of all of Unicode ready at its start.
 */
const undrawn = (): RegExp => /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Marks on one letter are put in order while normalising, which takes their number squared. No script needs thirty. */
const tooManyMarks = (): RegExp => /(?<=[\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]/gu

const opening: ReadonlySet<string> = new Set(" \"'`*_")
const closing: ReadonlySet<string> = new Set(" \"'`*_.,;:!?…。！？")

/** Long texts are distinguished by their beginnings; comparing more would rarely change the result. */
const compared = 400

/** From 0 (nothing in common) to 1 (the same words, or the same letters in the same order). */
export const similarity = (one: string, other: string): number => similarityOf(profileOf(one), profileOf(other))

/** A text made ready for being compared many times. */
export type Profile = { text: string; words: Bag; pairs: Bag; labels: string }
type Bag = { counts: ReadonlyMap<string | number, number>; size: number }

export const profileOf = (text: string): Profile => {
  const normal = normalise(text.slice(0, compared))
  const words = normal.match(/[\p{L}\p{N}]+/gu) ?? []
  const labels = words.filter((word) => /^(?:\p{N}+|[a-z])$/u.test(word)).join(" ")
  return { text: normal, words: bagOf(words), pairs: bagOf(pairsOf(normal)), labels }
}

export const similarityOf = (one: Profile, other: Profile): number => {
  if (one.text === other.text) return 1
  const alike = Math.max(overlap(one.words, other.words), overlap(one.pairs, other.pairs))
  // "Test module A" and "Test module B", "Fix test 1" and "Fix test 3" are alike because they are not the same.
  const areTwo = one.labels !== "" && other.labels !== "" && one.labels !== other.labels
  return areTwo ? alike / 2 : alike
}

/** Whether a text has every word of another, as often. */
export const hasAllWordsOf = ({ words }: Profile, other: Profile): boolean =>
  [...other.words.counts].every(([word, count]) => (words.counts.get(word) ?? 0) >= count)

/** Two neighbouring letters as one number: texts are compared by the thousand. */
const pairsOf = (text: string): number[] => {
  const pairs: number[] = []
  for (let at = 1; at < text.length; at += 1) pairs.push((text.charCodeAt(at - 1) << 16) | text.charCodeAt(at))
  return pairs
}

const bagOf = (parts: readonly (string | number)[]): Bag => {
  const counts = new Map<string | number, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return { counts, size: parts.length }
}

/** Dice's coefficient over two bags. */
const overlap = (one: Bag, other: Bag): number => {
  if (one.size === 0 || other.size === 0) return 0
  let common = 0
  for (const [part, count] of one.counts) common += Math.min(count, other.counts.get(part) ?? 0)
  return (2 * common) / (one.size + other.size)
}
