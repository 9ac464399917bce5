/** What someone did to a plan, for people: by the words of its todos, and never longer than can be read at a glance. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { PlanEvent, TodoPatch } from "../../src/plan/event.ts"
import { changesInWords } from "../../src/views/changes-in-words.ts"
import { rounds } from "../rounds.ts"

const names: Readonly<Record<string, string>> = { 5: "Run the tests", 6: "Ask Ada", 7: "Ship it" }

const clauses = (...events: PlanEvent[]): string[] => changesInWords(events, (id) => names[id] ?? id)

const changed = (from: TodoPatch, to: TodoPatch): PlanEvent => ({ type: "todo-changed", id: "5", from, to })

describe("a change is described with the text of the todo", () => {
  test.each<[what: string, event: PlanEvent, words: string]>([
    [
      "blocked",
      changed({ status: "in_progress" }, { status: "blocked", waitsFor: "Ada" }),
      'blocked "Run the tests": waits for Ada',
    ],
    [
      "blocked for a reason",
      changed({ status: "pending" }, { status: "blocked", reason: "no key", waitsFor: "Ada" }),
      'blocked "Run the tests": "no key"; waits for Ada',
    ],
    [
      "blocked by others",
      changed({ status: "pending" }, { status: "blocked", blockedBy: ["6", "7"] }),
      'blocked "Run the tests": waits for "Ask Ada", "Ship it"',
    ],
    [
      "unblocked",
      changed({ status: "blocked", reason: "no key" }, { status: "pending", reason: null }),
      'unblocked "Run the tests"',
    ],
    ["reopened", changed({ status: "completed" }, { status: "pending" }), 'reopened "Run the tests"'],
    ["put back", changed({ status: "in_progress" }, { status: "pending" }), 'put back "Run the tests"'],
    ["started", changed({ status: "pending" }, { status: "in_progress" }), 'started "Run the tests"'],
    ["finished", changed({ status: "in_progress" }, { status: "completed" }), 'finished "Run the tests"'],
    [
      "dropped",
      changed({ status: "pending" }, { status: "cancelled", reason: "CI does that" }),
      'dropped "Run the tests": "CI does that"',
    ],
    ["reworded", changed({ content: "Old" }, { content: "New" }), 'reworded "Old" to "New"'],
    ["noted", changed({ notes: ["a"] }, { notes: ["a", "b c"] }), 'noted on "Run the tests": "b c"'],
    ["a note taken away", changed({ notes: ["a"] }, { notes: null }), 'changed "Run the tests": note "a" removed'],
    ["no longer waiting", changed({ waitsFor: "Ada" }, { waitsFor: null }), 'changed "Run the tests": no longer waits'],
    ["into a phase", changed({ phase: null }, { phase: "Ship" }), 'moved "Run the tests" to phase "Ship"'],
    ["out of its phase", changed({ phase: "Ship" }, { phase: null }), 'took "Run the tests" out of its phase'],
    ["an owner", changed({ owner: null }, { owner: "Ada" }), 'changed "Run the tests": owner Ada'],
    ["moved", { type: "todo-moved", id: "5", after: "6" }, 'moved "Run the tests" behind "Ask Ada"'],
    ["moved to the start", { type: "todo-moved", id: "5", after: "" }, 'moved "Run the tests" to the start'],
    [
      "added",
      { type: "todo-added", todo: { id: "8", content: "Measure", status: "blocked", phase: "Ship", reason: "no key" } },
      'added "Measure" to phase "Ship", blocked: "no key"',
    ],
    [
      "removed",
      { type: "todo-removed", todo: { id: "8", content: "Measure", status: "pending" } },
      'removed "Measure"',
    ],
    [
      "taken",
      { type: "todo-claimed", id: "5", owner: "worker 2", minutes: 5 },
      'claimed "Run the tests" for "worker 2"',
    ],
  ])("%s", (_what, event, words) => {
    expect(clauses(event)).toEqual([words])
  })

  test("of a todo that is moved into another phase, only the phase is described", () => {
    expect(clauses({ type: "todo-moved", id: "5", after: "7" }, changed({ phase: "Look" }, { phase: "Ship" }))).toEqual(
      ['moved "Run the tests" to phase "Ship"'],
    )
  })
})

test("a very long text, reason or note is cut, in any script", () => {
  const long = fc.string({ unit: "grapheme", minLength: 0, maxLength: 3 }).map((text) => `x${text}`.repeat(3_000))
  fc.assert(
    fc.property(long, (text) => {
      const [sentence = ""] = clauses(
        changed(
          { content: text, status: "pending" },
          { content: text, status: "blocked", reason: text, notes: [text] },
        ),
      )
      expect(sentence.startsWith("blocked ")).toBe(true)
      expect(sentence).toContain("…")
      // Of a cluster of marks a terminal draws one column: a bound on characters is for what is usual.
      expect(sentence.replace(/[^x]/g, "").length).toBeLessThan(700)
    }),
    { numRuns: rounds(50) },
  )
})
