/** Widths are held against the library terminals' tools agree on, which is too slow to load for every command. */
import fc from "fast-check"
import stringWidth from "string-width"
import { expect, test } from "vitest"
import { sanitise } from "../../../src/plan/text/sanitise.ts"
import { widthOf } from "../../../src/views/text/width.ts"
import { anyCharacter } from "../../any-character.ts"
import { rounds } from "../../rounds.ts"

test.each([
  "日本語",
  "👨‍👩‍👧",
  "🇩🇪",
  "é",
  "1️⃣",
  "ｶﾞ",
  "✓☐☒▶○⊘✗│┌─",
  "⌚✅❌⭕📋",
  "한국",
  "👍🏽",
  "a\u0301b",
  "☑️",
  "©",
  "ไทย",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "नि हिन्दी में",
  "தமிழ் வாழ்க",
  "မြန်မာ",
  "\u1112\u1161\u11ab\u1100\u116e\u11a8",
  "\u1100\u1100\u1161",
  "☝🏻✌🏽",
  "a\ufe0f1\ufe0f#\ufe0f\u20e3",
  "\u0301",
  "\u00ad",
])("%s is as wide as string-width says", (text) => {
  expect(widthOf(text)).toBe(stringWidth(text))
})

test.each([..."\u0d4e\u{111c2}\u{1193f}\u{11a3a}\u{11a84}\u{11a89}\u{11d46}"])(
  "%s, which joins what follows, takes its own column before it",
  (letter) => {
    for (const text of [" ", "│", "日", "☑\ufe0f", "a\u0301", letter])
      expect(widthOf(letter + text)).toBe(widthOf(letter) + widthOf(text))
  },
)

test("no text that reaches a screen is wider than computed", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 30 }), (text) => {
      const safe = sanitise(text)
      expect(widthOf(safe)).toBeGreaterThanOrEqual(stringWidth(safe))
    }),
    { numRuns: rounds(2_000) },
  )
})
