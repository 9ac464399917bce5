import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { makeVisible } from "../../../src/plan/text/visible.ts"
import { detailLines, hiddenNote, questionRows } from "../../../src/views/text/question.ts"
import { plainLine } from "../../../src/views/text/span.ts"
import { widthOf } from "../../../src/views/text/width.ts"
import { anyCharacter } from "../../any-character.ts"

const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("\n", "   ", "\u001b[2J", "word ", "漢字"),
    ),
    { maxLength: 20 },
  )
  .map((parts) => makeVisible(parts.join("")))

const shown = (text: string, width: number, ascii = false): string[] =>
  detailLines(text, { width, ascii }).map(plainLine)

describe("the detail of a question", () => {
  test("has rows that together are the whole text, however narrow the screen (N11)", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 100 }), (text, width) => {
        const rows = shown(text, width)
        const together = rows
          .map((row, index) => (index > 0 && row.startsWith("│ ") ? "\n" : "") + row.slice(2))
          .join("")
        expect(together).toBe(text)
      }),
    )
  })

  test("has no row wider than the screen", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 16, max: 100 }), (text, width) => {
        for (const row of shown(text, width)) expect(widthOf(row)).toBeLessThanOrEqual(width)
      }),
    )
  })

  test("marks a continued line with another edge", () => {
    expect(shown("echo one two three\ntouch x", 15)).toEqual(["│ echo one two ", "┆ three", "│ touch x"])
    expect(shown("aaaabbbb", 6, true)).toEqual(["| aaaa", ": bbbb"])
  })

  test("has no row that begins with a combining character", () => {
    for (const cluster of ["\u0e01\u0e33", "\uff76\uff9e", "👍\u{1f3fd}", "\u1100\u1161\u11a8", "e\u0301"]) {
      const text = cluster.repeat(60)
      for (const width of [13, 40, 41, 80]) {
        const rows = shown(text, width).map((row) => row.slice(2))
        expect(rows).toEqual(rows.map((row) => cluster.repeat(row.length / cluster.length)))
        expect(rows.join("")).toBe(text)
      }
    }
  })

  test("keeps spaces at the end and empty lines", () => {
    expect(shown("a  \n\n\n\n  b", 40)).toEqual(["│ a  ", "│ ", "│ ", "│ ", "│   b"])
    expect(shown(`a${" ".repeat(20)}; b`, 12).length).toBe(3)
  })

  test("marks characters that were made visible, and not those that only look like it", () => {
    const [line] = detailLines(makeVisible("a \\x1b \u001b"), { width: 40, ascii: false })
    expect(line).toEqual([
      { text: "│ ", style: { dim: true } },
      { text: "a \\x1b ", style: undefined },
      { text: "⟨\\x1b⟩", style: { inverse: true } },
    ])
  })

  test("makes hidden text visible here if it was not before", () => {
    expect(shown("a\u001b[2J\u202e", 40)).toEqual(["│ a⟨\\x1b⟩[2J⟨\\u202e⟩"])
    expect(questionRows("a\n\u001b?", 40)).toEqual(["a⟨\\n⟩⟨\\x1b⟩?"])
  })

  test("breaks a very long line in one pass", () => {
    expect(questionRows("a".repeat(400_000), 40)).toHaveLength(10_000)
    expect(questionRows("a ".repeat(200_000), 40)).toHaveLength(10_000)
    expect(questionRows("é".repeat(100_000), 40)).toHaveLength(5_000)
  })
})

test("hidden characters are counted in a sentence", () => {
  expect(hiddenNote(makeVisible("plain\ttext"))).toBeUndefined()
  expect(hiddenNote(makeVisible("a\u001b"))).toBe("It contains 1 invisible or control character, shown as ⟨\\x1b⟩.")
  expect(hiddenNote(makeVisible("\ta\u202e\u0007"))).toBe(
    "It contains 2 invisible or control characters, shown as ⟨\\u202e⟩.",
  )
})
