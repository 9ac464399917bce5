/**
 * Reads a JavaScript literal from a program's text: plain objects, lists, strings and numbers. Rejects anything
 * computed.
 */

const maxDepth = 20

const notPlain = new Error("not a plain literal")

/** `end` is the end of the literal, or the position at which a computed part begins. */
export type Literal = { isPlain: true; value: unknown; end: number } | { isPlain: false; end: number }

/** Reads the literal that begins at `start`. */
export const readLiteral = (text: string, start = 0): Literal => {
  const source = { text, at: start }
  try {
    const value = readAny(source, 0)
    return { isPlain: true, value, end: source.at }
  } catch {
    return { isPlain: false, end: source.at }
  }
}

type Source = { text: string; at: number }

const words: Record<string, unknown> = { true: true, false: false, null: null, undefined }

const readAny = (source: Source, depth: number): unknown => {
  if (depth > maxDepth) throw notPlain
  skipSpace(source)
  const letter = source.text[source.at] ?? ""
  if (letter === "{") return readObject(source, depth)
  if (letter === "[") return readList(source, depth)
  if ("\"'`".includes(letter) && letter !== "") return readString(source)
  const word = take(source, /[\w$.+-]+/y)
  if (Object.hasOwn(words, word)) return words[word]
  if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(word)) return Number(word)
  throw notPlain
}

const readObject = (source: Source, depth: number): Record<string, unknown> => {
  const fields: [string, unknown][] = []
  source.at += 1
  while (!closes(source, "}")) {
    const quoted = "\"'".includes(source.text[source.at] ?? " ")
    const key = quoted ? readString(source) : take(source, /[\w$]+/y)
    expect(source, ":")
    fields.push([key, readAny(source, depth + 1)])
    separate(source, "}")
  }
  return Object.fromEntries(fields)
}

const readList = (source: Source, depth: number): unknown[] => {
  const items: unknown[] = []
  source.at += 1
  while (!closes(source, "]")) {
    items.push(readAny(source, depth + 1))
    separate(source, "]")
  }
  return items
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", "0": "\0", "\n": "" }

const readString = (source: Source): string => {
  const quote = source.text[source.at] ?? ""
  let value = ""
  for (source.at += 1; source.at < source.text.length; source.at += 1) {
    const letter = source.text[source.at] ?? ""
    if (letter === quote) {
      source.at += 1
      return value
    }
    if (quote === "`" && source.text.startsWith("${", source.at)) throw notPlain
    value += letter === "\\" ? readEscape(source) : letter
  }
  throw notPlain
}

const readEscape = (source: Source): string => {
  const code = /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/iy
  code.lastIndex = source.at
  const found = code.exec(source.text)
  if (found) {
    source.at += found[0].length - 1
    const point = Number.parseInt(found[1] ?? found[2] ?? found[3] ?? "", 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : ""
  }
  source.at += 1
  const letter = source.text[source.at] ?? ""
  return escapes[letter] ?? letter
}

const skipSpace = (source: Source): void => {
  const { text } = source
  for (;;) {
    while (/\s/.test(text[source.at] ?? "")) source.at += 1
    const isBlock = text.startsWith("/*", source.at)
    if (!isBlock && !text.startsWith("//", source.at)) return
    const end = text.indexOf(isBlock ? "*/" : "\n", source.at + 2)
    if (end < 0 && isBlock) throw notPlain
    source.at = end < 0 ? text.length : end + (isBlock ? 2 : 0)
  }
}

const take = (source: Source, pattern: RegExp): string => {
  pattern.lastIndex = source.at
  const found = pattern.exec(source.text)?.[0]
  if (found === undefined) throw notPlain
  source.at += found.length
  return found
}

const expect = (source: Source, character: string): void => {
  skipSpace(source)
  if (source.text[source.at] !== character) throw notPlain
  source.at += 1
}

const closes = (source: Source, character: string): boolean => {
  skipSpace(source)
  if (source.text[source.at] !== character) return false
  source.at += 1
  return true
}

const separate = (source: Source, closing: string): void => {
  skipSpace(source)
  if (source.text[source.at] !== closing) expect(source, ",")
}
