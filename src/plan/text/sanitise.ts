/** Makes foreign text safe to show: no control characters, no terminal escapes, no hidden or reordering characters. */

/** One line of text: as `sanitiseBlock`, with every run of white space folded to one space. */
export const sanitise = (text: string): string =>
  !notPlainWords.test(text) || needsNothing(text, unsafe) ? text : withoutHidden(text).replace(/\s+/g, foldSpace).trim()

/** Text that may have lines, such as a description: keeps `\n` and the indentation of all lines but the first. */
export const sanitiseBlock = (text: string): string => sanitiseNote(text).trimStart()

/** A note: as `sanitiseBlock`, and its first line keeps its indentation too. */
export const sanitiseNote = (text: string): string =>
  !notPlainBlock.test(text) || needsNothing(text, unsafeInBlock)
    ? text
    : withoutHidden(text)
        .replace(/\r\n|[\r\u2028\u2029]/g, "\n")
        .replace(/[\t\v\f]/g, " ")
        .split("\n")
        .map((line) => line.trimEnd())
        .join("\n")
        .replace(/^\n+/, "")
        .replace(/\n{3,}/g, "\n\n")
        .trimEnd()

/** A line as a program printed it: with its indentation, and of what it wrote over itself only the last. */
export const sanitisePrinted = (line: string): string => {
  if (!/[^ -~]/.test(line)) return line.trimEnd()
  let end = line.length
  while (line[end - 1] === "\r") end -= 1
  return withoutHidden(line.slice(line.lastIndexOf("\r", end - 1) + 1, end))
    .replace(/\t/g, "  ")
    .replace(/[\n\v\f\u2028\u2029]/g, " ")
    .trimEnd()
}

/** Text that is worked with, such as a program's output: all white space stays as it is. */
export const sanitiseOutput = (text: string): string => withoutHidden(text)

/** Laid-out text just before it is written to a screen: only `\n` and `\t` move the cursor, and no space is lost or moved. */
export const sanitiseShown = (text: string): string =>
  !notDrawnRows.test(text) || !unsafeOnScreen().test(text)
    ? text
    : withoutHidden(text)
        .replace(/\r\n/g, "\n")
        .replace(/[\r\v\f\u2028\u2029]/g, " ")

/** A piece of one row of a screen: as `sanitiseShown`, and nothing in it moves the cursor. */
export const sanitiseRow = (text: string): string => {
  const shown = sanitiseShown(text)
  return /[\n\t]/.test(shown) ? shown.replace(/\n/g, " ").replace(/\t/g, "  ") : shown
}

/** JSON text that means the same and shows everything: what is hidden, or would be taken out, is written as an escape. */
export const escapeHidden = (json: string): string =>
  !notDrawnRows.test(json) || !unsafeOnScreen().test(json)
    ? json
    : json
        .replace(unsafeInJson(), escaped)
        .replace(longRun(), (_all, first: string, rest: string) => first + escaped(rest))

/**
 * JSON-like data with all strings and keys sanitised. Keys that reach a prototype, values JSON does not know, cycles and
 * whatever is deeper than 32 levels are left out.
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
  // being walked returns undefined, which ends a cycle.
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

/** Most texts hold none of this, and a short command need not make the larger patterns ready for them. */
const notPlainWords = /[^ -~]| {2}|^ | $/
const notPlainLines = /[^\t-\r -~]/
const notPlainBlock = /[^\n -~]|\s\n|\n\n\n|^\s|\s$/
/** Other than Latin letters, and the signs and boxes our own lists are drawn with. */
const notDrawnRows = /[^\t\n -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u27bf]/

/** A pattern that is made when a text first needs it: classes of all of Unicode take as long as a small command. */
const pattern = (source: () => string, flags = "v"): (() => RegExp) => {
  let made: RegExp | undefined
  return () => {
    made ??= new RegExp(source(), flags)
    return made
  }
}

/** Of the characters that only format text these are drawn: signs around a number or a word. */
const drawnFormats = "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}"
/** Never drawn though Unicode calls them letters and signs: blank hieroglyphs, a Khitan filler, a note without a head. */
const blanks = "\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}"
/** Never drawn: formats, fillers, selectors, joiners, the Braille cell without dots; \p{Cs} is a lone surrogate. */
const undrawn = `[[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\p{Cs}\\u2800${blanks}]--[${drawnFormats}]]`
/** No script puts more marks on one letter; more would be drawn over the lines around it. */
const mostMarks = 12
const hidden = `[\\x7f-\\x9f\\u2028\\u2029]|${undrawn}|\\p{M}{${mostMarks + 1}}`

const unsafe = pattern(() => `[\\x00-\\x1f]|${hidden}|\\s\\s`)
const unsafeInBlock = pattern(() => `[\\x00-\\x09\\x0b-\\x1f]|${hidden}|\\s\\n|\\n\\n\\n`)
const unsafeOnScreen = pattern(() => `[\\x00-\\x08\\x0b-\\x1f]|${hidden}`)
const unsafeInJson = pattern(() => `[\\x7f-\\x9f\\u2028\\u2029]|${undrawn}`, "gv")
/** What may have to go; white space is folded elsewhere. */
const suspect = pattern(() => `[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f]|${undrawn}`, "gv")

