/** Rows of a text: between words, inside one that is too long, and never wider than the screen. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { sanitise } from "../../src/plan/sanitise.ts"
import { widthOf } from "../../src/views/width.ts"
import { wrapped, wrappedText } from "../../src/views/wrap.ts"
import { anyText } from "./sample.ts"

test("a line breaks between words and keeps its indent", () => {
  expect(wrapped("  Fix the tests and ship it", 12)).toEqual(["  Fix the", "tests and", "ship it"])
})

test("a word wider than the screen is broken, wide characters are not", () => {
  expect(wrapped("see https://example.org/abc", 10)).toEqual(["see", "https://ex", "ample.org/", "abc"])
  expect(wrapped("漢字漢字漢", 5)).toEqual(["漢字", "漢字", "漢"])
  expect(wrapped("漢", 1)).toEqual(["漢"])
})

test("empty lines stay", () => {
  expect(wrappedText("a\n\nb", 10)).toEqual(["a", "", "b"])
})

test("no row is wider than it may be, and no word is lost", () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 50 }), (text, width) => {
      const line = sanitise(text)
      const rows = wrapped(line, width)
      expect(rows.every((row) => widthOf(row) <= width || [...row].length === 1)).toBe(true)
      expect(rows.join("").replace(/\s/g, "")).toBe(line.replace(/\s/g, ""))
    }),
  )
})
