/** A plan in one line: what it says in each state, and that it never is longer than it may be. */
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Todo, TodoStatus } from "../../../src/plan/index.ts"
import { statusLine, widthOf } from "../../../src/views/index.ts"

const plan = (...todos: [content: string, status: TodoStatus, more?: Partial<Todo>][]) => ({
  todos: todos.map(([content, status, more], index) => ({ id: String(index + 1), content, status, ...more })),
})

const working = plan(["Read the code", "completed"], ["Run tests", "in_progress"], ["Write docs", "pending"])

test("it shows the current todo, the progress of the plan, and for how long", () => {
  expect(statusLine(working, { elapsed: "2m" })).toBe("▶ Running tests · 1/3 · 2m")
  expect(statusLine(working)).toBe("▶ Running tests · 1/3")
  expect(statusLine(working, { elapsed: "2m", ascii: true })).toBe("[>] Running tests - 1/3 - 2m")
})

test("it shows the title of the session last, cut or left out where there is no space", () => {
  const title = "Move the checkout to the new payment API"
  const line = "▶ Running tests · 1/3 · 2m"
  expect(statusLine(working, { elapsed: "2m", title })).toBe(`${line} · ${title}`)
  expect(statusLine(working, { elapsed: "2m", title, width: 50 })).toBe(`${line} · Move the checkout to…`)
  expect(statusLine(working, { elapsed: "2m", title, width: 44 })).toBe(line)
  expect(statusLine(working, { elapsed: "2m", title: "Pay", width: 32 })).toBe(`${line} · Pay`)
  expect(statusLine(working, { elapsed: "2m", title: "Pay", width: 31 })).toBe(line)
  expect(statusLine(plan(), { title })).toBe("")
})

test("it shows the next todo when nothing is in progress", () => {
  expect(statusLine(plan(["Read", "completed"], ["Write", "pending"]), { elapsed: "2m" })).toBe("○ Write · 1/2")
})

test("the next todo is one that waits for no other, as in listings", () => {
  expect(statusLine(plan(["Deploy", "pending", { blockedBy: ["2"] }], ["Test", "pending"]))).toBe("○ Test · 0/2")
  expect(statusLine(plan(["Deploy", "pending", { blockedBy: ["2"] }], ["Test", "cancelled"]))).toBe("○ Deploy · 0/1")
  expect(statusLine(plan(["Deploy", "pending", { blockedBy: ["2"] }], ["Test", "blocked"]))).toBe(
    "⊘ Deploy · 0/2 · 1 blocked",
  )
})

test("it shows what is blocked, and why, when nothing else is left (N5)", () => {
  const blocked: [string, TodoStatus, Partial<Todo>] = ["Deploy", "blocked", { reason: "no access", waitsFor: "Ada" }]
  expect(statusLine(plan(["Build", "completed"], blocked))).toBe("⊘ Deploy (blocked: no access; waits for Ada) · 1/2")
  expect(statusLine(plan(["Build", "in_progress"], blocked), { elapsed: "3s" })).toBe(
    "▶ Building · 0/2 · 3s · 1 blocked",
  )
})

test("it only counts a finished plan, and is empty for one in which nothing counts", () => {
  expect(statusLine(plan(["Read", "completed"], ["Write", "cancelled"]))).toBe("✓ 1/1")
  expect(statusLine(plan(["Write", "cancelled"]))).toBe("")
  expect(statusLine(plan())).toBe("")
})

test("where it is too narrow, the text is cut first, then facts are left out", () => {
  const at = (width: number): string => statusLine(working, { elapsed: "2m", width })
  expect(at(24)).toBe("▶ Running te… · 1/3 · 2m")
  expect(at(18)).toBe("▶ Running t… · 1/3")
  expect(at(8)).toBe("▶ 1/3")
  expect(at(3)).toBe("▶ …")
})

test("no control character gets into a status bar (G8)", () => {
  expect(statusLine(plan(["Run \u001b]0;title\u0007 the\u001b[31m tests\n", "pending"]))).toBe("○ Run the tests · 0/1")
})

test("it is one line of at most its width, for any plan", () => {
  const statuses = fc.constantFrom<TodoStatus>("pending", "in_progress", "blocked", "completed", "cancelled")
  const todos = fc.array(fc.tuple(fc.string({ unit: "grapheme", maxLength: 60 }), statuses), { maxLength: 12 })
  fc.assert(
    fc.property(todos, fc.integer({ min: 1, max: 120 }), fc.boolean(), (list, width, ascii) => {
      const line = statusLine(plan(...list), { width, ascii, elapsed: "12m" })
      expect(line).not.toMatch(/[\n\r]/)
      expect(widthOf(line)).toBeLessThanOrEqual(width)
    }),
  )
})
