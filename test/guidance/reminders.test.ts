/** Every row of the table of reminders keeps the contract, and every profile is what the designs say. */
import { describe, expect, test } from "vitest"
import { findProfile, profileNames, profiles, reminderIds, reminders } from "../../src/guidance/index.ts"
import { reminderContract } from "../contracts/reminder.ts"

for (const id of reminderIds) reminderContract(id, reminders[id])

describe("profiles", () => {
  test("quiet has only one reminder that is not about an event (N4)", () => {
    const causes = ["list-restored", "person-edit", "failed-call", "plan-mode"]
    expect(profiles.quiet.rules.filter((id) => !causes.includes(id))).toEqual(["stale-todo"])
  })

  test("classic has the attachments of its design (C18, C20)", () => {
    expect(profiles.classic.rules).toEqual(expect.arrayContaining(["list-changed", "list-restored", "todo-reminder"]))
    expect(profiles.classic.rules).not.toContain("stale-todo")
  })

  test("gencode has its own tags, first and after ten turns (G9)", () => {
    expect(profiles.gencode.tag).toBe("reminder")
    expect(profiles.gencode.rules).toEqual(expect.arrayContaining(["gencode-first", "gencode-nag"]))
  })

  test("off reports only what a person has changed (O15)", () => {
    expect(profiles.off.rules).toEqual(["person-edit"])
  })

  test("an unknown one is refused with the known ones", () => {
    expect(profileNames).toEqual(["off", "quiet", "classic", "gencode"])
    expect(() => findProfile("loud")).toThrow(/off, quiet, classic, gencode/)
    expect(() => findProfile("constructor")).toThrow("There is no reminder profile")
  })

  test("no profile gives the same reminder twice", () => {
    for (const { rules } of Object.values(profiles)) expect(new Set<string>(rules).size).toBe(rules.length)
  })
})

test("no reminder is in capitals, and none asks to be passed on (C18, C20, N4)", () => {
  const nags = ["stale-todo", "todo-reminder", "gencode-first", "gencode-nag", "list-changed"] as const
  const todo = { id: "1", content: "Fix", status: "in_progress" } as const
  const body = { todo, turns: 10, content: [todo], itemCount: 1, completed: 0, total: 1, active: "Fix" }
  for (const id of nags) {
    const rule: (typeof reminders)[keyof typeof reminders] = reminders[id]
    const text = rule.text({ ...body, type: rule.type } as never, { list: "TodoWrite" })
    expect(text).toMatch(/Do not mention this to the user\./)
    expect(text).not.toMatch(/\b(MUST|NEVER|ALWAYS|IMPORTANT|must|never)\b|!/)
    if (id !== "list-changed") expect(text).toMatch(/ignore (it|this)/)
  }
})
