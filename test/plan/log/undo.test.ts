/** Undo takes any plan back to what it was, whatever happened to it. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { apply } from "../../../src/plan/apply.ts"
import type { PlanEvent } from "../../../src/plan/event.ts"
import { inverse } from "../../../src/plan/log/undo.ts"
import type { Plan, Todo } from "../../../src/plan/todo.ts"
import { rounds } from "../../rounds.ts"
import { eventsArbitrary, planArbitrary, planOf, settleArbitrary } from "../arbitraries.ts"

const todo = (id: string): Todo => ({ id, content: "", status: "pending" })
const listOf = ({ todos, phases }: Plan): Pick<Plan, "todos" | "phases"> => ({ todos, phases })

describe("undo", () => {
  test("N8 the inverse of what happened restores todos, ids, order and phases", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, settleArbitrary, (before, events, settle) => {
        const { plan, events: happened } = apply(before, events, settle)
        expect(listOf(apply(plan, inverse(happened)).plan)).toEqual(listOf(before))
      }),
      { numRuns: rounds(500) },
    )
  })

  test("N8 undoing the undo does it again", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, (before, events) => {
        const done = apply(before, events)
        const undone = apply(done.plan, inverse(done.events))
        const redone = apply(undone.plan, inverse(undone.events))
        expect(listOf(redone.plan)).toEqual(listOf(done.plan))
      }),
      { numRuns: rounds(300) },
    )
  })

  const before: Plan = {
    ...planOf({ phase: "Find" }, { phase: "Build" }, { phase: "Find", notes: ["n"] }, {}),
    phases: ["Find", "Build", "Ship"],
  }
  const cases: [name: string, events: PlanEvent[]][] = [
    ["a move to the start", [{ type: "todo-moved", id: "3", after: "" }]],
    [
      "two moves over each other",
      [
        { type: "todo-moved", id: "1", after: "4" },
        { type: "todo-moved", id: "4", after: "" },
      ],
    ],
    ["a phase that came with a todo", [{ type: "todo-added", todo: { ...todo("9"), phase: "Later" } }]],
    ["a phase that came with a change", [{ type: "todo-changed", id: "4", from: {}, to: { phase: "Later" } }]],
    ["a moved phase", [{ type: "phase-added", name: "Find", after: "Build" }]],
    ["a removed phase", [{ type: "phase-removed", name: "Ship" }]],
    ["clearing everything", [{ type: "plan-cleared", todos: [...before.todos], phases: [...before.phases] }]],
    ["clearing a part", [{ type: "plan-cleared", todos: [todo("1"), todo("3")], phases: ["Ship"] }]],
    ["clearing the todos only", [{ type: "plan-cleared", todos: [...before.todos] }]],
    ["a removal of neighbours", ["1", "2", "3"].map((id) => ({ type: "todo-removed", todo: todo(id) }))],
    ["an added note", [{ type: "todo-changed", id: "3", from: { notes: ["n"] }, to: { notes: ["n", "m"] } }]],
  ]
  test.each(cases)("N8 %s is undone", (_name, events) => {
    const { plan, events: happened } = apply(before, events)
    expect(listOf(plan)).not.toEqual(listOf(before))
    expect(listOf(apply(plan, inverse(happened)).plan)).toEqual(listOf(before))
  })

  test("N8 what others added in the meantime survives an undo", () => {
    const cleared = apply(before, [{ type: "plan-cleared", todos: [...before.todos] }])
    const grown = apply(cleared.plan, [{ type: "todo-added", todo: { ...todo("9"), content: "Theirs" } }])
    const { todos } = apply(grown.plan, inverse(cleared.events)).plan
    expect(todos.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "9"])
  })

  test("N8 a restored todo whose neighbour is gone goes to its natural end", () => {
    const gone = apply(before, [{ type: "todo-removed", todo: todo("3") }])
    const without = apply(gone.plan, [{ type: "todo-removed", todo: todo("2") }])
    expect(apply(without.plan, inverse(gone.events)).plan.todos.map(({ id }) => id)).toEqual(["1", "3", "4"])
  })

  test("N8 events that change no list have no inverse", () => {
    expect(inverse([{ type: "plan-resumed" }, { type: "agent-told", entries: ["e1"] }])).toEqual([])
  })
})
