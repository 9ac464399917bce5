/** A TOML text cut into its statements, each with the key it sets and its position in the text. */
import { parse } from "smol-toml"
import type { Path } from "./edit.ts"

export type Statement = {
  kind: "table" | "list" | "pair"
  /** From the root, with the positions of the lists it is in. */
  path: Path
  /** From the start of its first line to after the end of its last. */
  from: number
  to: number
  /** The position of the value of a pair. */
  value: { from: number; to: number }
}

/** The text must be valid; it is not validated again. */
export const statementsOf = (text: string): Statement[] => {
  const found: Statement[] = []
  const lists = new Map<string, number>()
  let table: Path = []
  for (let at = skipBlank(text, 0); at < text.length; at = skipBlank(text, found.at(-1)?.to ?? text.length)) {
    const from = text.lastIndexOf("\n", at - 1) + 1
    if (text[at] === "[") {
      const isList = text[at + 1] === "["
      const close = skipKey(text, at + (isList ? 2 : 1), "]")
      const keys = keysOf(text.slice(at + (isList ? 2 : 1), close))
      table = placed(keys, lists, isList)
      found.push({ kind: isList ? "list" : "table", path: table, from, to: endOfLine(text, close), value: nowhere })
      continue
    }
    const equals = skipKey(text, at, "=")
    const start = equals + 1 + (/^[ \t]*/.exec(text.slice(equals + 1))?.[0].length ?? 0)
    const value = { from: start, to: skipValue(text, start) }
    const path = [...table, ...keysOf(text.slice(at, equals))]
    found.push({ kind: "pair", path, from, to: endOfLine(text, value.to), value })
  }
  return found
}

const nowhere = { from: 0, to: 0 }

/** A header names the newest element of each list on its way; a list's own header begins the next one. */
const placed = (keys: readonly string[], lists: Map<string, number>, isList: boolean): Path => {
  const path: (string | number)[] = []
  for (const [index, key] of keys.entries()) {
    path.push(key)
    const name = JSON.stringify(path)
    const isNew = isList && index === keys.length - 1
    if (isNew) lists.set(name, (lists.get(name) ?? -1) + 1)
    const position = lists.get(name)
    if (position !== undefined) path.push(position)
  }
  return path
}

/** Bare, quoted and dotted keys. All but the plainest are read by the parser itself, which takes much longer. */
const keysOf = (written: string): string[] => {
  const plain = written.trim()
  if (/^[\w-]+(?:\.[\w-]+)*$/.test(plain)) return plain.split(".")
  const keys: string[] = []
  let at: unknown = parse(`${plain} = 0`)
  while (typeof at === "object" && at !== null) {
    const [key = ""] = Object.keys(at)
    keys.push(key)
    at = Reflect.get(at, key)
  }
  return keys
}

const skipBlank = (text: string, from: number): number => {
  let at = from
  while (at < text.length) {
    if (/\s/.test(text[at] ?? "")) at += 1
    else if (text[at] === "#") at = endOfLine(text, at)
    else return at
  }
  return at
}

const endOfLine = (text: string, from: number): number => {
  const newline = text.indexOf("\n", from)
  return newline < 0 ? text.length : newline + 1
}

const skipKey = (text: string, from: number, end: "]" | "="): number => {
  let at = from
  while (at < text.length && text[at] !== end) at = isQuote(text[at]) ? skipString(text, at) : at + 1
  return at
}

const isQuote = (character: string | undefined): boolean => character === '"' || character === "'"

const skipString = (text: string, from: number): number => {
  const quote = text[from] ?? ""
  const delimiter = text.startsWith(quote.repeat(3), from) ? quote.repeat(3) : quote
  let at = from + delimiter.length
  while (at < text.length && !text.startsWith(delimiter, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1
  at += delimiter.length
  // Up to two quotes may come right before the three that end it.
  while (delimiter.length === 3 && text[at] === quote) at += 1
  return at
}

const skipValue = (text: string, from: number): number => {
  if (isQuote(text[from])) return skipString(text, from)
  if (text[from] !== "[" && text[from] !== "{")
    return from + (/^[^#\r\n]*/.exec(text.slice(from))?.[0].trimEnd().length ?? 0)
  let depth = 0
  for (let at = from; at < text.length; ) {
    const character = text[at]
    if (isQuote(character)) at = skipString(text, at)
    else if (character === "#") at = endOfLine(text, at)
    else {
      if (character === "[" || character === "{") depth += 1
      if (character === "]" || character === "}") depth -= 1
      at += 1
      if (depth === 0) return at
    }
  }
  return text.length
}
