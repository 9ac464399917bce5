/** What happened to a plan, in words: every field a person can set is told with its value. */
import { describe, expect, test } from "vitest"
import type { PlanEvent } from "../../src/plan/event.ts"
import { describeEvent } from "../../src/views/index.ts"

const described = (event: PlanEvent): string | undefined => describeEvent(event, (id) => `todo ${id}`)

describe("a change is described with its values", () => {
  test.each<[what: string, event: PlanEvent, words: string]>([
    [
      "a note",
      { type: "todo-changed", id: "1", from: { notes: null }, to: { notes: ["see issue 14"] } },
      '1 "todo 1": note "see issue 14"',
    ],
    [
      "a note with lines and indentation",
      { type: "todo-changed", id: "1", from: { notes: null }, to: { notes: ["  if x:\n    y"] } },
      String.raw`1 "todo 1": note "  if x:\n    y"`,
    ],
    [
      "a note that is removed, and one that is added",
      { type: "todo-changed", id: "1", from: { notes: ["old", "same"] }, to: { notes: ["same", "new"] } },
      '1 "todo 1": note "old" removed, note "new"',
    ],
    [
      "notes that only change places",
      { type: "todo-changed", id: "1", from: { notes: ["a", "b"] }, to: { notes: ["b", "a"] } },
      '1 "todo 1": notes reordered',
    ],
    [
      "all notes removed",
      { type: "todo-changed", id: "1", from: { notes: ["a", "b"] }, to: { notes: null } },
      '1 "todo 1": note "a" removed, note "b" removed',
    ],
    [
      "a description",
      { type: "todo-changed", id: "1", from: { description: null }, to: { description: "one\n  two" } },
      String.raw`1 "todo 1": description "one\n  two"`,
    ],
    [
      "a phase, a reason and what it waits for",
      {
        type: "todo-changed",
        id: "1",
        from: { status: "pending", reason: null, waitsFor: null, phase: "Build" },
        to: { status: "blocked", reason: "no key", waitsFor: "Ada", phase: "Ship" },
      },
      '1 "todo 1": now blocked, because "no key", waits for Ada, phase Ship',
    ],
    [
      "a new todo with all it has",
      {
        type: "todo-added",
        todo: { id: "2", content: "Ask", status: "blocked", phase: "Ship", notes: ["soon"], reason: "no key" },
      },
      'added 2 "Ask" (blocked), phase Ship, note "soon", because "no key"',
    ],
    ["a place", { type: "todo-moved", id: "3", after: "1" }, 'moved 3 "todo 3" after 1'],
    ["the first place", { type: "todo-moved", id: "3", after: "" }, 'moved 3 "todo 3" to the start'],
  ])("O15 %s", (_what, event, words) => {
    expect(described(event)).toBe(words)
  })
})
