/** Makes foreign text safe to show: no control characters, no terminal escapes, no hidden or reordering characters. */

/** One line of text: as `sanitiseBlock`, with every run of white space folded to one space. */
export const sanitise = (text: string): string =>
  !notPlainWords.test(text) || needsNothing(text, unsafe) ? text : withoutHidden(text).replace(/\s+/g, foldSpace).trim()

/** Text that may have lines, such as a description or a note: keeps `\n` and indentation. */
export const sanitiseBlock = (text: string): string =>
  needsNothing(text, unsafeInBlock)
    ? text
    : withoutHidden(text)
        .replace(/\r\n|[\r\u2028\u2029]/g, "\n")
        .replace(/[\t\v\f]/g, " ")
        .split("\n")
        .map((line) => line.trimEnd())
        .join("\n")
        .replace(/\n{3,}/g, "\n\n")
        .trim()

/** A line as a program printed it: with its indentation, and of what it wrote over itself only the last. */
export const sanitisePrinted = (line: string): string => {
  if (/^[ -~]*$/.test(line)) return line.trimEnd()
  let end = line.length
  while (line[end - 1] === "\r") end -= 1
  return withoutHidden(line.slice(line.lastIndexOf("\r", end - 1) + 1, end))
    .replace(/\t/g, "  ")
    .replace(/[\n\v\f\u2028\u2029]/g, " ")
    .trimEnd()
}

/** Text that somebody works with, such as a program's output: all white space stays as it is. */
export const sanitiseOutput = (text: string): string => withoutHidden(text)

/**
 * JSON-like data with all strings and keys sanitised. Keys that reach a prototype, values JSON does not know, cycles and
 * whatever lies deeper than 32 levels are left out.
 */
export const sanitiseData = (value: unknown): unknown => sanitiseValue(value, 0, new Map())

const deepest = 32
const prototypeKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

const sanitiseValue = (value: unknown, depth: number, known: Map<object, unknown>): unknown => {
  if (typeof value === "string") return sanitiseBlock(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined
  if (typeof value === "boolean" || value === null) return value
  if (typeof value !== "object" || depth >= deepest) return undefined
  // Shared parts are walked once, or a few nested pairs of the same array would grow without bound. A part that is still
  // being walked answers with undefined, which ends a cycle.
  if (known.has(value)) return known.get(value)
  known.set(value, undefined)
  const safe = sanitiseObject(value, (part) => sanitiseValue(part, depth + 1, known))
  known.set(value, safe)
  return safe
}

const sanitiseObject = (value: object, sanitisePart: (part: unknown) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(sanitisePart).filter((part) => part !== undefined)
  if (Object.prototype.toString.call(value) !== "[object Object]") return undefined
  const entries = Object.entries(value)
    .map(([key, part]) => [sanitiseBlock(key), sanitisePart(part)] as const)
    .filter(([key, part]) => !prototypeKeys.has(key) && part !== undefined)
  return Object.fromEntries(entries)
}

/** Characters that never pass, apart from white space: \p{Cs} under the u flag is a lone surrogate. */
const hidden =
  "\\p{Cs}\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}"
const unsafe = new RegExp(`[\\x00-\\x1f${hidden}\\u2028\\u2029]|\\s\\s`, "u")
const unsafeInBlock = new RegExp(`[\\x00-\\x09\\x0b-\\x1f${hidden}\\u2028\\u2029]|\\s\\n|\\n\\n\\n`, "u")

/** Most texts are such, and a short command need not make the larger pattern ready for them. */
const notPlainWords = /[^ -~]| {2}|^ | $/

const needsNothing = (text: string, pattern: RegExp): boolean => !pattern.test(text) && text.trim() === text

/** A no-break or ideographic space on its own is somebody's typography and stays. */
const foldSpace = (run: string): string => (/^[^\x00-\x1f\u2028\u2029]$/.test(run) ? run : " ")

/**
 * One pass, each character looked at no more than twice, whatever the text. Parts are judged as they stand in the
 * original, so that taking something out cannot join its neighbours into something new.
 */
const withoutHidden = (text: string): string => {
  const kept: string[] = []
  let from = 0
  let at = 0
  while (at < text.length) {
    const end = endOfHidden(text, at)
    if (end === at) {
      at += isHighSurrogate(text.charCodeAt(at)) ? endOfCharacter(text, at) - at : 1
      continue
    }
    if (at > from) kept.push(text.slice(from, at))
    if (isSurrogate(text.charCodeAt(at)) && end === at + 1) kept.push("\ufffd")
    from = end
    at = end
  }
  kept.push(text.slice(from))
  return kept.join("")
}

/** Where the hidden thing that starts here ends; the same place when the character may stay. */
const endOfHidden = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  if (code < 0x20) return code === 0x1b ? endOfEscape(text, at) : isSpaceControl(code) ? at : at + 1
  if (code < 0x7f) return at
  if (code < 0xa0) return endOfControl(text, at, code)
  if (isSurrogate(code)) return endOfHiddenPair(text, at)
  return isHiddenMark(code) ? at + 1 : at
}

