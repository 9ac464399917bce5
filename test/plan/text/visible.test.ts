import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { sanitiseOutput } from "../../../src/plan/index.ts"
import { hiddenIn, madeVisible, makeLineVisible, makeVisible } from "../../../src/plan/text/visible.ts"
import { anyCharacter } from "../../any-character.ts"

/** Text of every kind of character, with far more hidden ones in it than chance would give. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(..."\u001b\u009b\u0007\u202e\u200b\u00ad\ufe0f\u3164\u2028\r\t\n\\⟨⟩x1b", "\u{e0041}", "\\x1b"),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""))

const visibleAscii = fc.string({
  unit: fc.constantFrom(...Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)), "\n"),
})

/** Reads a visible text back. */
const readBack = (text: string): string =>
  text.replace(madeVisible, (made) => {
    const escaped = made.slice(2, -1)
    const named = { t: "\t", n: "\n", r: "\r" }[escaped]
    return (
      named ?? escaped.replace(/^[xu]\{?([\da-f]+)\}?$/, (_, digits: string) => fromCode(Number.parseInt(digits, 16)))
    )
  })

const fromCode = (code: number): string => (code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code))

describe("visible text", () => {
  test.each([
    ["ls -la \u001b]0; touch PWNED #\u0007", "ls -la ⟨\\x1b⟩]0; touch PWNED #⟨\\x07⟩", 2],
    ["\u009b2Ja\u0085", "⟨\\x9b⟩2Ja⟨\\x85⟩", 2],
    ["a\u202eb\u2066\u200e\u061c", "a⟨\\u202e⟩b⟨\\u2066⟩⟨\\u200e⟩⟨\\u061c⟩", 4],
    ["a\u200bb\u200d\u2060\ufeffc\u034f", "a⟨\\u200b⟩b⟨\\u200d⟩⟨\\u2060⟩⟨\\ufeff⟩c⟨\\u034f⟩", 5],
    ["a\u{e0041}\u{e007f}", "a⟨\\u{e0041}⟩⟨\\u{e007f}⟩", 2],
    ["❤\ufe0f\u{e0100}", "❤⟨\\ufe0f⟩⟨\\u{e0100}⟩", 2],
    ["\u115f\u1160\u3164\uffa0", "⟨\\u115f⟩⟨\\u1160⟩⟨\\u3164⟩⟨\\uffa0⟩", 4],
    ["a\u00adb\u180e", "a⟨\\xad⟩b⟨\\u180e⟩", 2],
    ["a\ud800b\udc00", "a⟨\\ud800⟩b⟨\\udc00⟩", 2],
    ["a\u2028b\u2029", "a⟨\\u2028⟩b⟨\\u2029⟩", 2],
    ["rm\u00a0-rf\u3000\u2800", "rm⟨\\xa0⟩-rf⟨\\u3000⟩⟨\\u2800⟩", 3],
    ["a\rb\r\n", "a⟨\\r⟩b⟨\\r⟩\n", 2],
    ["\ta\n\n\n  b  \n", "⟨\\t⟩a\n\n\n  b  \n", 0],
    [";\u0335\u0335 e\u0301", ";⟨\\u0335⟩⟨\\u0335⟩ e\u0301", 2],
    ["a\ufe0f\u0301", "a⟨\\ufe0f⟩⟨\\u0301⟩", 2],
    [" \u0e33\u0e33 \u0e01\u0e33", " ⟨\\u0e33⟩⟨\\u0e33⟩ \u0e01\u0e33", 2],
    ["\uff9els \uff76\uff9e", "⟨\\uff9e⟩ls \uff76\uff9e", 1],
    ["\u{1f3fd}ls 👍\u{1f3fd}\u{1f3fd}", "⟨\\u{1f3fd}⟩ls 👍\u{1f3fd}⟨\\u{1f3fd}⟩", 2],
    ["ls\u1161\u1161\u11a8 \u1100\u1161\u11a8", "ls⟨\\u1161⟩⟨\\u1161⟩⟨\\u11a8⟩ \u1100\u1161\u11a8", 3],
    ["⟨\\x1b⟩", "⟨\\u27e8⟩\\x1b⟨\\u27e9⟩", 0],
    ["printf '\\x1b\\u202e'", "printf '\\x1b\\u202e'", 0],
    ["Grüße 漢字 🦊", "Grüße 漢字 🦊", 0],
  ])("%j is shown as %j", (text, shown, hidden) => {
    expect([makeVisible(text), hiddenIn(makeVisible(text)).length]).toEqual([shown, hidden])
  })

  test("one line shows its line breaks", () => {
    expect(makeLineVisible("a\nb\tc")).toBe("a⟨\\n⟩b⟨\\t⟩c")
  })

  test("no hidden character survives", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = makeVisible(text)
        expect(shown).not.toMatch(/(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u)
        expect(sanitiseOutput(shown)).toBe(shown)
        expect(makeLineVisible(text)).not.toMatch(/\n/)
      }),
    )
  })

  test("visible ASCII text is unchanged, with its lines and spaces", () => {
    fc.assert(
      fc.property(visibleAscii, (text) => {
        expect(makeVisible(text)).toBe(text)
      }),
    )
  })

  test("the text can be read back from what is shown, so two texts never look the same", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(readBack(makeVisible(text))).toBe(text)
      }),
    )
  })

  test("a long text of hidden characters is made visible in one pass", () => {
    expect(hiddenIn(makeVisible("\u001b".repeat(200_000))).length).toBe(200_000)
    expect(hiddenIn(makeVisible(`a${"\u0301".repeat(200_000)}`)).length).toBe(199_996)
  })
})
