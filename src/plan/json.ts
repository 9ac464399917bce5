/** Reads untrusted JSON. */

/** The value of a text that should be JSON; undefined, which no JSON says, where it is not. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a text that should be JSON holds more values than that. */
export const hasMoreValues = (text: string, most: number): boolean => valuesIn(text, most) > most

/**
 * About how many values a text that should be JSON holds, counted up to one more than wanted and without making them: a
 * bracket of one byte becomes fifty in memory, so that a text that can be read need not be one that can be parsed.
 */
export const valuesIn = (text: string, most: number = Number.POSITIVE_INFINITY): number => {
  let values = 0
  for (let at = 0; at < text.length && values <= most; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma || code === openBrace || code === openBracket) values += 1
  }
  return values
}

/** Where the quote is that ends the string which begins here. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}

/**
 * The same text for equal values, in whatever order their fields are. Undefined where a value is nested too deep, or is nothing
 * that JSON knows.
 */
export const canonicalJson = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(inOrder(value))
  } catch {
    return undefined
  }
}

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(fields.map(([name, field]) => [name, inOrder(field)]))
}

/** Whether brackets are open in more levels than that, counted without reading the values. Right for text that is JSON. */
export const isDeeper = (text: string, most: number): boolean => {
  let depth = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash && isInString) at += 1
    else if (code === quote) isInString = !isInString
    else if (isInString) continue
    else if (code === openBrace || code === openBracket) depth += 1
    else if (code === closeBrace || code === closeBracket) depth -= 1
    if (depth > most) return true
  }
  return false
}

/** Consecutive objects, each as a text, and the rest after the last complete one. */
export const splitObjects = (text: string): { objects: string[]; rest: string } => {
  const objects: string[] = []
  let [start, depth] = [0, 0]
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === backslash && isInString) at += 1
    else if (code === quote) isInString = !isInString
    else if (isInString) continue
    else if (code === openBrace) depth += 1
    else if (code === closeBrace) {
      depth -= 1
      if (depth > 0) continue
      objects.push(text.slice(start, at + 1))
      start = at + 1
      depth = 0
    }
  }
  return { objects, rest: text.slice(start).trim() }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
