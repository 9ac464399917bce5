/** Lengths of time in few columns, for a screen that is looked at all day. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `12s`, `4m`, `2h 5m`, `3d 2h`: finer the shorter it is; nothing for anything that is not a length of time. */
export const elapsedText = (milliseconds: number): string => {
  if (!Number.isFinite(milliseconds)) return ""
  const length = Math.max(0, milliseconds)
  if (length < minute) return `${Math.floor(length / second)}s`
  if (length < hour) return `${Math.floor(length / minute)}m`
  if (length < day) return withRest(`${Math.floor(length / hour)}h`, Math.floor((length % hour) / minute), "m")
  return withRest(`${Math.floor(length / day)}d`, Math.floor((length % day) / hour), "h")
}

/** How long ago something was; "" when it is not known. */
export const sinceText = (at: string | undefined, now: Date): string =>
  at === undefined ? "" : elapsedText(now.getTime() - Date.parse(at))

const withRest = (whole: string, rest: number, unit: string): string => (rest === 0 ? whole : `${whole} ${rest}${unit}`)
