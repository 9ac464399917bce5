/** Columns: measuring, cutting between graphemes, padding. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { cut, pad, widthOf } from "../../../src/views/index.ts"
import { graphemesOf as graphemesIn } from "../../../src/views/text/width.ts"
import { cpuTimeOf } from "../../cpu-time.ts"
import { rounds } from "../../rounds.ts"
import { anyText } from "../any-plan.ts"

const graphemesOf = (text: string): string[] => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)

describe("widthOf", () => {
  test.each([
    ["plain", 5],
    ["", 0],
    ["漢字", 4],
    ["한국", 4],
    ["👩‍👩‍👧‍👦", 2],
    ["🇩🇪", 2],
    ["e\u0301", 1],
    ["☐☒✓▶○⊘✗…", 8],
    ["📋⭕✅❌⛔", 10],
  ])("%j takes %i columns", (text, columns) => {
    expect(widthOf(text)).toBe(columns)
  })
})

test.each(["\u0628\u064e", "👩\u200d👩\u200d👩\u200d👩", "🇩🇪"])(
  "a long text of %j takes time in proportion to its length",
  (part) => {
    const text = part.repeat(600_000 / part.length)
    expect(cpuTimeOf(() => widthOf(text))).toBeLessThan(10_000)
  },
)

const parts = [..."ab\r\n\u0301\u200d\u0915\u094d\u1100\u1161\u064e", "👩", "🏽", "🇩", "🇪", "\u{111c2}"]

const longTextOf = (some: readonly string[]) =>
  fc
    .tuple(fc.array(fc.constantFrom(...some), { minLength: 1, maxLength: 8 }), fc.integer({ min: 4_000, max: 12_500 }))
    .map(([unit, length]) => unit.join("").repeat(Math.ceil(length / unit.join("").length)))

test("a text longer than what is segmented at a time has the same graphemes", () => {
  fc.assert(
    fc.property(longTextOf(parts), (text) => {
      expect([...graphemesIn(text)].map(({ grapheme }) => grapheme)).toEqual(graphemesOf(text))
    }),
    { numRuns: rounds(30) },
  )
})

test("a long text with halves of characters loses nothing", () => {
  // Where graphemes end next to such a half depends on the text before it, so only the text is compared.
  fc.assert(
    fc.property(longTextOf([...parts, "\ud83d", "\udc69"]), (text) => {
      expect([...graphemesIn(text)].map(({ grapheme }) => grapheme).join("")).toBe(text)
    }),
    { numRuns: rounds(30) },
  )
})

describe("cut", () => {
  test.each([
    ["fits", 4, "fits"],
    ["does not fit", 8, "does no…"],
    ["漢字かな", 8, "漢字かな"],
    ["漢字かな", 7, "漢字か…"],
    ["漢字かな", 6, "漢字…"],
    ["a👩‍👩‍👧‍👦b🇩🇪c", 7, "a👩‍👩‍👧‍👦b🇩🇪c"],
    ["a👩‍👩‍👧‍👦b🇩🇪c", 6, "a👩‍👩‍👧‍👦b…"],
    ["a👩‍👩‍👧‍👦b🇩🇪c", 3, "a…"],
    ["cafe\u0301 au lait", 5, "cafe\u0301…"],
    ["cafe\u0301", 4, "cafe\u0301"],
    ["漢字", 1, "…"],
    ["漢字", 0, ""],
    ["plain", 0, ""],
    ["plain", -3, ""],
    ["plain", Number.POSITIVE_INFINITY, "plain"],
  ])("%j in %d columns is %j", (text, width, expected) => {
    expect(cut(text, width)).toBe(expected)
  })

  test("the ellipsis itself is shortened where it does not fit", () => {
    expect([5, 3, 2, 1].map((width) => cut("long text", width, "..."))).toEqual(["lo...", "...", "..", "."])
  })

  test("an ASCII beginning keeps its last letter whole when a mark follows it", () => {
    expect(cut("abcde\u0301f", 5)).toBe("abcd…")
    expect(cut("abcde\u0301", 5)).toBe("abcde\u0301")
  })

  test("text that fits is found to fit however many marks it carries", () => {
    const tall = `e${"\u0301".repeat(10_000)}x`
    expect(cut(tall, 2)).toBe(tall)
    expect(cut(`${tall}yz`, 2)).toBe(`${tall.slice(0, -1)}…`)
  })

  test("never splits a grapheme and never exceeds the width", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.integer({ min: 1, max: 130 }),
        fc.constantFrom("…", "...", ""),
        (text, width, ellipsis) => {
          const shown = cut(text, width, ellipsis)
          expect(widthOf(shown)).toBeLessThanOrEqual(width)
          if (shown === text) return
          expect(widthOf(text)).toBeGreaterThan(width)
          const ending = ellipsis.slice(0, width)
          const kept = shown.slice(0, shown.length - ending.length)
          expect(shown).toBe(kept + ending)
          const graphemes = graphemesOf(text)
          const keptGraphemes = graphemesOf(kept)
          expect(keptGraphemes).toEqual(graphemes.slice(0, keptGraphemes.length))
        },
      ),
      { numRuns: rounds(1000) },
    )
  })
})

test("pad fills up to the width and leaves wider text alone", () => {
  expect(pad("漢", 4)).toBe("漢  ")
  expect(pad("─", 4, "─")).toBe("────")
  expect(pad("longer", 3)).toBe("longer")
})
