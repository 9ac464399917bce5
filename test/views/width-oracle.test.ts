/** Widths are held against the library terminals' tools agree on, which is too slow to load for every command. */
import stringWidth from "string-width"
import { expect, test } from "vitest"
import { widthOf } from "../../src/views/width.ts"

test.each([
  "日本語",
  "👨‍👩‍👧",
  "🇩🇪",
  "é",
  "1️⃣",
  "ｶﾞ",
  "✓☐☒▶○⊘✗│╭─",
  "⌚✅❌⭕📋",
  "한국",
  "👍🏽",
  "a\u0301b",
  "☑️",
  "©",
  "ไทย",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
])("%s is as wide as string-width says", (text) => {
  expect(widthOf(text)).toBe(stringWidth(text))
})
