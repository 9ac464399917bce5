/** Relative times that update by themselves. */
import { clockText, elapsedText, sinceText } from "../../../views/text/elapsed.ts"
import { useClock } from "../live/clock.ts"

/** How long something has been going on, with seconds: `4m 12s`. */
export const Running = ({ since }: { since: string }) => {
  const text = useClock((now) => clockText(now.getTime() - Date.parse(since)))
  return <time dateTime={since}>{text}</time>
}

/** How long ago something was: `4m`. */
export const Ago = ({ at, after = "" }: { at: string; after?: string }) => {
  const text = useClock((now) => sinceText(at, now))
  return text === "" ? null : (
    <time dateTime={at} title={fullTime(at)}>
      {text}
      {after}
    </time>
  )
}

export const Length = ({ from, to }: { from: string; to: string }) => (
  <time title={`${fullTime(from)} to ${timeOfDay(to)}`}>{elapsedText(Date.parse(to) - Date.parse(from))}</time>
)

const timeOfDay = (at: string | number): string =>
  new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })

/** The time, preceded by the day if it is not today. */
export const dayAndTime = (at: string | number): string => {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday
    ? timeOfDay(at)
    : `${date.toLocaleDateString(undefined, { day: "numeric", month: "short" })}, ${timeOfDay(at)}`
}

const fullTime = (at: string): string => new Date(at).toLocaleString()
