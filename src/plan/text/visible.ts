/** Makes foreign text visible, for a person who is asked to allow exactly what it says: nothing is left out or hidden. */

/**
 * Text of several lines: `\n` stays a line break. Characters that would be invisible are between the brackets `⟨` and `⟩`, as in
 * `ls ⟨\x1b⟩[2J`. They have no other meaning, since a bracket of the text itself is written as `⟨\u27e8⟩`: so two
 * different texts never look the same, and `\x1b` typed as four letters stays as it is.
 */
export const makeVisible = (text: string): string => (plain.test(text) ? text : text.replace(hiddenInBlock, escaped))

/** One line of text, such as a path: a line break is made visible too. */
export const makeLineVisible = (text: string): string => text.replace(hiddenInLine, escaped)

/** Finds what was made visible in a visible text, so that a screen can mark it. */
export const madeVisible = /⟨\\[^⟨⟩]*⟩/g

/** The invisible or control characters that a visible text shows, as it shows them. Tabs are ordinary, and not among them. */
export const hiddenIn = (visible: string): string[] =>
  (visible.match(madeVisible) ?? []).filter((made) => !ordinary.has(made))

const ordinary: ReadonlySet<string> = new Set(["⟨\\t⟩", "⟨\\u27e8⟩", "⟨\\u27e9⟩"])

/** Most commands and files are such. */
const plain = /^[ -~\n]*$/

/**
 * By their kind in Unicode, which takes in characters that no list names: controls, formats (bidirectional marks, tags,
 * joiners, soft hyphens), lone surrogates, private and unassigned characters, spaces other than the space, line and
 * paragraph separators, and all that fonts draw as nothing (variation selectors, fillers, the empty Braille pattern).
 * Marks are drawn onto what comes before them: on anything but a letter, or in a pile, they would cover it. So are the
 * letters that behave like marks, skin tones, and the parts of a Hangul syllable after its first.
 */
const hiddenKinds =
  "\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Cn}\\p{Z}\\p{Default_Ignorable_Code_Point}\\u2800\\u{13441}\\u{13442}\\u{16fe4}\\u{1d159}\\u27e8\\u27e9"
const drawn = "(?!\\p{Default_Ignorable_Code_Point})"
const combiningMark = "[\\p{M}\\u0e33\\u0eb3\\uff9e\\uff9f]"
const [lead, vowel, tail] = [
  "[\\u1100-\\u115e\\ua960-\\ua97c]",
  "[\\u1161-\\u11a7\\ud7b0-\\ud7c6]",
  "[\\u11a8-\\u11ff\\ud7cb-\\ud7fb]",
]
const strayCombiningMark = [
  `(?<!${drawn}(?!${combiningMark})\\p{L}(?:${drawn}${combiningMark}){0,3})${combiningMark}`,
  "(?<!\\p{Emoji_Modifier_Base})\\p{Emoji_Modifier}",
  `(?<!${lead})${vowel}`,
  `(?<!${lead}${vowel}|[\\uac00-\\ud7a3])${tail}`,
].join("|")
const hiddenInBlock = new RegExp(`(?![ \\n])[${hiddenKinds}]|${strayCombiningMark}`, "gu")
const hiddenInLine = new RegExp(`(?! )[${hiddenKinds}]|${strayCombiningMark}`, "gu")

/** One by one, each with what is drawn onto it. */
const joining = `${combiningMark}|\\p{Emoji_Modifier}|${vowel}|${tail}`
export const drawnCharacters = new RegExp(`.(?:${joining})*`, "gsu")

const named: Readonly<Record<string, string>> = { "\t": "\\t", "\n": "\\n", "\r": "\\r" }

/** As most languages write it: `\x1b`, `\u202e`, `\u{e0041}`. */
const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  const digits = code.toString(16)
  if (code <= 0xff) return `⟨${named[character] ?? `\\x${digits.padStart(2, "0")}`}⟩`
  return code <= 0xffff ? `⟨\\u${digits.padStart(4, "0")}⟩` : `⟨\\u{${digits}}⟩`
}
