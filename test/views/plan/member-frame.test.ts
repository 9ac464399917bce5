/** The plans of a member and its sub-agents on a low screen: never higher or wider than it may be. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Todo, TodoStatus } from "../../../src/plan/index.ts"
import { type MemberFrame, type MemberFramesOptions, memberFrames } from "../../../src/views/plan/member-frame.ts"
import type { Todos } from "../../../src/views/plan/row.ts"
import { transitionsOf } from "../../../src/views/plan/transitions.ts"
import { plainLine } from "../../../src/views/text/span.ts"
import { widthOf } from "../../../src/views/text/width.ts"

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

type Options = Omit<MemberFrame, "plan" | "name"> & MemberFramesOptions

const frame = (shown: Todos, name: string, { width, height, ascii, ...member }: Options) =>
  memberFrames([{ plan: shown, name, ...member }], { width, height, ascii })

const text = (...options: Parameters<typeof frame>): string[] => frame(...options).map(plainLine)

const long = (prefix: string, length: number): Todos => ({
  todos: todosOf(
    ...Array.from({ length }, (_, index): [string, TodoStatus] => [
      `${prefix} ${index}`,
      index < length / 2 ? "completed" : "pending",
    ]),
  ),
})

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
      "⭕ ▶ Write the new one",
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
      "[>] Write the new one",
    ])
  })

  test("is separated from what is around it, where there is space", () => {
    expect(text(plan, "Ada", { height: 7 })).toHaveLength(6)
    expect(text(plan, "Ada", { height: 8 })).toHaveLength(8)
  })

  test("has a bold heading in the member's colour, cyan by default; completed is green, the rest yellow, in progress bold", () => {
    const styles = frame(plan, "Ada", { height: 7 }).map(([span]) => span?.style)
    expect(styles.map((style) => style?.colour)).toEqual(["cyan", "green", "yellow", "yellow", "yellow", "yellow"])
    expect(styles.map((style) => style?.bold)).toEqual([true, undefined, true, undefined, undefined, undefined])
    const [heading] = frame(plan, "Ada", { height: 7, colour: "#ff8800" })
    expect(heading?.[0]?.style).toEqual({ bold: true, colour: "#ff8800" })
  })

  test("after the turn shows the rest as assumed, counts it, and leaves what is blocked or cancelled (A7)", () => {
    expect(text(plan, "Ada", { width: 60, height: 20, hasEnded: true })).toEqual([
      "",
      "📋 Plan (Ada): 3 left open",
      "✅ Read the documentation of the old interface from beginni…",
      "✅ Write the new one (turn ended)",
      "⛔ Ask for a review",
      "❌ Print the old one",
      "✅ Publish (turn ended)",
      "",
    ])
    const dim = frame(plan, "Ada", { height: 7, hasEnded: true }).map(([span]) => span?.style?.dim === true)
    expect(dim).toEqual([false, false, true, false, false, true])
  })

  test("after the turn without open todos shows only that it is done", () => {
    const done = { todos: todosOf(["Read", "completed"], ["Print", "cancelled"]) }
    expect(text(done, "Ada", { height: 4, hasEnded: true })).toEqual(["📋 Plan (Ada):", "✅ Read", "❌ Print"])
  })

  test("assumes nothing where there is no space to show that it is assumed", () => {
    expect(text(plan, "Ada", { width: 19, height: 7, hasEnded: true })).toEqual([
      "📋 Plan (Ada):",
      "✅ Read the docume…",
      "⭕ ▶ Write the new…",
      "⛔ Ask for a review",
      "❌ Print the old o…",
      "⭕ Publish",
    ])
    expect(text(plan, "Ada", { width: 20, height: 7, hasEnded: true })[5]).toBe("✅ Pub… (turn ended)")
  })

  test("is empty for an empty plan", () => {
    expect(text({ todos: [] }, "Ada", { height: 20 })).toEqual([])
  })

  test("of many todos shows the part around the current one, and counts the rest", () => {
    expect(text(long("Todo", 40), "Ada", { height: 6 })).toEqual([
      "📋 Plan (Ada):",
      "… 19 earlier",
      "✅ Todo 19",
      "⭕ Todo 20",
      "⭕ Todo 21",
      "… 18 more",
    ])
    expect(text(long("Todo", 40), "Ada", { height: 3 })).toEqual(["📋 Plan (Ada):", "⭕ Todo 20", "⭕ Todo 21"])
    expect(text(long("Todo", 40), "Ada", { height: 1 })).toEqual(["⭕ Todo 20"])
  })
})

describe("sub-agents' plans", () => {
  const sub = (name: string, length = 2): MemberFrame => ({ plan: long(name, length), name, isSubAgent: true })
  const main = (length = 2): MemberFrame => ({ plan: long("Main", length), name: "Ada" })
  const lines = (members: readonly MemberFrame[], height: number): string[] =>
    memberFrames(members, { height }).map(plainLine)

  test("are below the member's, a little to the right, and separated from what is around all of them", () => {
    expect(lines([main(), sub("one"), sub("two")], 20)).toEqual([
      "",
      "📋 Plan (Ada):",
      "✅ Main 0",
      "⭕ Main 1",
      "  📋 Plan (one):",
      "  ✅ one 0",
      "  ⭕ one 1",
      "  📋 Plan (two):",
      "  ✅ two 0",
      "  ⭕ two 1",
      "",
    ])
    expect(lines([main(), sub("one"), sub("two")], 10)).toHaveLength(9)
  })

  test("take at most half of a screen that is too low for all", () => {
    const drawn = lines([main(20), sub("one", 20), sub("two", 20)], 12)
    expect(drawn).toHaveLength(12)
    expect(drawn.map((line) => line.startsWith("  "))).toEqual([
      ...Array.from({ length: 6 }, () => false),
      ...Array.from({ length: 6 }, () => true),
    ])
    expect(drawn.filter((line) => line.includes("📋"))).toEqual([
      "📋 Plan (Ada):",
      "  📋 Plan (one):",
      "  📋 Plan (two):",
    ])
  })

  test("are counted where there is no space for them", () => {
    const many = Array.from({ length: 9 }, (_, index) => sub(`s${index}`))
    expect(lines([main(), ...many], 8)).toEqual([
      "📋 Plan (Ada):",
      "✅ Main 0",
      "⭕ Main 1",
      "  📋 Plan (s0):",
      "  ⭕ s0 1",
      "  📋 Plan (s1):",
      "  ⭕ s1 1",
      "… 7 more agents",
    ])
  })
})

test("any plans fit any small screen", () => {
  const statuses = fc.constantFrom<TodoStatus>("pending", "in_progress", "blocked", "completed", "cancelled")
  const todos = fc.array(fc.tuple(fc.string({ unit: "grapheme", maxLength: 40 }), statuses), { maxLength: 20 })
  const members = fc.array(fc.tuple(todos, fc.boolean(), fc.string({ unit: "grapheme", maxLength: 20 })), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(members, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 30 }), (all, width, height) => {
      const frames = all.map(([list, hasEnded, name], index) => ({
        plan: { todos: todosOf(...list) },
        name,
        hasEnded,
        isSubAgent: index > 0,
      }))
      const lines = memberFrames(frames, { width, height }).map(plainLine)
      expect(lines.length).toBeLessThanOrEqual(height)
      expect(lines.every((line) => widthOf(line) <= width)).toBe(true)
      expect(lines.length > 0).toBe(all.some(([list]) => list.length > 0))
    }),
  )
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
