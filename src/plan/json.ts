/** JSON from outside, read without trust. */

/** The value of a text that should be JSON; undefined, which no JSON says, where it is not. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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

/** Objects that stand one behind the other, each as a text, and what is left behind the last that was closed. */
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

const [quote, backslash] = [0x22, 0x5c]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
