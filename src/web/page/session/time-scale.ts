/** Maps times to positions on the timeline. Long breaks are shortened, so that a night leaves room for the work. */

export type TimeScale = {
  /** Returns the position of a time, from 0 at the start to 1 at the end. */
  shareOf(time: number): number
  /** The breaks that are drawn shorter than they were, as positions from 0 to 1. */
  breaks: readonly { from: number; to: number; length: number }[]
}

type Span = { from: number; to: number }

/** A pause shorter than this keeps its length. In milliseconds. */
const shortest = 5 * 60_000
/** The share of the line that a shortened break takes. */
const breakShare = 0.04

/** `moments` are the times of events. A time covered by a span is never a break. */
export const createTimeScale = (spans: readonly Span[], moments: readonly number[], end: number): TimeScale => {
  const busy = [...spans, ...moments.map((time) => ({ from: time, to: time })), { from: end, to: end }]
    .filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to))
    .toSorted((one, other) => one.from - other.from)
  const parts: (Span & { isBreak: boolean })[] = []
  let reached = busy[0]?.from ?? end
  for (const { from, to } of busy) {
    if (from > reached) parts.push({ from: reached, to: from, isBreak: from - reached > shortest })
    if (to > Math.max(from, reached)) parts.push({ from: Math.max(from, reached), to, isBreak: false })
    reached = Math.max(reached, to)
  }
  const worked = parts.reduce((sum, { from, to, isBreak }) => sum + (isBreak ? 0 : to - from), 0)
  const short = worked === 0 ? 1 : worked * breakShare
  const widthOf = ({ from, to, isBreak }: (typeof parts)[number]): number =>
    isBreak ? Math.min(short, to - from) : to - from
  const total = parts.reduce((sum, part) => sum + widthOf(part), 0) || 1

  let passed = 0
  const placed = parts.map((part) => {
    const start = passed / total
    passed += widthOf(part)
    return { ...part, start, share: widthOf(part) / total }
  })
  return {
    shareOf(time) {
      const part = placed.find(({ to }) => time <= to)
      if (!part) return placed.length === 0 ? 0 : 1
      return part.start + part.share * Math.max(0, (time - part.from) / (part.to - part.from))
    },
    breaks: placed.flatMap(({ isBreak, start, share, from, to }) =>
      isBreak ? [{ from: start, to: start + share, length: to - from }] : [],
    ),
  }
}
