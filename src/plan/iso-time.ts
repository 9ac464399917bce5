/** The one way from a foreign time to its ISO form: a time that no calendar on a screen could show does not count. */

/** Beyond the year 9999 the ISO form gets a sign, and such texts no longer sort as their times do. */
const [earliest, latest] = [0, Date.UTC(9999, 11, 31)]

/** The ISO form of a day that every month has, as nearly all times are written: it needs no calculation. */
const plain =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/** From milliseconds, a date, or text that is a time; undefined where it is not, or is before 1970 or after 9999. */
export const isoTime = (value: unknown): string | undefined => {
  if (typeof value === "string" && plain.test(value)) return value
  if (typeof value !== "number" && typeof value !== "string" && !(value instanceof Date)) return undefined
  const time = value === "" ? Number.NaN : new Date(value).getTime()
  return time >= earliest && time <= latest ? new Date(time).toISOString() : undefined
}
