/** When each todo was worked on, one row per todo, and a slider that shows the plan as it was. */
import { type KeyboardEvent, useMemo } from "react"
import { elapsedText } from "../../../views/text/elapsed.ts"
import type { HistoryReply } from "../../api.ts"
import { useClock } from "../live/clock.ts"
import { dayAndTime } from "../parts/since.tsx"
import { Text } from "../parts/text.tsx"
import { Windowed } from "../parts/windowed.tsx"
import { createTimeScale, type TimeScale } from "./time-scale.ts"

type Entries = HistoryReply["entries"]

type TimelineProps = {
  history: HistoryReply
  /** The index of the shown entry; undefined for now. */
  at: number | undefined
  onMove: (at: number | undefined) => void
  /** Whether the session is still running. */
  isLive: boolean
  updated: string
}

/** Steps of the slider from the first entry to now. */
const steps = 1000

export const Timeline = ({ history, at, onMove, isLive, updated }: TimelineProps) => {
  const { entries, spans } = history
  // Updated every ten seconds, because bars that move every second would be distracting.
  const now = useClock((time) => (isLive ? Math.floor(time.getTime() / 10_000) * 10_000 : Date.parse(updated)))
  const scale = useMemo(() => {
    const end = Math.max(
      now,
      ...[...entries.slice(-1), ...spans.slice(-1)].map((one) =>
        Date.parse("at" in one ? one.at : (one.to ?? one.from)),
      ),
    )
    const bars = spans.map(({ from, to }) => ({ from: Date.parse(from), to: to === undefined ? end : Date.parse(to) }))
    return {
      ...createTimeScale(
        bars,
        entries.map((entry) => Date.parse(entry.at)),
        end,
      ),
      end,
    }
  }, [entries, spans, now])
  const rows = useMemo(() => rowsOf(spans), [spans])
  if (entries.length === 0 && rows.length === 0) return <p className="nothing">Nothing has happened yet.</p>
  const shown = at === undefined ? undefined : entries[at]
  const share = shown ? scale.shareOf(Date.parse(shown.at)) : 1
  return (
    <div className="timeline">
      <Windowed
        items={rows}
        height={23}
        label="Todos over time"
        render={({ todo, content, bars }) => (
          <li key={todo}>
            <Text of={content} most={200} className="clamp to-one" />
            <span className="line">
              {scale.breaks.map(({ from, to, length }) => (
                <span
                  key={from}
                  className="break"
                  style={placeOf(from, to)}
                  title={`a break of ${elapsedText(length)}`}
                />
              ))}
              {bars.map((bar) => (
                <Bar key={`${bar.from} ${bar.status}`} bar={bar} scale={scale} />
              ))}
              {shown && <span className="now-line" style={{ insetInlineStart: `${share * 100}%` }} />}
            </span>
          </li>
        )}
      />
      {entries.length > 0 && (
        <div className="replay">
          <output>{shown ? dayAndTime(shown.at) : "now"}</output>
          <input
            type="range"
            aria-label="Replay: the plan as it was"
            aria-valuetext={
              shown ? `${dayAndTime(shown.at)}, ${shown.name} ${shown.lines.join("; ")}`.slice(0, 300) : "now"
            }
            min={0}
            max={steps}
            value={Math.round(share * steps)}
            onChange={({ target }) => onMove(entryAt(entries, scale, Number(target.value) / steps))}
            onKeyDown={(event) => {
              const next = stepped(event, at ?? entries.length, entries.length)
              if (next === undefined) return
              event.preventDefault()
              onMove(next >= entries.length ? undefined : next)
            }}
          />
        </div>
      )}
    </div>
  )
}

type Span = HistoryReply["spans"][number]

const Bar = ({ bar, scale }: { bar: Span; scale: TimeScale & { end: number } }) => {
  const [from, to] = [Date.parse(bar.from), bar.to === undefined ? scale.end : Date.parse(bar.to)]
  const length = elapsedText(to - from)
  const says = `${words[bar.status]} from ${dayAndTime(bar.from)}${bar.to === undefined ? "" : ` for ${length}`}`
  return (
    <span className={`bar ${bar.status}`} style={placeOf(scale.shareOf(from), scale.shareOf(to))} title={says}>
      <span className="hidden">{says}</span>
    </span>
  )
}

const words: Readonly<Record<Span["status"], string>> = {
  pending: "waiting",
  in_progress: "in progress",
  blocked: "blocked",
  completed: "done",
  cancelled: "dropped",
}

const placeOf = (from: number, to: number) => ({
  insetInlineStart: `${from * 100}%`,
  width: `${Math.max(0, to - from) * 100}%`,
})

/** One row per todo, in the order in which they were begun. */
const rowsOf = (spans: readonly Span[]): { todo: string; content: string; bars: Span[] }[] => {
  const rows = new Map<string, { todo: string; content: string; bars: Span[] }>()
  for (const span of spans) {
    const row = rows.get(span.todo) ?? { todo: span.todo, content: span.content, bars: [] }
    row.bars.push(span)
    rows.set(span.todo, row)
  }
  return [...rows.values()]
}

/** From this position on, the slider counts as at its end: fingers and some browsers do not get closer. */
const nearEnd = 0.99

/** The last entry at or before a position of the slider; undefined at its end, which means now. */
const entryAt = (entries: Entries, scale: TimeScale, share: number): number | undefined => {
  if (share >= nearEnd) return undefined
  const at = entries.findLastIndex((entry) => scale.shareOf(Date.parse(entry.at)) <= share + 0.0005)
  return Math.max(0, at)
}

/** Keys move from entry to entry, however far apart they are. */
const stepped = ({ key }: KeyboardEvent, at: number, count: number): number | undefined => {
  const by: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -10,
    PageUp: 10,
    Home: -count,
    End: count,
  }
  const step = by[key]
  return step === undefined ? undefined : Math.min(count, Math.max(0, at + step))
}
