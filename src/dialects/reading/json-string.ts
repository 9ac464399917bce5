/** Reads one string of broken JSON. What is next to a quote says whether it ends the string or is part of it. */
import { afterSpace, isComment, isQuote, isSpace, type Opening, partners, quotesLike } from "./json-letters.ts"
import { type JsonPlace, letterAt } from "./json-place.ts"

/** What a string is: the name of a field, its value, or a value in a list. */
export type Role = "key" | "field" | "item"

/** A string that is being read. */
type Reading = {
  readonly role: Role
  /** The quotes that may end it. */
  readonly quotes: string
  /** Where the part begins that was not taken over yet. */
  from: number
  /** How many more brackets of each kind were opened in it than closed. */
  readonly balance: Record<Opening, number>
  /** Something is quoted within the string. */
  isQuoting: boolean
}

export const readString = (place: JsonPlace, role: Role): string => {
  const { text } = place
  const balance = { "{": 0, "[": 0, "(": 0 }
  const reading: Reading = { role, quotes: quotesLike(letterAt(place)), from: place.at + 1, balance, isQuoting: false }
  const parts: string[] = []
  const endAt = (index: number, next = index): string => {
    parts.push(text.slice(reading.from, index))
    place.at = next
    return parts.join("")
  }
  for (let at = reading.from; at < text.length; at += 1) {
    const now = text[at] ?? ""
    const partner = partners[now]
    if (now === "\\") {
      const escaped = escapeAt(text, at + 1)
      parts.push(text.slice(reading.from, at), escaped.meaning)
      at = escaped.last
      reading.from = at + 1
    } else if (now === "{" || now === "[" || now === "(") balance[now] += 1
    else if (partner !== undefined) balance[partner] -= 1
    else if (reading.quotes.includes(now)) {
      if (isEndQuote(place, at, reading)) return endAt(at, at + 1)
      const gap = missedEnd(text, at, reading)
      if (gap !== undefined) return endAt(gap)
      reading.isQuoting = !reading.isQuoting
    }
  }
  return endAt(Math.max(reading.from, beforeClosers(text, balance)))
}

/** By what follows the quote: otherwise it is part of the text. */
const isEndQuote = ({ text, open }: JsonPlace, at: number, { role, quotes, balance, isQuoting }: Reading): boolean => {
  const next = afterSpace(text, at + 1)
  const behind = text[next] ?? ""
  if (behind === "" || text.slice(at + 1, next).includes("\n")) return true
  if (role === "key") return ",:[]{}".includes(behind) || isQuote(behind) || isAt(bareItem, text, next)
  // Something is quoted within the string: a comma after it may just continue the sentence.
  if (behind === ",") return !isQuoting || isGoingOn(text, afterSpace(text, next + 1), role)
  if (behind === "{" || behind === "[") return true
  const partner = partners[behind]
  if (partner !== undefined) return balance[partner] <= 0 && (behind !== ")" || open["("] > 0)
  if (behind === "/") return isComment(text, next)
  if (behind === "+") return isQuote(text[afterSpace(text, next + 1)] ?? "")
  // Of two quotes in a row the first is part of the text where the second one ends the string.
  if (quotes.includes(behind)) return !",:]}".includes(text[afterSpace(text, next + 1)] ?? ",")
  return isQuote(behind)
}

/** Whether what follows a comma is the next field or item, and not the rest of a sentence. */
const isGoingOn = (text: string, next: number, role: Role): boolean => {
  const first = text[next] ?? ""
  if (first === "" || isQuote(first) || first in partners || isComment(text, next)) return true
  if (text.startsWith("...", next)) return true
  return isAt(role === "field" ? bareKey : bareItem, text, next)
}

const bareKey = /[\w$-]{1,80}["']?\s{0,20}:|[[{]/y
const bareItem = /[[{\d-]|(?:true|false|null|True|False|None)\b/y

const isAt = (pattern: RegExp, text: string, index: number): boolean => {
  pattern.lastIndex = index
  return pattern.test(text)
}

/** Where a string ended whose end quote is missing, when the quote here opens the next one. */
const missedEnd = (text: string, at: number, { role, quotes, from }: Reading): number | undefined => {
  let gap = at
  while (gap > from && " \t\r\n,:[]{}".includes(text[gap - 1] ?? "")) gap -= 1
  const between = text.slice(gap, at).trim()
  if (between === "") return undefined
  if (role === "key") return between === ":" ? gap : undefined
  let next = at + 1
  while (next < text.length && !quotes.includes(text[next] ?? "")) next += 1
  const behind = text[afterSpace(text, next + 1)] ?? ""
  return /[,{]$/.test(between) && (behind === ":" || (role === "item" && (behind === "," || behind === "]")))
    ? gap
    : undefined
}

/** Brackets at the very end that close nothing in the string close what is around it. */
const beforeClosers = (text: string, balance: Reading["balance"]): number => {
  let closers = text.length
  for (let index = text.length; index > 0; index -= 1) {
    const last = text[index - 1] ?? ""
    const partner = partners[last]
    if (partner !== undefined && balance[partner] < 0) {
      balance[partner] += 1
      closers = index - 1
    } else if (!isSpace(last)) break
  }
  while (closers < text.length && isSpace(text[closers - 1] ?? "")) closers -= 1
  return closers
}

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

/** What is behind a backslash, and its last character. */
const escapeAt = (text: string, at: number): { meaning: string; last: number } => {
  const now = text[at] ?? ""
  if (now === "u" && /^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5)))
    return { meaning: String.fromCharCode(Number.parseInt(text.slice(at + 1, at + 5), 16)), last: at + 4 }
  // Half a code at the end was cut off.
  if (now === "u" && text.length - at <= 4) return { meaning: "", last: text.length }
  return { meaning: escapes[now] ?? now, last: at }
}
