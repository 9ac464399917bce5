/** Decodes a terminal's input into keys: a character, or a sequence that begins with Esc. */

export type Key = {
  /**
   * `return`, `enter` (line feed), `left`, `backspace`, `a`, …; `paste` for pasted text; `click`, `wheelup` and `wheeldown`
   * of a mouse.
   */
  name: string
  ctrl: boolean
  meta: boolean
  /** The text that the key types; empty for a key that types nothing. */
  text: string
  /** The position of the mouse on the screen, counted from 0. */
  at?: { column: number; row: number }
}

/** A key, or a sequence that is not a key of ours, and its length in characters. */
export type KeyCode = { length: number; key?: Key; isPasteStart?: boolean }

/** The markers that a terminal sends around pasted text if asked to. */
export const [pasteStart, pasteEnd] = ["\u001b[200~", "\u001b[201~"]

export const escapeCode = "\u001b"
const escapeKey: Key = { name: "escape", ctrl: false, meta: false, text: "" }
export const interrupt = "\u0003"

/** Reads the first key of a text. Returns undefined if the text is the beginning of a longer sequence. */
export const readKeyCode = (text: string): KeyCode | undefined => {
  if (!text.startsWith(escapeCode)) return readCharacter(text)
  const next = text.charAt(1)
  if (next === "") return undefined
  if (next === escapeCode) return readSecondEscape(text)
  if (next === "[" || next === "O") return readSequence(text)
  if (next === "]" || next === "P") return readAnswer(text)
  // Esc and then Ctrl with a letter are two keys; Alt with Enter, Tab or Backspace is one.
  if (/^[\u0000-\u0007\u000b\u000c\u000e-\u001f]/.test(next)) return { length: 1, key: escapeKey }
  const { key, length } = readCharacter(text.slice(1, 3))
  return { length: length + 1, key: { ...key, meta: true, text: "" } }
}

/** The keys of an incomplete sequence that nothing followed: Esc, or Alt with `[`, `O`, `]` or `P`. */
export const keysOfRest = (rest: string): Key[] => {
  if (/^\u001b+$/.test(rest)) return Array.from(rest, () => escapeKey)
  const { key } = readCharacter(rest.slice(1))
  return rest.length === 2 ? [{ ...key, meta: true, text: "" }] : []
}

/** In characters. A longer sequence is not one of our keys. */
const longestBeginning = 64

/** Shortens an incomplete sequence. Its last character is kept, because it decides how the sequence may continue. */
export const shortened = (beginning: string): string =>
  beginning.length <= longestBeginning ? beginning : beginning.slice(0, longestBeginning) + beginning.slice(-1)

