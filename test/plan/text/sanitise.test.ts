/** Foreign text cannot move the cursor, hide words, reorder a line or reach a prototype. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  escapeHidden,
  sanitise,
  sanitiseBlock,
  sanitiseData,
  sanitiseNote,
  sanitiseOutput,
  sanitisePrinted,
  sanitiseRow,
  sanitiseShown,
} from "../../../src/plan/text/sanitise.ts"
import { anyCharacter } from "../../any-character.ts"

describe("one line of text", () => {
  const england = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"
  const cases: [name: string, text: string, expected: string][] = [
    ["colours and a bell go", "\u001b[31mred\u001b[0m al\u0007ert", "red alert"],
    ["plain text stays", "Fix the naïve façade – 50 % done", "Fix the naïve façade – 50 % done"],
    ["lines, tabs and runs of spaces fold", "  a\r\n\t b   c\f\vd ", "a b c d"],
    ["a no-break space on its own stays", "5\u00a0km", "5\u00a0km"],
    ["line and paragraph separators fold", "a\u2028b\u2029c", "a b c"],
    ["the eight-bit CSI goes", "\u009b31mred", "red"],
    ["a private CSI goes", "\u001b[?25lhidden cursor\u001b[?25h", "hidden cursor"],
    ["a cut-off CSI goes", "text\u001b[38;5", "text"],
    ["a CSI broken by a line end keeps the next line", "a\u001b[3\nb", "a b"],
    ["an OSC link closed by BEL keeps its text", "\u001b]8;;http://x\u0007link\u001b]8;;\u0007", "link"],
    ["an OSC closed by ST goes", "a\u001b]0;title\u001b\\b", "ab"],
    ["an eight-bit OSC closed by eight-bit ST goes", "a\u009d0;title\u009cb", "ab"],
    ["an OSC never closed loses only its introducer", "a \u001b]0;the rest", "a 0;the rest"],
    ["an OSC never closed ends at the next escape", "\u001b]0;t \u001b[1mbold", "0;t bold"],
    ["DCS, SOS, PM and APC go", "a\u001bPq\u001b\\b\u001bXq\u001b\\c\u001b^q\u001b\\d\u001b_q\u001b\\e", "abcde"],
    ["two-character escapes go", "a\u001b7b\u001bcc\u001bMd", "abcd"],
    ["a character set escape goes", "a\u001b(Bb", "ab"],
    ["an escape before other text takes nothing with it", "\u001bé", "é"],
    ["C0, DEL and C1 go", "a\u0000b\u0008c\u007fd\u0085e", "abcde"],
    ["bidi overrides, isolates and marks go", "a\u202eb\u2066c\u2069d\u200ee\u200ff\u061cg", "abcdefg"],
    ["zero-width space, word joiner and BOM go", "\ufeffa\u200bb\u2060c", "abc"],
    ["joiners of emoji and Persian stay", "👨‍👩‍👧 می‌خواهم", "👨‍👩‍👧 می‌خواهم"],
    ["lone surrogates are replaced", "a\ud83d b\ude00", "a\ufffd b\ufffd"],
    ["surrogates do not join over a gap", "\ud83d\u200b\ude00", "\ufffd\ufffd"],
    ["interlinear annotations go", "a\ufff9b\ufffac\ufffbd", "abcd"],
    ["tag characters go", "hi\u{e0069}\u{e0067}\u{e006e}\u{e007f}", "hi"],
    ["a flag spelled in tag characters stays", `${england} wins`, `${england} wins`],
    ["a flag does not carry a message", `\u{1f3f4}${"\u{e0061}".repeat(20)}\u{e007f}`, "\u{1f3f4}"],
    [
      "a flag of nowhere loses its letters",
      "\u{1f3f4}\u{e0067}\u{e0062}\u{e0078}\u{e0078}\u{e0078}\u{e007f}",
      "\u{1f3f4}",
    ],
    ["soft hyphens go", "hid\u00adden", "hidden"],
    ["Hangul fillers go", "a\u115fb\u1160c\u3164d\uffa0e", "abcde"],
    ["a Mongolian vowel separator between other letters goes", "a\u180eb", "ab"],
    ["formats of music and shorthand go", "a\u{1d173}b\u{1d17a}c\u{1bca0}d", "abcd"],
    ["the grapheme joiner and Khmer vowels without a form go", "a\u034fb\u17b4c\u17b5d", "abcd"],
    ["selectors behind letters and spaces go", "a\ufe0fb \ufe0ec\u{e0100}\u{e01ef}d\ufe00", "ab cd"],
    ["a selector behind a digit goes unless it makes a key", "1\ufe0f 2\ufe0f\u20e3", "1 2\ufe0f\u20e3"],
    ["a second selector goes", "❤\ufe0f\ufe0f\ufe0e", "❤\ufe0f"],
    ["a message in selectors behind a picture goes", `😀${"\u{e0148}\u{e0155}".repeat(9)}`, "😀"],
    ["joiners behind letters, spaces and at the start go", "\u200da\u200db \u200cc\u200c", "ab c"],
    ["joiners behind each other go", "👩\u200d\u200d👧 می\u200c\u200cخ", "👩👧 میخ"],
    ["a joiner that joins nothing goes", "👩\u200d می\u200c", "👩 می"],
    ["a joiner does not join over a gap", "👩\u200b\u200d👧", "👩👧"],
    ["the Braille cell without dots goes outside Braille", "a\u2800b", "ab"],
    ["letters and signs that are never drawn go", "a\u{13441}b\u{13442}c\u{16fe4}d\u{1d159}e", "abcde"],
    ["places without a character that would not be drawn go", "a\u2065b\ufff0c\u{e0fff}d", "abcd"],
    ["marks without end are cut", `e${"\u0301".repeat(10_000)}`, `e${"\u0301".repeat(12)}`],
    ["marks parted by what is hidden are counted together", `e${"\u0301\u034f".repeat(99)}`, `e${"\u0301".repeat(12)}`],
    [
      "a chain of emoji without end is cut in pieces of four",
      "👩\u200d".repeat(6),
      "👩\u200d👩\u200d👩\u200d👩👩\u200d👩",
    ],
    ["nothing left is empty", "\u001b[0m \u0007", ""],
  ]
  test.each(cases)("G8 %s", (_name, text, expected) => {
    expect(sanitise(text)).toBe(expected)
  })
})

describe("G8 what people write stays", () => {
  test.each([
    ["emoji joined from several", "👨‍👩‍👧 👩🏽‍💻 👩‍❤️‍💋‍👨 🏳️‍🌈 🏴‍☠️ 👁️‍🗨️ ❤️‍🔥 🧑🏻‍🤝‍🧑🏿"],
    ["signs as pictures and as letters", "❤️ ☺︎ ©️ ⚠️ ✔️ 1️⃣ #️⃣ *️⃣"],
    ["flags", "🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿"],
    ["Persian and Arabic", "می‌خواهم کتاب‌ها را بخوانم، ١٤٤٦ ه‍"],
    ["Arabic number signs", "\u0600١٢٣ \u06dd٧"],
    ["Devanagari, Bengali and Kannada", "क्‍ष श्‌ क्‌ষ র‍্যাব ত্‌ ರ‍್ಕ"],
    ["Malayalam, Sinhala and Tamil", "ന്‍ ക്‍ ශ්‍රී ක්‍ය தமிழ்"],
    ["Mongolian", "ᠮᠣᠩᠭᠣᠯ ᠭ᠋ ᠪᠠᠢᠨ\u180eᠠ"],
    ["names with a form of an ideograph", "渡邉\u{e0102} 葛\u{e0100}城 神\ufe00"],
    ["Braille", "⠓⠑⠇⠇⠕⠀⠺⠕⠗⠇⠙"],
    ["Tibetan, Hebrew and Vietnamese with their marks", "ཧྐྵྨླྺྼྻྂ שָׁלוֹם Việt Nam"],
    ["Hangul in letters", "\u1112\u1161\u11ab\u1100\u1173\u11af"],
  ])("%s", (_name, text) => {
    expect(sanitise(text)).toBe(text)
    expect(sanitiseBlock(text)).toBe(text)
    expect(sanitiseShown(text)).toBe(text)
  })
})

describe("text with lines", () => {
  const cases: [name: string, text: string, expected: string][] = [
    ["lines and indentation stay", "a\n  b\n    c", "a\n  b\n    c"],
    ["every line ending becomes one", "a\r\nb\rc\u2028d", "a\nb\nc\nd"],
    ["tabs become spaces", "a\n\tb", "a\n b"],
    ["space at line ends and extra blank lines go", " a  \n\n\n\nb \n", "a\n\nb"],
    ["escapes go", "a\u001b[2J\nb\u001b]0;t\u0007", "a\nb"],
  ]
  test.each(cases)("G8 %s", (_name, text, expected) => {
    expect(sanitiseBlock(text)).toBe(expected)
  })

  test("O3 a note keeps the indentation of its first line and loses only the spaces at its end", () => {
    expect(sanitiseNote(" \n\n  a\n b \n\n ")).toBe("  a\n b")
    expect(sanitiseNote("\u001b[2J  a")).toBe("  a")
    expect(sanitiseNote("  \n ")).toBe("")
  })
})

test("G8 the output of a program keeps its white space and no other hidden characters", () => {
  expect(sanitiseOutput("  a\tb \n\n\n\n\u001b[31mc\u202e\r\n")).toBe("  a\tb \n\n\n\nc\r\n")
})

describe("text for a screen", () => {
  test.each([
    ["its spaces and line breaks stay", "  a   b \n\n\n  ☐ c  \n", "  a   b \n\n\n  ☐ c  \n"],
    ["of what moves the cursor only tab and line feed stay", "a\r\nb\rc\td\ve\u2028f\bg", "a\nb c\td e fg"],
    ["escapes and hidden characters go", "é\u001b]52;c;aGk=\u0007\u202e\u009b2J\u00ad!", "é!"],
  ])("G8 %s", (_name, text, expected) => {
    expect(sanitiseShown(text)).toBe(expected)
  })
})

/** Text made of the very characters that matter, so that sequences form often. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(..."\u001b[]\\P^_X0;1m( #B\u0007\u0085\u0090\u009b\u009c\u009d\u009f\n\r\t \u00a0\u2028"),
      fc.constantFrom(
        ..."\u200b\u200c\u200d\u202e\u2066\ufeff\ufffa\u061c\u00ad\u034f\u180b\u180e\u2800\u3164\ufe0e\ufe0f",
      ),
      fc.constantFrom(..."1\u20e3❤👩🏽👧\u{e0100}\u{1d173}邉میक्षᠨᠠ⠓\u0301\u0302"),
      fc.constantFrom("\u0301".repeat(7), "👩\u200d", "👩🏽\u200d❤\ufe0f\u200d", "क\u094d\u200d"),
      fc.constantFrom("\ud83d", "\ude00", "\u{1f3f4}", "\u{e0067}", "\u{e007f}", "a", "Fix"),
      fc.string({ unit: anyCharacter }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""))

/** A character behind which something that is not drawn itself is of use. */
const receiver =
  /\ufe0f|[\p{Emoji}\p{Emoji_Modifier}\p{Unified_Ideograph}\u2801-\u28ff]|[^\p{ASCII}\p{scx=Latn}](?<=[\p{L}\p{M}])/u

