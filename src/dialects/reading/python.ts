/**
 * Parses Python literals (dicts, lists, tuples, strings, numbers, True, False, None), which some models send. Never
 * evaluates them.
 */
import { limits } from "../../plan/index.ts"

/** The value of a Python literal; undefined if the text is not one. */
export const parsePython = (text: string): { value: unknown } | undefined => {
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(`not a Python literal at ${at}`)
  }
  const skip = (): void => {
    while (/\s/.test(text[at] ?? "")) at += 1
  }
  const take = (token: string): boolean => {
    skip()
    if (!text.startsWith(token, at)) return false
    at += token.length
    return true
  }

  const sequence = (close: string, depth: number): unknown[] => {
    const values: unknown[] = []
    while (!take(close)) {
      values.push(value(depth))
      if (!take(",")) return take(close) ? values : fail()
    }
    return values
  }

  const dictionary = (depth: number): unknown => {
    const entries: [string, unknown][] = []
    while (!take("}")) {
      const key = value(depth)
      if (!take(":")) return fail()
      entries.push([String(key), value(depth)])
      if (!take(",")) {
        if (!take("}")) return fail()
        break
      }
    }
    return Object.fromEntries(entries)
  }

  const string = (): string | undefined => {
    const opening = /^([rbuf]{0,2})("""|'''|"|')/i.exec(text.slice(at, at + 5))
    if (!opening) return undefined
    const [whole, prefix = "", quote = ""] = opening
    const isRaw = /r/i.test(prefix)
    at += whole.length
    let result = ""
    while (!text.startsWith(quote, at)) {
      if (at >= text.length) fail()
      if (text[at] === "\\" && !isRaw) result += escaped()
      else result += text[at++]
    }
    at += quote.length
    return result
  }

  const escaped = (): string => {
    const coded = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/.exec(text.slice(at, at + 10))
    if (coded) {
      at += coded[0].length
      const point = Number.parseInt(coded[1] ?? coded[2] ?? coded[3] ?? "", 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : fail()
    }
    const letter = text[at + 1] ?? ""
    at += 2
    return escapes[letter] ?? (letter === "\n" ? "" : /["'\\]/.test(letter) ? letter : `\\${letter}`)
  }

  const value = (depth: number): unknown => {
    if (depth > limits.depth) return fail()
    if (take("{")) return dictionary(depth + 1)
    if (take("[")) return sequence("]", depth + 1)
    if (take("(")) return sequence(")", depth + 1)
    let joined = string()
    if (joined !== undefined) {
      // Neighbouring strings are one string.
      for (;;) {
        skip()
        const more = string()
        if (more === undefined) return joined
        joined += more
      }
    }
    const word = /^(?:True|False|None|null|[-+]?\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?)/i.exec(text.slice(at, at + 40))?.[0]
    if (word === undefined) return fail()
    at += word.length
    const constant = constants.get(word.toLowerCase())
    return constant === undefined ? Number(word.replaceAll("_", "")) : constant
  }

  try {
    const result = value(0)
    skip()
    return at === text.length ? { value: result } : undefined
  } catch {
    return undefined
  }
}

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v", "0": "\0" }
/** In upper and lower case, because models mix Python with JSON. */
const constants = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["none", null],
  ["null", null],
])
