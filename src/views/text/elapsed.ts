/** Durations and token counts in few columns. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** `12s`, `4m`, `2h 5m`, `3d 2h`; empty for anything that is not a length of time. */
export const elapsedText = (milliseconds: number): string => {
  if (!Number.isFinite(milliseconds)) return ""
  const length = Math.max(0, milliseconds)
  if (length < minute) return `${Math.floor(length / second)}s`
  if (length < hour) return `${Math.floor(length / minute)}m`
  if (length < day) return withRest(`${Math.floor(length / hour)}h`, Math.floor((length % hour) / minute), "m")
  return withRest(`${Math.floor(length / day)}d`, Math.floor((length % day) / hour), "h")
}

/** The same for a running clock, with seconds up to an hour, so that it visibly moves: `4m 12s`. */
export const clockText = (milliseconds: number): string => {
  if (!(milliseconds >= minute && milliseconds < hour)) return elapsedText(milliseconds)
  return withRest(`${Math.floor(milliseconds / minute)}m`, Math.floor((milliseconds % minute) / second), "s")
}

/** How long ago something was; "" if unknown. */
export const sinceText = (at: string | undefined, now: Date): string =>
  at === undefined ? "" : elapsedText(now.getTime() - Date.parse(at))

/** `1 token`, `840 tokens`, `1.2k tokens`, `3.4M tokens`. */
export const tokensText = (tokens: number): string => {
  if (tokens < 1000) return `${Math.floor(tokens)} ${Math.floor(tokens) === 1 ? "token" : "tokens"}`
  const [amount, unit] = tokens < 1_000_000 ? [tokens / 1000, "k"] : [tokens / 1_000_000, "M"]
  return `${amount < 100 ? Math.floor(amount * 10) / 10 : Math.floor(amount)}${unit} tokens`
}

const withRest = (whole: string, rest: number, unit: string): string => (rest === 0 ? whole : `${whole} ${rest}${unit}`)