/** What has no place in safe text but where it is of use: the first hidden character, or nothing. */
const leakIn = (text: string): string | undefined => {
  const steers = /[\x00-\x09\x0b-\x1f\x7f-\x9f\p{Cs}\u2028\u2029]|\p{M}{13}/u.exec(text)?.[0]
  if (steers !== undefined) return steers
  const flags = text.replace(/\u{1f3f4}[\u{e0061}-\u{e007a}]{5}\u{e007f}/gu, "")
  const characters = [...flags]
  return characters.find((character, index) => {
    if (!/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(character)) return false
    if (/[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u.test(character)) return false
    const allowed = /\u200c|\u200d|[\ufe00-\ufe02]|\ufe0e|\ufe0f|[\u180b-\u180f]|\u2800|[\u{e0100}-\u{e01ef}]/u.test(
      character,
    )
    return !allowed || !receiver.test(characters[index - 1] ?? "")
  })
}

describe("any text", () => {
  test("G8 one line has no control or hidden character and no line break", () => {
    fc.assert(fc.property(hostile, (text) => leakIn(sanitise(text)) === undefined && !sanitise(text).includes("\n")))
  })

  test("G8 a block has no control or hidden character but the line feed", () => {
    fc.assert(fc.property(hostile, (text) => leakIn(sanitiseBlock(text)) === undefined))
  })

  test("G8 output has no control or hidden character but white space", () => {
    fc.assert(
      fc.property(
        hostile,
        (text) => leakIn(sanitiseOutput(text).replace(/[\t\v\f\r\u2028\u2029]/g, " ")) === undefined,
      ),
    )
  })

  test("G8 text for a screen has no control or hidden character but tab and line feed", () => {
    fc.assert(fc.property(hostile, (text) => leakIn(sanitiseShown(text).replaceAll("\t", " ")) === undefined))
    fc.assert(
      fc.property(hostile, (text) => leakIn(sanitiseRow(text)) === undefined && !sanitiseRow(text).includes("\n")),
    )
  })

  test("G8 JSON with its hidden characters as escapes has the same meaning, and a screen shows all of it", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = escapeHidden(JSON.stringify({ [text]: [text] }))
        expect(JSON.parse(json)).toEqual({ [text]: [text] })
        expect(leakIn(json)).toBeUndefined()
        expect(json).not.toMatch(/[\p{Cs}\p{Default_Ignorable_Code_Point}]/u)
        expect(sanitiseShown(json)).toBe(json)
      }),
    )
  })

  test("G8 sanitising twice changes nothing more", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(sanitise(sanitise(text))).toBe(sanitise(text))
        expect(sanitiseBlock(sanitiseBlock(text))).toBe(sanitiseBlock(text))
        expect(sanitiseNote(sanitiseNote(text))).toBe(sanitiseNote(text))
        expect(sanitise(sanitiseBlock(sanitise(text)))).toBe(sanitise(text))
        expect(sanitiseShown(sanitiseShown(text))).toBe(sanitiseShown(text))
        expect(sanitiseShown(sanitise(text))).toBe(sanitise(text))
      }),
    )
  })

  test("G8 large hostile input is sanitised in time", () => {
    const size = 500_000
    for (const part of [
      "\u001b",
      "\u001b]",
      "\u009d",
      "\u001b]a",
      "\u001b[",
      "\ud83d",
      "a\u0007",
      "\n ",
      "\u{1f3f4}\u{e0067}",
      "\u0301",
      "👩\u200d",
      "❤\ufe0f",
      "क\u094d\u200d",
      "\u00ad",
    ])
      expect(leakIn([...sanitise(part.repeat(size)).slice(0, 10_000)].slice(0, -1).join(""))).toBeUndefined()
  })
})

