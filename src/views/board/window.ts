/** Decides which part of a long list is visible. Looks only at items near the cursor, however long the list is. */

export type Sight = {
  count: number
  /** How many lines are available. */
  rows: number
  heightOf(index: number): number
}

/**
 * The first item to draw: the previous one, moved just enough to show the cursor with some lines around it, and never
 * so far that lines stay empty below the end.
 */
export const topFor = (sight: Sight, cursor: number, top: number, margin: number): number => {
  const { count, rows, heightOf } = sight
  if (count === 0 || rows <= 0) return 0
  const at = clamp(cursor, 0, count - 1)
  const own = heightOf(at)
  const around = Math.max(0, Math.min(margin, Math.floor((rows - own) / 2)))
  const below = linesBelow(sight, at, around)
  const lowest = backFrom(sight, at, rows - own - below)
  const highest = Math.max(lowest, backUntil(sight, at, around))
  const last = backFrom(sight, count, rows)
  return Math.min(clamp(top, lowest, highest), Math.max(last, 0))
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

/** The height of the items after an item, counted up to `wanted`. */
const linesBelow = ({ count, heightOf }: Sight, from: number, wanted: number): number => {
  let lines = 0
  for (let index = from + 1; index < count && lines < wanted; index += 1) lines += heightOf(index)
  return Math.min(lines, wanted)
}

/** The earliest item from which all items up to this one fit into this many lines. */
const backFrom = ({ heightOf }: Sight, from: number, room: number): number => {
  let index = from
  let left = room
  while (index > 0) {
    left -= heightOf(index - 1)
    if (left < 0) break
    index -= 1
  }
  return index
}

/** The nearest earlier item with at least this many lines between it and this one. */
const backUntil = ({ heightOf }: Sight, from: number, wanted: number): number => {
  let index = from
  for (let lines = 0; index > 0 && lines < wanted; index -= 1) lines += heightOf(index - 1)
  return index
}
