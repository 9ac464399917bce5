/** Text that wants to steer a terminal, hide words or forge a line, and how it is found in what was printed. */
import { isFull } from "../rounds.ts"

/** Seen in the output, it shows that a hostile field came so far. */
export const mark = "Mallory"

/** What a person must never find at the start of a line, as if we had said it. */
export const forged = "FORGED"

const codes = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index))

const breaks = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]

const short: Readonly<Record<string, string>> = {
  "clipboard, closed by BEL": "\u001b]52;c;aGVsbG8=\u0007",
  "clipboard, closed by ST": "\u001b]52;c;aGVsbG8=\u001b\\",
  "clipboard, in eight bits": "\u009d52;c;aGVsbG8=\u009c",
  link: "\u001b]8;;https://mallory.example\u001b\\click\u001b]8;;\u001b\\",
  "window title": "\u001b]0;title\u0007\u001b]2;title\u0007",
  "CSI with every final": codes(0x40, 0x7e)
    .map((final) => `\u001b[1;2${final}`)
    .join(""),
  "private CSI": "\u001b[?1049h\u001b[?25l\u001b[>c\u001b[=5n\u001b[!p",
  "eight-bit CSI": "\u009b2J\u009b31m",
  "DCS, SOS, PM and APC": "\u001bPq#0\u001b\\\u001bXs\u001b\\\u001b^p\u001b\\\u001b_Gf=100;AAAA\u001b\\",
  "every C1 control": codes(0x80, 0x9f).join(""),
  "every C0 control and DEL": `${codes(0x00, 0x1f).join("")}\u007f`,
  "reset, index and character sets": "\u001bc\u001bD\u001bM\u001b7\u001b8\u001b(0\u001b#8\u001b%G",
  overwriting: "safe\b\b\b\bevil\rEVIL",
  bidi: "\u202e\u202d\u202a\u202b\u202c\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
  "zero width": "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e",
  "invisible letters":
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800\u{1d173}\u{1d17a}\u{1bca0}\u{13441}\u{16fe4}\u{1d159}",
  selectors: "\ufe00\ufe0e\ufe0f\u{e0100}\u{e01ef}\u180b",
  "tag characters": "\u{e0001}\u{e0069}\u{e0067}\u{e006e}\u{e007f}",
  annotations: "\ufff9a\ufffab\ufffb",
  "lone surrogates": "\ud83dx\ude00",
  "line breaks": breaks.map((each) => `${each}${forged}`).join(""),
  "escapes that are never closed": "\u001b[38;5\u001b]0;t\u001bP\u001b",
}

/** All of it in one text. */
const everything = Object.values(short).join(" ")

const long: Readonly<Record<string, string>> = {
  "ten thousand marks": `o${"\u0301".repeat(10_000)}`,
  "a chain of emoji": "👩\u200d".repeat(500),
  "very long": `${"x".repeat(19_000)}\u001b[2J`,
}

const marked = (texts: Readonly<Record<string, string>>): [name: string, text: string][] =>
  Object.entries(texts).map(([name, text]) => [name, mark + text])

/** By name. With HEADWAY_ATTACK=full the long ones too. */
export const largeTexts: readonly [name: string, text: string][] = [
  ["everything at once", `${mark}${everything}`],
  ...(isFull ? marked(long) : []),
]

/** Each kind on its own. */
export const singleTexts: readonly string[] = marked(short).map(([, text]) => text)

/** With HEADWAY_ATTACK=full each kind on its own too. */
export const hostileTexts: readonly [name: string, text: string][] = [...largeTexts, ...(isFull ? marked(short) : [])]

/** What a file may be called. */
export const hostileName = `${mark}\u001b]52;c;aGk=\u0007\u009b2J\u202e\u200b\u00ad\n${forged}\r${forged}\u2028${forged}`

const steering = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]/
const undrawn = /[\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800\u{13441}\u{13442}\u{16fe4}\u{1d159}]|\p{M}{13}/u
/** Styles of our own: bold, dim, inverse, struck, a colour, and their ends. */
const ownStyles = /\u001b\[(?:(?:[01279]|2[279]|3[1-69]|90)(?:;(?:[01279]|3[1-69]|90))*)m/g

/** Up to four, joined to one. */
const wholeEmoji = /\p{Extended_Pictographic}(?:\u200d\p{Extended_Pictographic}){1,3}(?!\u200d)/gu

export type Allowed = { styles?: boolean; sequences?: RegExp; breaks?: boolean; tabs?: boolean }

/** What of an output would steer a terminal, hide or forge something; empty when it is safe. */
export const leaksIn = (
  output: string | Uint8Array,
  { styles, sequences, breaks: mayBreak, tabs }: Allowed = {},
): string[] => {
  const text = typeof output === "string" ? output : new TextDecoder("utf-8", { fatal: true }).decode(output)
  const taken = [sequences, styles && ownStyles, tabs && /\t/g, wholeEmoji].filter((one) => one instanceof RegExp)
  const rest = taken.reduce((left, pattern) => left.replace(pattern, ""), text)
  const found = [steering, undrawn].flatMap((pattern) => {
    const at = rest.search(pattern)
    return at < 0 ? [] : [JSON.stringify(rest.slice(Math.max(0, at - 40), at + 20)).replace(/[^ -~]/gu, seen)]
  })
  const lies = mayBreak ? [] : rest.split("\n").filter((line) => line.startsWith(forged))
  return [...found, ...lies]
}

const seen = (character: string): string => `<${character.codePointAt(0)?.toString(16)}>`
