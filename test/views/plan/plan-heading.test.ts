/** The plan of one member among several. */

import { describe, expect, test } from "vitest"
import { emptyPlan } from "../../../src/plan/todo.ts"
import { planHeading, planText } from "../../../src/views/index.ts"
import { allStatuses } from "../sample.ts"

describe("plan of a member", () => {
  test("A6 heading with the member's name, one row per todo", () => {
    expect(planText(allStatuses, "Reviewer")).toBe(
      ["📋 Plan (Reviewer):", "✅ Read", "⭕ ▶ Write", "⭕ Rest", "⛔ Deploy", "❌ Dream"].join("\n"),
    )
  })

  test("A6 the same in ASCII", () => {
    expect(planText(allStatuses, "Reviewer", { ascii: true })).toBe(
      ["Plan (Reviewer):", "[x] Read", "[>] Write", "[ ] Rest", "[!] Deploy", "[-] Dream"].join("\n"),
    )
  })

  test("A6 a long name is cut, the heading stays whole", () => {
    expect(planHeading("a-member-with-a-long-name", { width: 20 })).toBe("📋 Plan (a-member…):")
  })

  test("G8 a name cannot bring its own lines or colours", () => {
    expect(planHeading("Eve\n\u001b[31mforged")).toBe("📋 Plan (Eve forged):")
  })

  test("A5 an empty plan clears the view", () => {
    expect(planText(emptyPlan, "Reviewer")).toBe("")
  })
})
