/** Applies several changes to a text by position. */

export type Change = { from: number; to: number; text: string }

/** Positions are those of the text as it was; changes may not overlap. Of two at one place the first comes first. */
export const withChanges = (text: string, changes: readonly Change[]): string => {
  const parts: string[] = []
  let at = 0
  for (const { from, to, text: shown } of changes.toSorted((one, other) => one.from - other.from)) {
    parts.push(text.slice(at, from), shown)
    at = to
  }
  return [...parts, text.slice(at)].join("")
}