/** Esc twice is two keys, unless it is Alt with a key that sends a sequence. */
const readSecondEscape = (text: string): KeyCode | undefined => {
  if (text.length === 2) return undefined
  const inner = /^[[O]/.test(text.slice(2)) ? readSequence(text.slice(1)) : { length: 0 }
  if (!inner) return undefined
  const { key, length } = inner
  return key ? { length: length + 1, key: { ...key, meta: true } } : { length: 1, key: escapeKey }
}

const sequence = /^\u001b([[O])(\[[@-~]|[0-?]*[ -/]*[@-Z\\-~])/
const sequenceBegun = /^\u001b[[O](?:\[?|[0-?]*[ -/]*)$/

const readSequence = (text: string): KeyCode | undefined => {
  const [whole, kind = "", code = ""] = sequence.exec(text) ?? []
  if (whole !== undefined) {
    const { length } = whole
    if (whole === pasteStart) return { length, isPasteStart: true }
    if (whole === plainMouse)
      return text.length < length + plainMousePlaces ? undefined : { length: length + plainMousePlaces }
    const key = kind === "[" ? (mouseKey(code) ?? controlKey(code)) : applicationKey(code)
    return key ? { length, key } : { length }
  }
  if (sequenceBegun.test(text)) return undefined
  // A character that cannot be part of the sequence ends it, and is read next.
  return { length: /^\u001b[[O](?:\[|[0-?]*[ -/]*)/.exec(text)?.[0].length ?? 1 }
}

/** The mouse prefix of terminals without the numeric format. Three characters follow, which are not keys. */
const plainMouse = "\u001b[M"
const plainMousePlaces = 3

/** `<0;12;5M`: button, column, row, and `M` for pressed. Modifier keys are added to the button's number. */
const mouseKey = (code: string): Key | undefined => {
  const [, button = "", column = "", row = "", end] = /^<(\d+);(\d+);(\d+)([Mm])$/.exec(code) ?? []
  if (end !== "M") return undefined
  const pressed = Number(button) & ~(4 | 8 | 16)
  const name = { 0: "click", 64: "wheelup", 65: "wheeldown" }[pressed]
  if (name === undefined) return undefined
  const at = { column: Math.max(0, Number(column) - 1), row: Math.max(0, Number(row) - 1) }
  return { name, ctrl: false, meta: false, text: "", at }
}

const answer = /^\u001b(?:\]\d|P[\d!$+>|])[^\u0000-\u001f]*(?:\u0007|\u001b\\)/
const answerBegun = /^\u001b(?:\](?:\d[^\u0000-\u001f]*\u001b?)?|P(?:[\d!$+>|][^\u0000-\u001f]*\u001b?)?)$/

/** A terminal's reply to a query of the previous program, such as for its colours or name. Its letters are not keys. */
const readAnswer = (text: string): KeyCode | undefined => {
  const [whole] = answer.exec(text) ?? []
  if (whole !== undefined) return { length: whole.length }
  if (answerBegun.test(text)) return undefined
  const [broken] = /^\u001b(?:\]\d|P[\d!$+>|])[^\u0000-\u001f]*/.exec(text) ?? []
  if (broken !== undefined) return { length: broken.length }
  return { length: 2, key: { name: text.charAt(1).toLowerCase(), ctrl: false, meta: true, text: "" } }
}

const byLetter: Readonly<Record<string, string>> = {
  ...{ A: "up", B: "down", C: "right", D: "left", E: "clear", F: "end", H: "home", Z: "tab" },
  ...{ P: "f1", Q: "f2", R: "f3", S: "f4" },
}

const byNumber: Readonly<Record<string, string>> = {
  ...{ 1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end" },
  ...{ 11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9" },
  ...{ 21: "f10", 23: "f11", 24: "f12" },
}

/** `A`, `1;5A`, `5~`, `5;5~`; some terminals send `^` instead of `~` for Ctrl. */
const controlKey = (code: string): Key | undefined => {
  const [, number = "", modifiers = "1", letter = ""] = /^(\d*)(?:;(\d+))?([A-Za-z~^])$/.exec(code) ?? []
  const isNumbered = letter === "~" || letter === "^"
  const name = isNumbered ? byNumber[number] : number === "" || number === "1" ? byLetter[letter] : undefined
  if (name === undefined) return undefined
  const held = Number(modifiers) - 1
  return { name, ctrl: letter === "^" || (held & 4) !== 0, meta: (held & 10) !== 0, text: "" }
}

/** `A`; a small letter means that Ctrl was held. */
const applicationKey = (code: string): Key | undefined => {
  if (/^[a-d]$/.test(code)) return { name: byLetter[code.toUpperCase()] ?? "", ctrl: true, meta: false, text: "" }
  return code === "M" ? characterKey("\r") : controlKey(code)
}

const readCharacter = (text: string): { length: number; key: Key } => {
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0)
  return { length: character.length, key: characterKey(character) }
}

const named: Readonly<Record<string, string>> = {
  ...{ "\r": "return", "\n": "enter", "\t": "tab", "\b": "backspace", "\u007f": "backspace", " ": "space" },
}

const characterKey = (character: string): Key => {
  const code = character.codePointAt(0) ?? 0
  const name = named[character]
  if (name !== undefined) return { name, ctrl: false, meta: false, text: character === " " ? " " : "" }
  if (code < 32) return { name: String.fromCharCode(code + 64).toLowerCase(), ctrl: true, meta: false, text: "" }
  const isWritten = code < 0x80 || code > 0x9f
  return { name: character.toLowerCase(), ctrl: false, meta: false, text: isWritten ? character : "" }
}
