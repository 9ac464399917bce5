/** The box titled `Tasks`. */

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { emptyPlan, type Todo } from "../../../src/plan/todo.ts"
import { panelRows, panelText, progressBar, widthOf } from "../../../src/views/index.ts"
import { rounds } from "../../rounds.ts"
import { anyPlan } from "../any-plan.ts"
import { allStatuses, planOf, threeTodos } from "../sample.ts"

describe("panel", () => {
  test("G5 box, marks, active form, progress and bar", () => {
    expect(panelText(threeTodos)).toBe(
      [
        "┌─ Tasks ──────────────────────────────────┐",
        "│ ✓ Set up the project                     │",
        "│ ▶ Writing the tests                      │",
        "│ ○ Ship it                                │",
        "│                                          │",
        "│ Progress: 1/3 (33%) ██████░░░░░░░░░░░░░░ │",
        "└──────────────────────────────────────────┘",
      ].join("\n"),
    )
  })

  test("G5 the same in ASCII", () => {
    expect(panelText(threeTodos, { ascii: true })).toBe(
      [
        "+- Tasks ----------------------------------+",
        "| [x] Set up the project                   |",
        "| [>] Writing the tests                    |",
        "| [ ] Ship it                              |",
        "|                                          |",
        "| Progress: 1/3 (33%) [######------------] |",
        "+------------------------------------------+",
      ].join("\n"),
    )
  })

  test("G5 at 20 columns the bar moves below a shorter count", () => {
    expect(panelText(threeTodos, { width: 20 })).toBe(
      [
        "┌─ Tasks ──────────┐",
        "│ ✓ Set up the pr… │",
        "│ ▶ Writing the t… │",
        "│ ○ Ship it        │",
        "│                  │",
        "│ 1/3 (33%)        │",
        "│ █████░░░░░░░░░░░ │",
        "└──────────────────┘",
      ].join("\n"),
    )
  })

  test("G5 at 10 columns the box is still complete", () => {
    expect(panelText(threeTodos, { width: 10 })).toBe(
      [
        "┌─ Tasks ┐",
        "│ ✓ Set… │",
        "│ ▶ Wri… │",
        "│ ○ Shi… │",
        "│        │",
        "│ 1/3    │",
        "│ ██░░░░ │",
        "└────────┘",
      ].join("\n"),
    )
  })

  test("G5 blocked and cancelled todos have marks of their own; cancelled ones do not count", () => {
    expect(panelRows(allStatuses).map(({ mark }) => mark)).toEqual(["✓", "▶", "○", "⊘", "✗"])
    expect(panelText(allStatuses)).toContain("Progress: 1/4 (25%)")
  })

  test("G5 on a low screen a todo replaces the empty row", () => {
    const rowsOf = (height: number): string[] => panelText(threeTodos, { width: 60, height }).split("\n")
    expect(rowsOf(7)[4]).toMatch(/^│ +│$/)
    expect(rowsOf(6)).toHaveLength(6)
    expect(rowsOf(6).filter((line) => /^│ +│$/.test(line))).toEqual([])
  })

  test("G5 an empty plan is a box with that text", () => {
    expect(panelText(emptyPlan, { width: 40 })).toContain("│ No todos ")
    expect(panelText(emptyPlan)).toContain("Progress: 0/0 (0%)")
  })

  test("G5 without a limit nothing is cut", () => {
    const long = planOf([{ content: "x".repeat(300), status: "pending" }])
    expect(panelText(long, { width: Number.POSITIVE_INFINITY })).toContain(`│ ○ ${"x".repeat(300)} │`)
  })

  test("G5 double-width and combining text keeps the right edge straight", () => {
    const plan = planOf([
      { content: "漢字とかなを表示する", status: "pending" },
      { content: "👩‍👩‍👧‍👦 family 🇩🇪 flag", status: "pending" },
      { content: "cafe\u0301 naı\u0308ve", status: "pending" },
    ])
    expect(panelText(plan, { width: 20 })).toBe(
      [
        "┌─ Tasks ──────────┐",
        "│ ○ 漢字とかなを…  │",
        "│ ○ 👩‍👩‍👧‍👦 family 🇩🇪 … │",
        "│ ○ cafe\u0301 naı\u0308ve     │",
        "│                  │",
        "│ 0/3 (0%)         │",
        "│ ░░░░░░░░░░░░░░░░ │",
        "└──────────────────┘",
      ].join("\n"),
    )
  })

  test("G5 a letter that joins what follows does not move the right edge", () => {
    const [todo] = threeTodos.todos
    const lines = panelText(
      { ...threeTodos, todos: [{ ...todo, content: "a\u{11a84}" } as Todo] },
      { width: 30 },
    ).split("\n")
    expect(new Set(lines.map((line) => [...line].length)).size).toBe(1)
  })

  test("G5 holds its shape at any width and any content", () => {
    fc.assert(
      fc.property(anyPlan, fc.integer({ min: 10, max: 130 }), fc.boolean(), (plan, width, ascii) => {
        const lines = panelText(plan, { width, ascii }).split("\n")
        const widths = new Set(lines.map(widthOf))
        expect(widths.size).toBe(1)
        expect(Math.max(...widths)).toBeLessThanOrEqual(width)
        for (const line of lines.slice(1, -1)) expect(line).toMatch(ascii ? /^\| .* \|$/u : /^│ .* │$/u)
      }),
      { numRuns: rounds(500) },
    )
  })
})

test("G5 the bar is full only when everything is completed", () => {
  expect(progressBar(199, 200, 10)).toBe("█████████░")
  expect(progressBar(200, 200, 10)).toBe("██████████")
  expect(progressBar(0, 0, 4)).toBe("░░░░")
  expect(progressBar(1, 2, 6, true)).toBe("[##--]")
  expect(progressBar(1, 2, 2, true)).toBe("")
})
