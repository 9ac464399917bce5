/**
 * Reads broken JSON as far as it can be understood: strange or missing quotes, commas and brackets, comments, bare words.
 * Works in one pass: every doubt is decided by the neighbouring text, and no text is read more than twice.
 */
import { afterSpace, isQuote, partners } from "./json-letters.ts"
import { beginningOf, fail, isAtEnd, isClosed, type JsonPlace, letterAt, separate, skip, within } from "./json-place.ts"
import { type Role, readString } from "./json-string.ts"
import { readBareKey, readWord } from "./json-word.ts"

/** The object or list that a text stands for; undefined if that is unclear. */
export const repairJson = (source: string): { value: object } | undefined => {
  const place = beginningOf(withPlainQuotes(source))
  try {
    skip(place)
    return { value: readDocument(place) }
  } catch {
    return undefined
  }
}

/** One value, or several on lines of their own: then they are a list. */
const readDocument = (place: JsonPlace): object => {
  const values: unknown[] = []
  for (;;) {
    if (!isBegun(place)) fail(place)
    values.push(readValue(place, "item"))
    const from = place.at
    separate(place)
    if (!isAtEnd(place) && isBegun(place) && /[,\n]/.test(place.text.slice(from, place.at))) continue
    while (!isAtEnd(place) && "]}`".includes(letterAt(place))) {
      place.at += 1
      skip(place)
    }
    if (!isAtEnd(place)) fail(place)
    return values.length === 1 ? (values[0] as object) : values
  }
}

/** Whether an object or a list begins here. */
const isBegun = (place: JsonPlace): boolean => letterAt(place) === "{" || letterAt(place) === "["

const readValue = (place: JsonPlace, role: Role): unknown => {
  const first = letterAt(place)
  if (first === "{") return within(place, "{", readObject)
  if (first === "[") return within(place, "[", readList)
  return isQuote(first) ? readStrings(place, role) : readUnquoted(place)
}

const readObject = (place: JsonPlace): object => {
  const entries: [string, unknown][] = []
  while (!isClosed(place, "{")) {
    // A bracket where a name should be belongs to the next value: this one was not closed.
    if (isBegun(place)) break
    const key = isQuote(letterAt(place)) ? readString(place, "key") : readBareKey(place)
    skip(place)
    if (letterAt(place) === ":") place.at += 1
    else if (!isAtEnd(place) && !isQuote(letterAt(place)) && !/[\w[{-]/.test(letterAt(place))) fail(place)
    skip(place)
    const isWithout = isAtEnd(place) || letterAt(place) === "," || letterAt(place) in partners
    entries.push([key, isWithout ? null : readValue(place, "field")])
  }
  return Object.fromEntries(entries)
}

const readList = (place: JsonPlace): unknown[] => {
  const values: unknown[] = []
  while (!isClosed(place, "[")) values.push(readValue(place, "item"))
  return values
}

/** One string, or several with a plus between them. */
const readStrings = (place: JsonPlace, role: Role): string => {
  const { text } = place
  let joined = readString(place, role)
  for (;;) {
    const next = afterSpace(text, place.at)
    const second = text[next] === "+" ? afterSpace(text, next + 1) : text.length
    if (!isQuote(text[second] ?? "")) return joined
    place.at = second
    joined += readString(place, role)
  }
}

const call = /[A-Za-z_$][\w$]{0,80}\(/y

/** A word, or the value in a call such as `Plan({…});`. */
const readUnquoted = (place: JsonPlace): unknown => {
  call.lastIndex = place.at
  const opening = call.exec(place.text)?.[0]
  if (opening === undefined) return readWord(place)
  place.at += opening.length - 1
  const inner = within(place, "(", readArgument)
  skip(place)
  if (letterAt(place) === ")") place.at += place.text[place.at + 1] === ";" ? 2 : 1
  return inner
}

const readArgument = (place: JsonPlace): unknown => {
  skip(place)
  return readValue(place, "item")
}

const entities: Record<string, string> = {
  "&quot;": '"',
  "&apos;": "'",
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
}

/** Removes escapes from text that was escaped once too often, for a string or for a page. */
const withPlainQuotes = (text: string): string => {
  if (/^[\s[{]*\\["']/.test(text)) return text.replace(/\\(["'\\])/g, "$1")
  if (/^[\s[{]*&quot;/.test(text))
    return text.replace(/&(?:quot|apos|#39|lt|gt|amp);/g, (name) => entities[name] ?? name)
  return text
}