const isSpaceControl = (code: number): boolean => code >= 0x09 && code <= 0x0d

const isHiddenMark = (code: number): boolean =>
  code === 0x061c ||
  code === 0x200b ||
  code === 0x200e ||
  code === 0x200f ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2060 && code <= 0x206f) ||
  code === 0xfeff ||
  (code >= 0xfff9 && code <= 0xfffb)

/** ESC and a letter says in seven bits what one C1 control says in eight. */
const endOfEscape = (text: string, at: number): number => {
  const next = text.charCodeAt(at + 1)
  if (next >= 0x40 && next <= 0x5f) return endOfControl(text, at + 1, next + 0x40)
  // Other escapes are up to two intermediates and a final, as in ESC ( B.
  let end = at + 1
  while (end < at + 3 && isBetween(text.charCodeAt(end), 0x20, 0x2f)) end += 1
  return isBetween(text.charCodeAt(end), 0x30, 0x7e) ? end + 1 : at + 1
}

const stringControls: ReadonlySet<number> = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f])

/** `at` is the last character of the introducer, `code` the C1 control it means. */
const endOfControl = (text: string, at: number, code: number): number => {
  if (code === 0x9b) return endOfControlSequence(text, at + 1)
  return stringControls.has(code) ? endOfControlString(text, at + 1) : at + 1
}

/** CSI: parameters, intermediates, one final character. Cut off, what is there of it goes. */
const endOfControlSequence = (text: string, start: number): number => {
  let end = start
  while (isBetween(text.charCodeAt(end), 0x30, 0x3f)) end += 1
  while (isBetween(text.charCodeAt(end), 0x20, 0x2f)) end += 1
  return isBetween(text.charCodeAt(end), 0x40, 0x7e) ? end + 1 : end
}

/**
 * OSC, DCS, SOS, PM and APC run to BEL or ST. One that meets any other control character or the end of the text first was
 * never closed: then only its introducer goes and its text stays, because a terminal may swallow what follows but a plan
 * must not lose it. Stopping at every control character also keeps a row of openings from being searched again and again.
 */
const endOfControlString = (text: string, start: number): number => {
  let end = start
  while (end < text.length && !isControl(text.charCodeAt(end))) end += 1
  const code = text.charCodeAt(end)
  if (code === 0x07 || code === 0x9c) return end + 1
  return code === 0x1b && text.charCodeAt(end + 1) === 0x5c ? end + 2 : start
}

const isBetween = (code: number, low: number, high: number): boolean => code >= low && code <= high
const isControl = (code: number): boolean => code < 0x20 || isBetween(code, 0x7f, 0x9f)
const isSurrogate = (code: number): boolean => isBetween(code, 0xd800, 0xdfff)
const isHighSurrogate = (code: number): boolean => isBetween(code, 0xd800, 0xdbff)

/** A lone surrogate, or a tag character: invisible, and so a way to hide words in plain sight. */
const endOfHiddenPair = (text: string, at: number): number => {
  const point = text.codePointAt(at) ?? 0
  if (isSurrogate(point)) return at + 1
  return isBetween(point, 0xe0000, 0xe007f) ? at + 2 : at
}

/** The flags of England, Scotland and Wales are a black flag spelled out in tag characters. */
const subdivisionFlag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/uy

const endOfCharacter = (text: string, at: number): number => {
  if (text.codePointAt(at) !== 0x1f3f4) return at + 2
  subdivisionFlag.lastIndex = at
  return subdivisionFlag.test(text) ? subdivisionFlag.lastIndex : at + 2
}
