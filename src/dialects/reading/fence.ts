/** Finds a code fence on lines of its own, ignoring fences in the text of a todo. */

const ticks = "```"

/** The content of the first code fence; an unclosed one runs to the end. Undefined if there is none. */
export const fencedPart = (text: string): string | undefined => {
  const opening = openingOf(text)
  if (opening < 0) return undefined
  const inside = afterTicks(text, opening)
  const start = afterLanguage(text, inside)
  for (let at = text.indexOf(ticks, start); at >= 0; at = text.indexOf(ticks, at)) {
    const end = afterTicks(text, at)
    const isLongEnough = end - at >= inside - opening
    if (isLongEnough && (end === text.length || isFirstOfLine(text, at, start))) return text.slice(start, at)
    at = end
  }
  return text.slice(start)
}

const openingOf = (text: string): number => {
  for (let at = text.indexOf(ticks); at >= 0; at = text.indexOf(ticks, afterTicks(text, at))) {
    if (isFirstOfLine(text, at, -1)) return at
  }
  return -1
}

const afterTicks = (text: string, from: number): number => {
  let at = from
  while (text[at] === "`") at += 1
  return at
}

const afterLanguage = (text: string, from: number): number => {
  let at = from
  while (/[\w-]/.test(text[at] ?? "")) at += 1
  return at
}

/** Whether only blanks are between a position and the line break before it. Looks back no further than `from`. */
const isFirstOfLine = (text: string, place: number, from: number): boolean => {
  let at = place - 1
  while (at >= from && (text[at] === " " || text[at] === "\t")) at -= 1
  return at < 0 ? from < 0 : at >= from && text[at] === "\n"
}
