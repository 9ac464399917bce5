/** The plan of one member on a low screen: never higher or wider than it may be, and always with the current todo. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Todo, TodoStatus } from "../../src/plan/index.ts"
import { memberFrame } from "../../src/views/member-frame.ts"
import { plainLine } from "../../src/views/span.ts"
import { transitionsOf } from "../../src/views/transitions.ts"
import { widthOf } from "../../src/views/width.ts"

const todosOf = (...todos: [content: string, status: TodoStatus][]): Todo[] =>
  todos.map(([content, status], index) => ({ id: String(index + 1), content, status }))

const plan = {
  todos: todosOf(
    ["Read the documentation of the old interface from beginning to end", "completed"],
    ["Write the new one", "in_progress"],
    ["Ask for a review", "blocked"],
    ["Print the old one", "cancelled"],
    ["Publish", "pending"],
  ),
}

const text = (...options: Parameters<typeof memberFrame>): string[] => memberFrame(...options).map(plainLine)

describe("a member's plan (A6)", () => {
  test.each([
    [40, "✅ Read the documentation of the old in…"],
    [80, "✅ Read the documentation of the old interface from beginning to end"],
    [120, "✅ Read the documentation of the old interface from beginning to end"],
  ])("at %d columns", (width, first) => {
    expect(text(plan, "Ada", { width, height: 20 })).toEqual([
      "",
      "📋 Plan (Ada):",
      first,
      "⭕ Write the new one",
      "⛔ Ask for a review",
      "❌ Print the old one",
      "⭕ Publish",
      "",
    ])
  })

  test("in ASCII", () => {
    expect(text(plan, "Ada", { width: 40, height: 20, ascii: true }).slice(1, 4)).toEqual([
      "Plan (Ada):",
      "[x] Read the documentation of the old...",
      "[ ] Write the new one",
    ])
  })

  test("stands apart from what is around it, where there is room", () => {
    expect(text(plan, "Ada", { height: 7 })).toHaveLength(6)
    expect(text(plan, "Ada", { height: 8 })).toHaveLength(8)
  })

  test("heading bold in the member's colour, cyan by default; done is green, the rest yellow", () => {
    const colours = memberFrame(plan, "Ada", { height: 7 }).map(([span]) => span?.style?.colour)
    expect(colours).toEqual(["cyan", "green", "yellow", "yellow", "yellow", "yellow"])
    const [heading] = memberFrame(plan, "Ada", { height: 7, colour: "#ff8800" })
    expect(heading?.[0]?.style).toEqual({ bold: true, colour: "#ff8800" })
  })

  test("a turn that is over shows what is left as completed, but not what is blocked or cancelled (A7)", () => {
    const marks = text(plan, "Ada", { height: 7, hasEnded: true }).map((line) => line.slice(0, 2).trim())
    expect(marks.slice(1)).toEqual(["✅", "✅", "⛔", "❌", "✅"])
  })

  test("an empty plan is nothing", () => {
    expect(text({ todos: [] }, "Ada", { height: 20 })).toEqual([])
  })

  test("of a long one the part around the current todo is shown, and the rest counted", () => {
    const long = {
      todos: todosOf(
        ...Array.from({ length: 50 }, (_, index): [string, TodoStatus] => [
          `Todo ${index}`,
          index < 20 ? "completed" : "pending",
        ]),
      ),
    }
    expect(text(long, "Ada", { height: 6 })).toEqual([
      "📋 Plan (Ada):",
      "✅ Todo 19",
      "⭕ Todo 20",
      "⭕ Todo 21",
      "⭕ Todo 22",
      "… 19 above, 27 below",
    ])
    expect(text(long, "Ada", { height: 3 })).toEqual(["📋 Plan (Ada):", "⭕ Todo 20", "⭕ Todo 21"])
    expect(text(long, "Ada", { height: 1 })).toEqual(["⭕ Todo 20"])
  })

  test("whatever the plan says and however small the screen, it fits and holds the current todo", () => {
    const statuses = fc.constantFrom<TodoStatus>("pending", "in_progress", "blocked", "completed", "cancelled")
    const todos = fc.array(fc.tuple(fc.string({ unit: "grapheme", maxLength: 40 }), statuses), { maxLength: 40 })
    fc.assert(
      fc.property(todos, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 30 }), (list, width, height) => {
        const lines = text({ todos: todosOf(...list) }, "Ada", { width, height })
        expect(lines.length).toBeLessThanOrEqual(height)
        expect(lines.every((line) => widthOf(line) <= width)).toBe(true)
        expect(lines.length > 0).toBe(list.length > 0)
      }),
    )
  })
})

describe("what changed between two lists (G6)", () => {
  test("new, changed, reworded and removed todos have a line each; others none", () => {
    const before = todosOf(["Read", "in_progress"], ["Write", "pending"], ["Rest", "pending"], ["Talk", "pending"])
    const [read, write, , talk] = todosOf(
      ["Read", "completed"],
      ["Write it", "pending"],
      ["Rest", "pending"],
      ["Talk", "pending"],
    )
    const after = [read, write, talk, { id: "9", content: "Sing\u001b[2J", status: "pending" as const }].flatMap(
      (todo) => todo ?? [],
    )
    expect(transitionsOf(before, after)).toEqual([
      '[Todo: "Rest" → removed]',
      '[Todo: "Read" → completed]',
      '[Todo: "Write it" → pending]',
      '[Todo: "Sing" → pending]',
    ])
    expect(transitionsOf(after, after)).toEqual([])
  })
})