describe("data", () => {
  test("G8 all strings and keys are sanitised, other JSON values stay", () => {
    expect(sanitiseData({ "a\u0007": ["\u001b[1mb", 1.5, true, null, { c: "d\n e" }] })).toEqual({
      a: ["b", 1.5, true, null, { c: "d\n e" }],
    })
  })

  test("G8 keys that reach a prototype are left out, also when hidden", () => {
    const data: unknown = JSON.parse(
      '{"__proto__":{"x":1},"__pro\\u200bto__":2,"constructor":3,"prototype":4,"kept":5}',
    )
    const safe = sanitiseData(data)
    expect(safe).toEqual({ kept: 5 })
    expect(Object.getPrototypeOf(safe)).toBe(Object.prototype)
  })

  test("G8 values unknown to JSON are left out", () => {
    const values = [undefined, () => 1, Symbol("s"), 1n, Number.NaN, Number.POSITIVE_INFINITY, new Date(0), new Map()]
    expect(sanitiseData(values)).toEqual([])
    expect(values.map((value) => sanitiseData({ value }))).toEqual(values.map(() => ({})))
    expect(sanitiseData(undefined)).toBeUndefined()
  })

  test("G8 what is deeper than 32 levels is left out", () => {
    const nested = (levels: number): unknown => (levels === 0 ? "core" : [nested(levels - 1)])
    expect(JSON.stringify(sanitiseData(nested(32)))).toContain("core")
    expect(JSON.stringify(sanitiseData(nested(33)))).not.toContain("core")
  })

  test("G8 cycles end and shared parts stay", () => {
    const shared = ["x"]
    const data: Record<string, unknown> = { first: shared, second: shared }
    data.self = data
    expect(sanitiseData(data)).toEqual({ first: ["x"], second: ["x"] })
  })

  test("G8 a few nested pairs of the same array do not grow without bound", () => {
    let data: unknown = "x"
    for (let level = 0; level < 31; level += 1) data = [data, data]
    expect(sanitiseData(data)).toHaveLength(2)
  })

  test("G8 any JSON value comes out as JSON", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const safe = sanitiseData(JSON.parse(text))
        expect(JSON.parse(JSON.stringify(safe))).toEqual(sanitiseData(safe))
      }),
    )
  })
})

describe("a printed line", () => {
  test.each([
    ["  indented  ", "  indented"],
    ["\tcolumn\tcolumn", "  column  column"],
    ["\u001b[32m  green\u001b[0m", "  green"],
    ["10%\r20%\rdone\r", "done"],
    ["a\nb\u2028c\fd", "a b c d"],
    ["", ""],
  ])("%j keeps its indentation and shows as %j", (line, expected) => {
    expect(sanitisePrinted(line)).toBe(expected)
  })

  test("steers no terminal, and is one line (G8)", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const line = sanitisePrinted(text)
        expect(line).not.toMatch(/[\n\r\t]/)
        expect(leakIn(line)).toBeUndefined()
      }),
    )
  })
})
