/**
 * Reads broken JSON as far as it can be understood: strange or missing quotes, commas and brackets, comments, bare words.
 * Works in one pass: every doubt is decided by the neighbouring text, and no text is read more than twice.
 */
import { limits } from "../../plan/index.ts"

/** The object or list that a text stands for; undefined if that is unclear. */
export const repairJson = (source: string): { value: object } | undefined => {
  const text = withPlainQuotes(source)
  const end = text.length
  let at = 0
  const open = { "{": 0, "[": 0, "(": 0 }

  const fail = (): never => {
    throw new SyntaxError(`not readable at ${at}`)
  }

  const letter = (): string => text[at] ?? ""

  const isComment = (from: number): boolean => text.startsWith("//", from) || text.startsWith("/*", from)

  /** Skips white space and comments. An unclosed comment runs to the end. */
  const skip = (): void => {
    for (;;) {
      at = afterSpace(text, at)
      if (!isComment(at)) return
      const terminator = text[at + 1] === "/" ? "\n" : "*/"
      const closing = text.indexOf(terminator, at + 2)
      at = closing < 0 ? end : closing + terminator.length
    }
  }

  /** Skips everything between two values: one comma, several, none, or three dots for omitted values. */
  const separate = (): void => {
    for (skip(); ; skip()) {
      if (letter() === ",") at += 1
      else if (text.startsWith("...", at)) at += 3
      else return
    }
  }

  /**
   * Whether the innermost open bracket ends here. A closing bracket of another kind ends it too, if it closes an outer
   * one.
   */
  const isClosed = (opening: "{" | "["): boolean => {
    for (separate(); at < end; separate()) {
      const partner = partners[letter()]
      if (partner === undefined) return false
      if (partner === opening) {
        at += 1
        return true
      }
      if (open[partner] > 0) return true
      if (partner === "(") fail()
      at += 1
    }
    return true
  }

  const within = <Value>(opening: keyof typeof open, read: () => Value): Value => {
    if (open["{"] + open["["] + open["("] >= limits.depth) fail()
    open[opening] += 1
    at += 1
    const value = read()
    open[opening] -= 1
    return value
  }

  const object = (): object => {
    const entries: [string, unknown][] = []
    while (!isClosed("{")) {
      // A bracket in the place of a name belongs to the next value, because this object was not closed.
      if (letter() === "{" || letter() === "[") break
      const key = isQuote(letter()) ? string("key") : bareWord(true)
      skip()
      if (letter() === ":") at += 1
      else if (at < end && !isQuote(letter()) && !/[\w[{-]/.test(letter())) fail()
      skip()
      entries.push([key, at === end || letter() === "," || letter() in partners ? null : value("field")])
    }
    return Object.fromEntries(entries)
  }

  const list = (): unknown[] => {
    const values: unknown[] = []
    while (!isClosed("[")) values.push(value("item"))
    return values
  }

  const value = (place: Place): unknown => {
    if (letter() === "{") return within("{", object)
    if (letter() === "[") return within("[", list)
    if (!isQuote(letter())) return word()
    let joined = string(place)
    for (;;) {
      const next = afterSpace(text, at)
      const second = text[next] === "+" ? afterSpace(text, next + 1) : end
      if (!isQuote(text[second] ?? "")) return joined
      at = second
      joined += string(place)
    }
  }

  const string = (place: Place): string => {
    const quotes = quotesLike(letter())
    const parts: string[] = []
    const balance: Record<string, number> = { "{": 0, "[": 0, "(": 0 }
    let isQuoting = false
    at += 1
    let from = at
    const endAt = (index: number): string => {
      parts.push(text.slice(from, index))
      at = index
      return parts.join("")
    }
    for (; at < end; at += 1) {
      const now = letter()
      if (now === "\\") {
        parts.push(text.slice(from, at), escaped())
        from = at + 1
      } else if (now in balance) balance[now] = (balance[now] ?? 0) + 1
      else if (now in partners) balance[partners[now] ?? ""] = (balance[partners[now] ?? ""] ?? 0) - 1
      else if (quotes.includes(now)) {
        if (isEndQuote(place, quotes, balance, isQuoting)) {
          const value = endAt(at)
          at += 1
          return value
        }
        const gap = missedEnd(place, quotes, from)
        if (gap !== undefined) return endAt(gap)
        isQuoting = !isQuoting
      }
    }
    return endAt(Math.max(from, beforeClosers(balance)))
  }

  /**
   * Whether the quote here ends its string, according to the text after it. Otherwise the quote is part of the string.
   */
  const isEndQuote = (place: Place, quotes: string, balance: Record<string, number>, isQuoting: boolean): boolean => {
    const next = afterSpace(text, at + 1)
    const behind = text[next] ?? ""
    if (behind === "" || text.slice(at + 1, next).includes("\n")) return true
    if (place === "key") return ",:[]{}".includes(behind) || isQuote(behind) || isAt(bareItem, next)
    // After a quotation within the string, a comma may just continue the sentence.
    if (behind === ",") return !isQuoting || isGoingOn(place, afterSpace(text, next + 1))
    if (behind === "{" || behind === "[") return true
    if (behind in partners) return (balance[partners[behind] ?? ""] ?? 0) <= 0 && (behind !== ")" || open["("] > 0)
    if (behind === "/") return isComment(next)
    if (behind === "+") return isQuote(text[afterSpace(text, next + 1)] ?? "")
    // Of two quotes in a row, the first one is part of the text if the second one ends the string.
    if (quotes.includes(behind)) return !",:]}".includes(text[afterSpace(text, next + 1)] ?? ",")
    return isQuote(behind)
  }

  /** Whether the next field or item follows a comma, and not the rest of a sentence. */
  const isGoingOn = (place: Place, next: number): boolean => {
    const first = text[next] ?? ""
    if (first === "" || isQuote(first) || first in partners || isComment(next)) return true
    if (text.startsWith("...", next)) return true
    return isAt(place === "field" ? bareKey : bareItem, next)
  }

  const isAt = (pattern: RegExp, index: number): boolean => {
    pattern.lastIndex = index
    return pattern.test(text)
  }

  /** The end of a string whose closing quote is missing, if the quote here opens the next string. */
  const missedEnd = (place: Place, quotes: string, from: number): number | undefined => {
    let gap = at
    while (gap > from && " \t\r\n,:[]{}".includes(text[gap - 1] ?? "")) gap -= 1
    const between = text.slice(gap, at).trim()
    if (between === "") return undefined
    if (place === "key") return between === ":" ? gap : undefined
    let next = at + 1
    while (next < end && !quotes.includes(text[next] ?? "")) next += 1
    const behind = text[afterSpace(text, next + 1)] ?? ""
    return /[,{]$/.test(between) && (behind === ":" || (place === "item" && (behind === "," || behind === "]")))
      ? gap
      : undefined
  }

  /**
   * The position before closing brackets at the very end that match nothing in the string, and so close what surrounds
   * it.
   */
  const beforeClosers = (balance: Record<string, number>): number => {
    let closers = end
    for (let index = end; index > 0; index -= 1) {
      const last = text[index - 1] ?? ""
      const partner = partners[last]
      if (partner !== undefined && (balance[partner] ?? 0) < 0) {
        balance[partner] = (balance[partner] ?? 0) + 1
        closers = index - 1
      } else if (!isSpace(last)) break
    }
    while (closers < end && isSpace(text[closers - 1] ?? "")) closers -= 1
    return closers
  }

  /** Reads an escape. Leaves `at` on its last character. */
  const escaped = (): string => {
    at += 1
    const now = letter()
    if (now === "u" && /^[\da-f]{4}$/i.test(text.slice(at + 1, at + 5))) {
      at += 4
      return String.fromCharCode(Number.parseInt(text.slice(at - 3, at + 1), 16))
    }
    // An incomplete code at the end was cut off.
    if (now === "u" && end - at <= 4) {
      at = end
      return ""
    }
    return escapes[now] ?? now
  }

  const word = (): unknown => {
    call.lastIndex = at
    const opening = call.exec(text)?.[0]
    if (opening !== undefined) {
      at += opening.length - 1
      const inner = within("(", () => {
        skip()
        return value("item")
      })
      skip()
      if (letter() === ")") at += text[at + 1] === ";" ? 2 : 1
      return inner
    }
    const word = bareWord(false)
    if (isDoubleQuote(text[at - 1] ?? "")) return word
    if (constants.has(word)) return constants.get(word)
    return word.length < 400 && number.test(word) ? Number(word) : word
  }

  const bareWord = (isKey: boolean): string => {
    const start = at
    for (; at < end; at += 1) {
      const now = letter()
      if (",[]{}\n".includes(now) || isDoubleQuote(now) || (isKey && now === ":") || (now === ")" && open["("] > 0))
        break
      if (isSpace(text[at - 1] ?? "") && isComment(at)) break
    }
    const word = text.slice(start, at).trim()
    if (word === "" || word.startsWith(":")) fail()
    // Only the opening quote is missing.
    const behind = text[afterSpace(text, at + 1)] ?? ""
    if (isDoubleQuote(letter()) && !isSpace(text[at - 1] ?? "") && (behind === "" || ",:]}".includes(behind))) at += 1
    return word
  }

  /** Reads one value, or several on separate lines, which become a list. */
  const document = (): object => {
    const values: unknown[] = []
    for (;;) {
      if (letter() !== "{" && letter() !== "[") fail()
      values.push(value("item"))
      const from = at
      separate()
      if (at < end && (letter() === "{" || letter() === "[") && /[,\n]/.test(text.slice(from, at))) continue
      while (at < end && "]}`".includes(letter())) {
        at += 1
        skip()
      }
      if (at < end) fail()
      return values.length === 1 ? (values[0] as object) : values
    }
  }

  try {
    skip()
    return { value: document() }
  } catch {
    return undefined
  }
}

/** The role of a string: the name of a field, its value, or a value in a list. */
type Place = "key" | "field" | "item"

const partners: Record<string, "{" | "[" | "("> = { "}": "{", "]": "[", ")": "(" }
const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }
const constants = new Map<string, boolean | null>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
])
const number = /^-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d+)?$/
const bareKey = /[\w$-]{1,80}["']?\s{0,20}:|[[{]/y
const bareItem = /[[{\d-]|(?:true|false|null|True|False|None)\b/y
const call = /[A-Za-z_$][\w$]{0,80}\(/y

const isSpace = (letter: string): boolean => letter !== "" && letter.trim() === ""

const afterSpace = (text: string, from: number): number => {
  let at = from
  while (at < text.length && isSpace(text[at] ?? "")) at += 1
  return at
}

const doubleQuotes = '"“”'
const singleQuotes = "'‘’`´"

const isDoubleQuote = (letter: string): boolean => letter !== "" && doubleQuotes.includes(letter)
const isQuote = (letter: string): boolean => isDoubleQuote(letter) || (letter !== "" && singleQuotes.includes(letter))

/** A plain quote ends with another plain quote; a typographic one also ends with its variants. */
const quotesLike = (quote: string): string =>
  quote === '"' || quote === "'" ? quote : isDoubleQuote(quote) ? doubleQuotes : singleQuotes

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
