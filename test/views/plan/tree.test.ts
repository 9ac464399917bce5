/** Phases as a tree. */

import { describe, expect, test } from "vitest"
import { emptyPlan } from "../../../src/plan/todo.ts"
import { treeRows, treeText } from "../../../src/views/index.ts"
import { planOf } from "../sample.ts"

const phased = planOf(
  [
    { content: "Set up", status: "completed", phase: "Build", notes: ["hidden"] },
    { content: "Ask around", status: "pending" },
    { content: "Write tests", status: "in_progress", phase: "Build", notes: ["first\nline two", "second"] },
    { content: "Deploy", status: "blocked", phase: "Ship", reason: "no access", waitsFor: "Ada" },
    { content: "Announce", status: "pending", phase: "Ship", notes: Array.from({ length: 12 }, () => "n") },
  ],
  ["Build", "Ship", "Later"],
)

const manyTodos = (count: number, active: number) =>
  planOf(
    Array.from({ length: count }, (_, index) => ({
      content: `Step ${index + 1}`,
      status:
        index < active ? ("completed" as const) : index === active ? ("in_progress" as const) : ("pending" as const),
      phase: index < 6 ? "One" : "Two",
    })),
    ["One", "Two", "Three"],
  )

describe("tree", () => {
  test("O11 phases as a tree, note counts as superscripts, note bodies under the todo in progress", () => {
    expect(treeText(phased)).toBe(
      [
        "○ Ask around",
        "Build 1/2",
        "├─ ✓ Set up ¹",
        "└─ ▶ Write tests ²",
        "     first",
        "     line two",
        "     second",
        "Ship 0/2",
        "├─ ⊘ Deploy",
        "│    blocked: no access; waits for Ada",
        "└─ ○ Announce ¹²",
        "Later 0/0",
      ].join("\n"),
    )
  })

  test("O11 the same in ASCII", () => {
    expect(treeText(phased, { ascii: true })).toBe(
      [
        "[ ] Ask around",
        "Build 1/2",
        "|- [x] Set up (1)",
        "`- [>] Write tests (2)",
        "       first",
        "       line two",
        "       second",
        "Ship 0/2",
        "|- [!] Deploy",
        "|      blocked: no access; waits for Ada",
        "`- [ ] Announce (12)",
        "Later 0/0",
      ].join("\n"),
    )
  })

  test("O11 a collapsed preview shows 8 todos and the number of the rest", () => {
    expect(treeText(manyTodos(12, 0), { collapsed: true })).toBe(
      [
        "One 0/6",
        "├─ ▶ Step 1",
        "├─ ○ Step 2",
        "├─ ○ Step 3",
        "├─ ○ Step 4",
        "├─ ○ Step 5",
        "└─ ○ Step 6",
        "Two 0/6",
        "├─ ○ Step 7",
        "└─ ○ Step 8",
        "… 4 more",
      ].join("\n"),
    )
  })

  test("O11 a collapsed preview keeps the todo in progress visible", () => {
    expect(treeText(manyTodos(20, 10), { collapsed: true, ascii: true })).toBe(
      [
        "... 7 earlier",
        "Two 4/14",
        "|- [x] Step 8",
        "|- [x] Step 9",
        "|- [x] Step 10",
        "|- [>] Step 11",
        "|- [ ] Step 12",
        "|- [ ] Step 13",
        "|- [ ] Step 14",
        "`- [ ] Step 15",
        "... 5 more",
      ].join("\n"),
    )
  })

  test.each([0, 3, 8, 9, 11])(
    "O11 a preview of 12 todos with number %i active shows 8 of them, including it",
    (active) => {
      const rows = treeRows(manyTodos(12, active), { collapsed: true })
      expect(rows.filter(({ kind }) => kind === "todo")).toHaveLength(8)
      expect(rows.some(({ status }) => status === "in_progress")).toBe(true)
    },
  )

  test("O11 what fits in a preview is not collapsed", () => {
    expect(treeText(manyTodos(8, 2), { collapsed: true })).toBe(treeText(manyTodos(8, 2)))
    expect(treeText(manyTodos(8, 8), { collapsed: true })).toBe(treeText(manyTodos(8, 8)))
  })

  test("O11 a note count survives a long todo", () => {
    const plan = planOf([{ content: "A todo with many words", status: "pending", notes: ["one", "two"] }])
    expect(treeText(plan, { width: 16 })).toBe("○ A todo with… ²")
    expect(treeText(plan, { width: 20, ascii: true })).toBe("[ ] A todo wi... (2)")
  })

  test("N5 a blocked todo without a named reason names the todos before it", () => {
    const plan = planOf([{ content: "Deploy", status: "blocked", blockedBy: ["3", "4"] }])
    expect(treeText(plan)).toBe("⊘ Deploy\n  blocked: waits for #3, #4")
  })

  test("a phase that only todos name is shown after the others", () => {
    const plan = planOf([{ content: "Sweep", status: "pending", phase: "Extra" }], ["Build"])
    expect(treeText(plan)).toBe("Build 0/0\nExtra 0/1\n└─ ○ Sweep")
  })

  test("an empty plan draws nothing", () => {
    expect(treeText(emptyPlan)).toBe("")
    expect(treeText(emptyPlan, { collapsed: true })).toBe("")
  })
})
