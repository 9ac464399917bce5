/** What goes into the scroll-back: rows of an answer as it comes, one line for each call, nothing that could harm a terminal. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { askedLines, callLabel, callLine, createRowStream, shownLines } from "../../src/tui/agent/transcript.ts"
import { paintRows } from "../../src/tui/terminal/paint.ts"
import { plainLine, plainText } from "../../src/views/text/span.ts"
import { widthOf } from "../../src/views/text/width.ts"
import { anyText } from "../views/any-plan.ts"

const room = { width: 40, ascii: false }

/** All rows of a text that comes in these pieces. */
const streamed = (pieces: readonly string[], width: number): string[] => {
  const stream = createRowStream()
  return [...pieces.flatMap((piece) => stream.push(piece, width)), ...stream.end(width)]
}

describe("an answer in pieces", () => {
  test("gives rows as soon as nothing can change them, and keeps the last one", () => {
    const stream = createRowStream()
    expect(stream.push("Let me ", 12)).toEqual([])
    expect(stream.push("look at", 12)).toEqual(["Let me look"])
    expect(stream.tail).toBe("at")
    expect(stream.push(" it.\nThen", 12)).toEqual(["at it."])
    expect(stream.tail).toBe("Then")
    expect(stream.end(12)).toEqual(["Then"])
    expect(stream.tail).toBe("")
  })

  test("has an escape sequence or a character cut in two put together", () => {
    expect(streamed(["a\u001b", "[3", "1mb\ud83d", "\ude00c\r", "\nd"], 40)).toEqual(["ab😀c", "d"])
  })

  test("gives the same rows however it is cut", () => {
    const safe = fc.string({ unit: fc.constantFrom("a", "b", " ", "漢", "é", "\n"), maxLength: 200 })
    fc.assert(
      fc.property(safe, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 4, max: 30 }), (text, size, width) => {
        const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
          text.slice(index * size, (index + 1) * size),
        )
        expect(streamed(pieces, width)).toEqual(streamed([text], width))
      }),
    )
  })

  test("keeps no more than a row of a text that never breaks", () => {
    const stream = createRowStream()
    for (let count = 0; count < 2000; count += 1) stream.push("x".repeat(100), 40)
    expect(stream.tail.length).toBeLessThanOrEqual(40)
  })

  test("contains nothing that moves the cursor or changes the terminal", () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 6 }), (pieces) => {
        expect(streamed(pieces, 30).join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
      }),
    )
  })
})

describe("a call", () => {
  const line = (tool: string, input: unknown, ended: object, look = room): string =>
    plainLine(callLine({ label: callLabel(tool, input), isError: false, text: "", ...ended }, look))

  test.each([
    ["Bash", { command: "npm test" }, { display: "Done" }, "• Bash npm test: Done"],
    ["Bash", { command: "npm test" }, { display: "Exit code 1", isError: true }, "✗ Bash npm test: Exit code 1"],
    ["Read", { file_path: "/tmp/x/a.ts" }, { display: "Read a.ts: 20 lines" }, "• Read a.ts: 20 lines"],
    ["Grep", { pattern: "TODO" }, { display: "3 matches in 2 files" }, "• Grep TODO: 3 matches in 2 files"],
    ["Task", { description: "Find it", prompt: "…" }, { display: "Find it" }, "• Task Find it"],
    ["Nope", 7, { isError: true, text: "There is no tool.\nMore" }, "✗ Nope: There is no tool."],
    ["Bash", { command: "ls\u001b[2J\nrm x" }, { display: "Done" }, "• Bash ls⟨\\x1b⟩[2J⟨\\n⟩rm x: Done"],
    ["Glob", { pattern: "*" }, { display: "2 files", agent: "a1" }, "  • a1 Glob *: 2 files"],
  ])("%s %j is %j, in one line", (tool, input, ended, expected) => {
    expect(line(tool, input, ended)).toBe(expected)
  })

  test("is cut where it is long, and drawn in ASCII where it must be", () => {
    const long = { command: "echo ".repeat(50) }
    expect(line("Bash", long, { display: "Done" })).toBe("• Bash echo echo echo echo echo e…: Done")
    expect(line("Bash", long, { isError: true, text: "No such file or folder" })).toBe(
      "✗ Bash echo echo ech…: No such file or …",
    )
    expect(line("Bash", long, { isError: true }, { width: 20, ascii: true })).toBe("x Bash echo echo ...")
  })
})

test("a person's prompt has a symbol in front, with colour or without", () => {
  const lines = askedLines("Fix the tests, then ship the whole thing\nplease", room)
  expect(plainText(lines)).toBe("› Fix the tests, then ship the whole\n  thing\n  please")
  expect(paintRows(lines.slice(2), true)).toBe("\u001b[36m  \u001b[0m\u001b[1mplease\u001b[0m")
  expect(paintRows(lines.slice(2), false)).toBe("  please")
})

test("the subject of a question stays above, up to 400 rows, and harmless", () => {
  const shown = plainText(shownLines(`rm x\u001b[1A\n${"more\n".repeat(500)}`, { width: 20, ascii: true })).split("\n")
  expect(shown[0]).toBe("| rm x⟨\\x1b⟩[1A")
  expect(shown).toHaveLength(401)
  expect(shown.at(-1)).toBe("(102 more rows)")
  expect(shown.every((row) => widthOf(row) <= 20)).toBe(true)
})