const needsNothing = (text: string, unsafePart: () => RegExp): boolean =>
  !unsafePart().test(text) && text.trim() === text

/** A no-break or ideographic space on its own is the author's typography and stays. */
const foldSpace = (run: string): string => (/^[^\x00-\x1f\u2028\u2029]$/.test(run) ? run : " ")

/**
 * One pass that reads each character at most twice, whatever the text. Parts are judged as they are in the
 * original, so that taking something out cannot join its neighbours into something new.
 */
const withoutHidden = (text: string): string => {
  if (!notPlainLines.test(text)) return text
  const kept: string[] = []
  const next = suspect()
  let from = 0
  next.lastIndex = 0
  for (let found = next.exec(text); found; found = next.exec(text)) {
    const at = found.index
    // Behind something that went there is nothing it could do anything for.
    const end = at === from ? at : endOfUseful(text, at)
    if (end > at) {
      next.lastIndex = end
      continue
    }
    if (at > from) kept.push(text.slice(from, at))
    from = endOfHidden(text, at)
    next.lastIndex = from
    if (from === at + 1 && isSurrogate(text.charCodeAt(at))) kept.push("\ufffd")
  }
  kept.push(text.slice(from))
  return kept.join("").replace(longRun(), "$1").replace(longChain(), "$1")
}

const onOneLetter = "[\\p{M}\\u200c\\u200d]"
const longRun = pattern(() => `(${onOneLetter}{${mostMarks}})(${onOneLetter}+)`, "gv")

/** Emoji have at most four parts; a longer chain is measured as one and drawn as many. */
const part = "\\p{Extended_Pictographic}[\\ufe0f\\p{Emoji_Modifier}]?"
const longChain = pattern(() => `((?:${part}\\u200d){3}${part})\\u200d`, "gv")

const escaped = (text: string): string =>
  text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Where what changes how the character before it is drawn ends; the same place when it does nothing there. */
const endOfUseful = (text: string, at: number): number => {
  if (text.charCodeAt(at) < 0xa0) return at
  for (const useful of isJoiner(text.charCodeAt(at)) ? [joinsEmoji, joinsLetters] : [selects]) {
    const here = useful()
    here.lastIndex = at
    if (here.test(text)) return here.lastIndex
  }
  return at
}

const isJoiner = (code: number): boolean => code === 0x200c || code === 0x200d

/** What can be drawn as a picture and is not a digit. */
const sign = "[\\p{Emoji}--[0-9#*]]"

const selects = pattern(
  () =>
    [
      // A sign as a picture or as a letter; a digit as a key.
      `(?<=${sign})[\\ufe0e\\ufe0f]`,
      "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
      // The flags of England, Scotland and Wales are a black flag spelled out in tag characters.
      `(?<=\\u{1f3f4})(?:${["gbeng", "gbsct", "gbwls"].map(inTags).join("|")})\\u{e007f}`,
      // Forms of one ideograph, as in names, and of one Mongolian letter.
      "(?<=\\p{Unified_Ideograph})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]",
      "(?<=[\\u1820-\\u18aa])(?:[\\u180b-\\u180d\\u180f]|\\u180e(?=[\\u1820\\u1821]))",
      // The space of Braille, after Braille.
      "(?<=[\\u2801-\\u28ff])\\u2800",
    ].join("|"),
  "vy",
)

const inTags = (letters: string): string =>
  letters.replace(/./g, (letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`)

const joinsEmoji = pattern(
  () => `(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]|${sign}\\ufe0f)\\u200d(?=\\p{Extended_Pictographic})`,
  "vy",
)

/** Letters join or part in the scripts of Arabia, Persia and Mongolia, and in those of India and its neighbours. */
const joinsLetters = pattern(() => {
  const cursive = ofScripts("Arab", "Syrc", "Mong", "Nkoo", "Mand")
  const indic = ofScripts(
    ...["Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh", "Mymr", "Khmr", "Java", "Bali"],
  )
  return [
    `(?<=[${cursive}&&[\\p{L}\\p{M}]])(?:\\u200d|\\u200c(?=[${cursive}&&\\p{L}]))`,
    `(?<=[${indic}&&\\p{M}])[\\u200c\\u200d]`,
    `(?<=[${indic}&&\\p{L}])(?:\\u200c(?=[${indic}&&\\p{L}])|\\u200d(?=[${indic}&&\\p{M}]))`,
  ].join("|")
}, "vy")

const ofScripts = (...names: string[]): string => `[${names.map((name) => `\\p{scx=${name}}`).join("")}]`

/** Where the hidden thing that starts here ends. */
const endOfHidden = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  if (code === 0x1b) return endOfEscape(text, at)
  if (isBetween(code, 0x80, 0x9f)) return endOfControl(text, at, code)
  return isSurrogate(code) && !isSurrogate(text.codePointAt(at) ?? 0) ? at + 2 : at + 1
}

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
