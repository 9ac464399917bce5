/** Whether a terminal can show more than ASCII, according to its environment. */

/**
 * False on the Linux console, whose font has few signs, and in a locale that is set and is not UTF-8, such as `C` or
 * `POSIX`. Where no locale is set at all, as in many containers, the terminal nearly always can.
 */
export const drawsUnicode = (env: Readonly<Record<string, string | undefined>>): boolean => {
  if (env.TERM === "linux") return false
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG
  return !locale || /utf-?8/i.test(locale)
}
