/** The one way from a foreign time to its ISO form: a time that no calendar on a screen could show does not count. */

/** Beyond the year 9999 the ISO form gets a sign, and such texts no longer sort as their times do. */
const [earliest, latest] = [0, Date.UTC(9999, 11, 31)]

/** From milliseconds, a date, or text that is a time; undefined where it is not, or is before 1970 or after 9999. */
export const isoTime = (value: unknown): string | undefined => {
  if (typeof value !== "number" && typeof value !== "string" && !(value instanceof Date)) return undefined
  const time = value === "" ? Number.NaN : new Date(value).getTime()
  return time >= earliest && time <= latest ? new Date(time).toISOString() : undefined
}
