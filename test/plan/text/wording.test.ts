/** Wordings are compared without their dress, and likeness is a fair measure. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { normalise, similarity } from "../../../src/plan/text/wording.ts"
import { rounds } from "../../rounds.ts"

describe("normalise", () => {
  const cases: [name: string, text: string, expected: string][] = [
    ["case goes", "Run Tests", "run tests"],
    ["spaces fold", "  run \t the\n tests ", "run the tests"],
    ["final punctuation goes", "Run tests…!", "run tests"],
    ["surrounding quotes and emphasis go", '**"Run tests"**', "run tests"],
    ["inner punctuation stays", "Fix a.ts, b.ts", "fix a.ts, b.ts"],
    ["full width and composed forms are the same", "Ｒｕｎ cafe\u0301。", "run café"],
    ["what is not drawn goes", "R\u00adun\u200b te\u200dsts ❤\ufe0f", "run tests ❤"],
    ["nothing but marks is itself", " ?! ", "?!"],
    ["nothing is nothing", "   ", ""],
  ]
  test.each(cases)("N3 %s", (_name, text, expected) => {
    expect(normalise(text)).toBe(expected)
  })

  test("N3 plain sentences are normal after one pass", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(normalise(normalise(text))).toBe(normalise(text))
      }),
    )
  })
})

describe("similarity", () => {
  const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.lorem({ maxCount: 8 }))

  test("N3 is between 0 and 1, is 1 for the same text, and ignores the order", () => {
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        const score = similarity(one, other)
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
        expect(similarity(other, one)).toBe(score)
        expect(similarity(one, one)).toBe(1)
      }),
      { numRuns: rounds(1000) },
    )
  })

  test("N3 ranks a rewording above another todo", () => {
    const text = "Fix the login bug"
    expect(similarity(text, "fix the login bug!")).toBe(1)
    expect(similarity(text, "Fix login bug on Safari")).toBeGreaterThan(0.6)
    expect(similarity(text, "Update the changelog")).toBeLessThan(0.45)
    expect(similarity(text, "修复登录错误")).toBe(0)
    expect(similarity("修复登录错误", "修复登录的错误")).toBeGreaterThan(0.6)
  })

  test("N3 an empty text is similar to nothing", () => {
    expect(similarity("", "Run tests")).toBe(0)
  })

  test("N2 only the beginning of an endless text counts", () => {
    expect(similarity("x ".repeat(100_000), "x ".repeat(200_000))).toBe(1)
  })
})
