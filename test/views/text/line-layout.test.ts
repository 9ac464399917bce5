/** Lines of spans made to fit. */

import fc from "fast-check"
import { expect, test } from "vitest"
import { cutLine, lineWidth, padLine, spread } from "../../../src/views/text/line-layout.ts"
import { plainLine } from "../../../src/views/text/span.ts"

const line = (...texts: string[]) => texts.map((text) => ({ text }))

test("a line that fits stays, one that does not ends in an ellipsis", () => {
  expect(plainLine(cutLine(line("one ", "two"), 7, "…"))).toBe("one two")
  expect(plainLine(cutLine(line("one ", "two"), 6, "…"))).toBe("one t…")
  expect(plainLine(cutLine(line("one", "two"), 3, "…"))).toBe("on…")
  expect(plainLine(cutLine(line("漢字", "two"), 5, "..."))).toBe("漢...")
  expect(cutLine(line("one"), 0, "…")).toEqual([])
})

test("a tail stays whole while it leaves half of the line to the text", () => {
  expect(plainLine(spread(line("a long name"), line("3/7"), 10, "…"))).toBe("a lon… 3/7")
  expect(plainLine(spread(line("a long name"), line("3/7"), 5, "…"))).toBe("a lo…")
  expect(plainLine(spread(line("a"), [], 4, "…"))).toBe("a   ")
})

test("no line is wider than its width, and a filled line is exactly as wide", () => {
  const anyLine = fc
    .array(fc.constantFrom("ab ", "漢", "é", "", "x".repeat(30)), { maxLength: 6 })
    .map((texts) => line(...texts))
  fc.assert(
    fc.property(anyLine, anyLine, fc.nat(40), fc.constantFrom("…", "..."), (left, right, width, ellipsis) => {
      expect(lineWidth(cutLine(left, width, ellipsis))).toBeLessThanOrEqual(width)
      expect(lineWidth(spread(left, right, width, ellipsis))).toBe(width)
      expect(lineWidth(padLine(left, width))).toBeGreaterThanOrEqual(width)
    }),
  )
})
