/** JSON from outside, read without trust. */

/** The value of a text that should be JSON; undefined, which no JSON says, where it is not. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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

const [quote, backslash] = [0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
