/** Text in lines of a width. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { sanitiseBlock } from "../../../src/plan/text/sanitise.ts"
import { widthOf } from "../../../src/views/text/width.ts"
import { wrap, wrapUntrusted } from "../../../src/views/text/wrap.ts"
import { anyText } from "../any-plan.ts"

describe("wrap", () => {
  test("breaks between words, and inside a word only where it is too long for a line", () => {
    expect(wrap("one two three", 7).lines).toEqual(["one two", "three"])
    expect(wrap("one twothree", 7).lines).toEqual(["one", "twothre", "e"])
    expect(wrap("漢字とかな", 4).lines).toEqual(["漢字", "とか", "な"])
    expect(wrap("first\n\nsecond", 20).lines).toEqual(["first", "", "second"])
    expect(wrap("", 20)).toEqual({ lines: [""], isWhole: true })
  })

  test("stops at its limit and reports that something is left", () => {
    expect(wrap("one two three", 5, 2)).toEqual({ lines: ["one", "two"], isWhole: false })
    expect(wrap("one two", 5, 2)).toEqual({ lines: ["one", "two"], isWhole: true })
    expect(wrap("a\nb", 5, 1)).toEqual({ lines: ["a"], isWhole: false })
    expect(wrap("a", 0)).toEqual({ lines: [], isWhole: false })
  })

  test("no line is too wide, and nothing but spaces at line ends is lost", () => {
    const solid = (text: string): string => text.replace(/\s/g, "")
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 50 }), (text, width) => {
        const safe = sanitiseBlock(text)
        const { lines, isWhole } = wrap(safe, width)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
        expect(isWhole).toBe(true)
        // Half-width marks can make one character wider than the narrowest lines.
        if (width >= 10) expect(solid(lines.join(""))).toBe(solid(safe))
      }),
    )
  })

  test("makes only as much of a long text safe as can be shown", () => {
    const { lines, isWhole } = wrapUntrusted(`\u001b[31m${"word ".repeat(100_000)}`, 20, 3)
    expect(lines).toEqual(["word word word word", "word word word word", "word word word word"])
    expect(isWhole).toBe(false)
  })
})
