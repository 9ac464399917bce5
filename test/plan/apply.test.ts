/** Applying events is total and pure: whatever comes, a sound plan comes out and the one before stays as it was. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { apply, applyInTurn } from "../../src/plan/apply.ts"
import type { PlanEvent, TodoPatch } from "../../src/plan/event.ts"
import { isPlanChange } from "../../src/plan/event.ts"
import { emptyPlan, type Plan, type Todo } from "../../src/plan/todo.ts"
import { rounds } from "../rounds.ts"
import { deepFreeze, eventsArbitrary, planArbitrary, planOf, settleArbitrary } from "./arbitraries.ts"

const todo = (id: string, fields: Partial<Todo> = {}): Todo => ({
  id,
  content: `New ${id}`,
  status: "pending",
  ...fields,
})
const added = (id: string, fields: Partial<Todo> = {}, after?: string): PlanEvent => ({
  type: "todo-added",
  todo: todo(id, fields),
  ...(after === undefined ? {} : { after }),
})
const changed = (id: string, to: TodoPatch, from: TodoPatch = {}): PlanEvent => ({ type: "todo-changed", id, from, to })
const removed = (id: string): PlanEvent => ({ type: "todo-removed", todo: todo(id) })
const idsOf = ({ todos }: Plan): string[] => todos.map(({ id }) => id)
const contentsOf = ({ todos }: Plan): string[] => todos.map(({ content }) => content)
const statusesOf = ({ todos }: Plan): string[] => todos.map(({ status }) => status)

describe("any plan and any events", () => {
  test("applied together have the same effect as applied one by one", () => {
    const step = fc.record({
      kind: fc.constantFrom("add", "change", "move", "remove"),
      target: fc.nat(12),
      phase: fc.constantFrom("Find", "Build", undefined),
      after: fc.option(fc.nat(12), { nil: undefined }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const inTurn = applyInTurn(emptyPlan)
        let plan = emptyPlan
        for (const [index, { kind, target, phase, after }] of steps.entries()) {
          const place = after === undefined ? {} : { after: `t${after}` }
          const events: Record<typeof kind, PlanEvent> = {
            add: added(`t${index}`, phase === undefined ? {} : { phase }, place.after),
            change: changed(`t${target}`, { phase: phase ?? null }),
            move: { type: "todo-moved", id: `t${target}`, ...place },
            remove: removed(`t${target}`),
          }
          plan = apply(plan, [events[kind]]).plan
          expect(inTurn([events[kind]]).plan).toEqual(plan)
        }
      }),
      { numRuns: rounds(300) },
    )
  })

  test("N3 ids stay unique, phases hold every phase, and required fields stay", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, settleArbitrary, (before, events, settle) => {
        const { plan } = apply(before, events, settle)
        expect(new Set(idsOf(plan)).size).toBe(plan.todos.length)
        expect(new Set(plan.phases).size).toBe(plan.phases.length)
        for (const { id, content, status, phase } of plan.todos) {
          expect([id === "", typeof content, typeof status]).toEqual([false, "string", "string"])
          if (phase !== undefined) expect(plan.phases).toContain(phase)
        }
      }),
      { numRuns: rounds(300) },
    )
  })

  test("N8 the revision grows by one exactly when something changed", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, settleArbitrary, (before, events, settle) => {
        const { plan, events: happened } = apply(before, events, settle)
        if (happened.some(isPlanChange)) expect(plan.revision).toBe(before.revision + 1)
        else expect(plan).toBe(before)
      }),
      { numRuns: rounds(300) },
    )
  })

  test("N8 each effect by itself changes the plan", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, (before, events) => {
        let plan = before
        for (const event of apply(before, events).events.filter(isPlanChange)) {
          const next = apply(plan, [event])
          expect(next.events).toEqual([event])
          expect({ ...next.plan, revision: 0 }).not.toEqual({ ...plan, revision: 0 })
          plan = next.plan
        }
      }),
    )
  })

  test("N8 the effects applied to the same plan give the same plan again", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, settleArbitrary, (before, events, settle) => {
        const first = apply(before, events, settle)
        const again = apply(before, first.events)
        expect(again.plan).toEqual(first.plan)
        expect(again.events).toEqual(first.events)
      }),
      { numRuns: rounds(300) },
    )
  })

  test("G4 neither the plan nor the events given are changed", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, settleArbitrary, (before, events, settle) => {
        expect(() => apply(deepFreeze(before), deepFreeze(events), deepFreeze(settle))).not.toThrow()
      }),
      { numRuns: rounds(200) },
    )
  })
})

describe("an event about a todo that is gone", () => {
  const before = planOf("A", "B")
  const cases: [name: string, event: PlanEvent][] = [
    ["a change", changed("9", { status: "completed" })],
    ["a removal", removed("9")],
    ["a move", { type: "todo-moved", id: "9", after: "" }],
    ["a move behind it", { type: "todo-moved", id: "1", after: "9" }],
    ["a move behind itself", { type: "todo-moved", id: "1", after: "1" }],
    ["a clearing of others", { type: "plan-cleared", todos: [todo("9")], phases: ["Nowhere"] }],
    ["the removal of a phase nobody has", { type: "phase-removed", name: "Nowhere" }],
  ]
  test.each(cases)("N3 %s changes nothing", (_name, event) => {
    expect(apply(before, [event])).toEqual({ plan: before, events: [] })
  })

  test("N3 a todo added after a removed one goes to the end", () => {
    expect(idsOf(apply(before, [added("3", {}, "9")]).plan)).toEqual(["1", "2", "3"])
  })

  test("N2 an event of an unknown kind does not change the list", () => {
    const unknown = { type: "todo-exploded", id: "1" } as unknown as PlanEvent
    expect(apply(before, [unknown]).plan).toBe(before)
  })
})

describe("ids", () => {
  test("N3 a colliding new id gets the next free one, also in the later events of its entry", () => {
    const { plan } = apply(planOf("A", "B", "C"), [
      added("2", { content: "Mine" }),
      added("7", { content: "Next", blockedBy: ["2"] }, "2"),
      changed("2", { status: "in_progress" }),
      changed("1", { blockedBy: ["2"] }),
      { type: "todo-moved", id: "2", after: "" },
    ])
    expect(idsOf(plan)).toEqual(["4", "1", "2", "3", "7"])
    expect(plan.todos.map(({ status, blockedBy }) => [status, blockedBy])).toEqual([
      ["in_progress", undefined],
      ["pending", ["4"]],
      ["pending", undefined],
      ["pending", undefined],
      ["pending", ["4"]],
    ])
  })

  test("N3 clearing removes what an entry added itself and not the todo its id collided with", () => {
    const { plan } = apply(planOf("Somebody else's"), [
      added("1", { status: "completed" }),
      { type: "plan-cleared", todos: [todo("1")], phases: [] },
    ])
    expect(contentsOf(plan)).toEqual(["Somebody else's"])
  })

  test("N2 blank ids are replaced one by one, and the start of the list stays a valid place", () => {
    const { plan } = apply(planOf("A"), [added(""), added(""), added("x", {}, "")])
    expect(idsOf(plan)).toEqual(["x", "1", "2", "3"])
  })

  test("N3 an id is not given again after its removal", () => {
    expect(idsOf(apply(planOf("A", "B"), [removed("2"), added("2"), added("")]).plan)).toEqual(["1", "3", "4"])
  })

  test("N3 only a todo that is restored gets its old id back", () => {
    const restoring: PlanEvent = { type: "todo-added", todo: todo("2"), restores: true }
    expect(idsOf(apply(planOf("A", "B"), [removed("2"), restoring]).plan)).toEqual(["1", "2"])
    expect(idsOf(apply(planOf("A", "B"), [removed("2"), restoring, restoring]).plan)).toEqual(["1", "2"])
  })

  test("N2 huge numeric ids leave room for more", () => {
    const huge = planOf({ id: "999999999999999" }, { id: "1000000000000000" }, { id: "9".repeat(400) })
    const { plan } = apply(huge, [added(""), added(""), added("1000000000000001")])
    expect(idsOf(plan).slice(3)).toEqual(["1000000000000001", "1000000000000002", "1000000000000003"])
  })

  test("N2 property names that every object has are ids like any other", () => {
    const { plan } = apply(emptyPlan, [
      added("constructor"),
      added("__proto__"),
      changed("__proto__", { notes: ["n"] }),
    ])
    expect(plan.todos).toEqual([todo("constructor"), todo("__proto__", { notes: ["n"] })])
  })
})

describe("changes", () => {
  test("N2 hostile keys reach neither the todo nor its prototype", () => {
    const to = JSON.parse('{"__proto__":{"phase":"Evil"},"constructor":1,"id":"9","status":"completed"}') as TodoPatch
    const { plan, events } = apply(planOf("A"), [changed("1", to)])
    expect(plan.todos).toEqual([{ id: "1", content: "A", status: "completed" }])
    expect(Object.getPrototypeOf(plan.todos[0])).toBe(Object.prototype)
    expect(plan.todos[0]?.phase).toBeUndefined()
    expect(events).toEqual([changed("1", { status: "completed" }, { status: "pending" })])
  })

  test("N2 the text and the status cannot be removed", () => {
    const before = planOf("A")
    expect(apply(before, [changed("1", { content: null, status: null })])).toEqual({ plan: before, events: [] })
  })

  test("N5 null removes an optional field and the effect has its old value", () => {
    const { plan, events } = apply(planOf({ reason: "no key", waitsFor: "Ann" }), [
      changed("1", { reason: null, waitsFor: null, owner: null }),
    ])
    expect(plan.todos[0]).toEqual({ id: "1", content: "Todo 1", status: "pending" })
    expect(events).toEqual([changed("1", { reason: null, waitsFor: null }, { reason: "no key", waitsFor: "Ann" })])
  })

  test("O9 notes added by two writers who saw the same list both stay", () => {
    const before = planOf({ notes: ["first"] })
    const first = changed("1", { notes: ["first", "mine"] }, { notes: ["first"] })
    const second = changed("1", { notes: ["first", "yours"] }, { notes: ["first"] })
    expect(apply(before, [first, second]).plan.todos[0]?.notes).toEqual(["first", "mine", "yours"])
  })

  test("O9 plans and events that were returned keep their notes when others are added", () => {
    const step = applyInTurn(planOf({ notes: ["first"] }))
    const note = (text: string): PlanEvent => changed("1", { notes: [text] }, { notes: null })
    const given = [step([note("a"), note("b"), note("c")]), step([note("d"), note("e"), removed("1")])]
    const before = structuredClone(given)
    const [gone] = given[1]?.events.slice(-1) ?? []
    expect(gone).toMatchObject({ type: "todo-removed", todo: { notes: ["first", "a", "b", "c", "d", "e"] } })
    const back =
      gone?.type === "todo-removed" ? [{ type: "todo-added" as const, todo: gone.todo, restores: true as const }] : []
    const { plan } = step([...back, note("f"), note("g"), note("h")])
    expect(plan.todos[0]?.notes).toEqual(["first", "a", "b", "c", "d", "e", "f", "g", "h"])
    expect(given).toEqual(before)
  })

  test("a phase is in use until its last todo has left it, in any way", () => {
    const start = planOf({ phase: "A" }, { phase: "A" }, { phase: "A" })
    const emptying = [changed("1", { phase: "B" }), removed("2"), changed("3", { phase: null })]
    const gone: PlanEvent = { type: "phase-removed", name: "A" }
    for (const [index] of emptying.entries())
      expect(apply(start, [...emptying.slice(0, index), gone]).plan.phases).toContain("A")
    expect(apply(start, [...emptying, gone]).plan.phases).toEqual(["B"])
  })

  test("O9 rewritten notes replace the existing ones", () => {
    const rewrite = changed("1", { notes: ["better"] }, { notes: ["first"] })
    expect(apply(planOf({ notes: ["first"] }), [rewrite]).plan.todos[0]?.notes).toEqual(["better"])
  })
})

describe("removing and clearing", () => {
  test("N8 a removal has the todo and its place", () => {
    const { events } = apply(planOf("A", { content: "B", notes: ["n"] }), [removed("2")])
    expect(events).toEqual([
      { type: "todo-removed", todo: { id: "2", content: "B", status: "pending", notes: ["n"] }, was: "1" },
    ])
  })

  test("O3 a phase stays when its last todo is removed, and is removed only when it is empty", () => {
    const before = planOf({ phase: "Build" })
    expect(apply(before, [removed("1")]).plan.phases).toEqual(["Build"])
    expect(apply(before, [{ type: "phase-removed", name: "Build" }]).plan).toBe(before)
    expect(apply(before, [removed("1"), { type: "phase-removed", name: "Build" }]).plan.phases).toEqual([])
  })

  test("C3 clearing removes the named todos, in the order of the list", () => {
    const before = planOf("A", { phase: "Build" }, "C")
    const { plan, events } = apply(before, [
      { type: "plan-cleared", todos: before.todos.toReversed(), phases: ["Build"] },
    ])
    expect(plan).toEqual({ todos: [], phases: [], revision: 1 })
    expect(events).toEqual([{ type: "plan-cleared", todos: before.todos, phases: ["Build"] }])
  })

  test("C3 a todo that another writer added in the meantime survives clearing, with its phase", () => {
    const before = planOf({ phase: "Build" }, { phase: "Build" }, "C")
    const { plan, events } = apply(before, [{ type: "plan-cleared", todos: [todo("1"), todo("3")], phases: ["Build"] }])
    expect([idsOf(plan), plan.phases]).toEqual([["2"], ["Build"]])
    expect(events.map(({ type }) => type)).toEqual(["todo-removed", "todo-removed"])
  })

  test("O3 clearing without phases leaves them, empty", () => {
    const before = planOf({ phase: "Build" })
    expect(apply(before, [{ type: "plan-cleared", todos: [todo("1")] }]).plan).toMatchObject({
      todos: [],
      phases: ["Build"],
    })
  })
})

describe("places and phases", () => {
  const before = planOf({ phase: "Find" }, { phase: "Find" }, { phase: "Build" }, {})

  test("O1 a todo with a phase goes after the last of its phase, others to the end", () => {
    const { plan } = apply(before, [added("5", { phase: "Find" }), added("6"), added("7", { phase: "Ship" })])
    expect(idsOf(plan)).toEqual(["1", "2", "5", "3", "4", "6", "7"])
    expect(plan.phases).toEqual(["Find", "Build", "Ship"])
  })

  test("O1 a todo moved without a place goes to the end of its phase", () => {
    expect(idsOf(apply(before, [{ type: "todo-moved", id: "1" }]).plan)).toEqual(["2", "1", "3", "4"])
    expect(apply(before, [{ type: "todo-moved", id: "2" }]).plan).toBe(before)
  })

  test("O1 a phase that comes with a todo is a separate effect", () => {
    const types = (event: PlanEvent): string[] => apply(before, [event]).events.map(({ type }) => type)
    expect(types(added("5", { phase: "Ship" }))).toEqual(["phase-added", "todo-added"])
    expect(types(changed("4", { phase: "Ship" }))).toEqual(["phase-added", "todo-changed"])
    expect(types(changed("4", { phase: "Find" }))).toEqual(["todo-changed"])
  })

  test("N2 a blank phase is none", () => {
    const { plan } = apply(before, [
      added("5", { phase: "" }),
      changed("3", { phase: "" }),
      { type: "phase-added", name: "" },
    ])
    expect(plan.todos.map(({ phase }) => phase)).toEqual(["Find", "Find", undefined, undefined, undefined])
    expect(plan.phases).toEqual(["Find", "Build"])
  })

  const moves: [name: string, event: { name: string; after?: string }, phases: string[]][] = [
    ["without a place a known phase stays", { name: "Find" }, ["Find", "Build"]],
    ["a phase is moved to the start", { name: "Build", after: "" }, ["Build", "Find"]],
    ["a phase is moved behind another", { name: "Find", after: "Build" }, ["Build", "Find"]],
    ["behind an unknown one a known phase stays", { name: "Find", after: "Nowhere" }, ["Find", "Build"]],
    ["behind itself a phase stays", { name: "Find", after: "Find" }, ["Find", "Build"]],
    [
      "behind an unknown one a new phase goes to the end",
      { name: "Ship", after: "Nowhere" },
      ["Find", "Build", "Ship"],
    ],
    ["a new phase goes where it is told", { name: "Ship", after: "Find" }, ["Find", "Ship", "Build"]],
  ]
  test.each(moves)("O1 %s", (_name, event, phases) => {
    const { plan } = apply(before, [{ type: "phase-added", ...event }])
    expect(plan.phases).toEqual(phases)
    expect(plan.revision).toBe(phases.join() === before.phases.join() ? 0 : 1)
  })
})

describe("settling", () => {
  const both = { oneActive: true, autoStart: true }

  test("O6 only the first in progress stays, by phase and not by place", () => {
    const before: Plan = {
      ...planOf({ phase: "Build", status: "in_progress" }, { phase: "Find", status: "in_progress" }, { phase: "Find" }),
      phases: ["Find", "Build"],
    }
    expect(statusesOf(apply(before, [], both).plan)).toEqual(["pending", "in_progress", "pending"])
  })

  test("O6 with none in progress the first pending one starts, by phase and not by place", () => {
    const before: Plan = {
      ...planOf({ phase: "Build" }, { phase: "Find", status: "completed" }, { phase: "Find" }),
      phases: ["Find", "Build"],
    }
    expect(statusesOf(apply(before, [], both).plan)).toEqual(["pending", "completed", "in_progress"])
  })

  test("O6 todos without a phase come first", () => {
    expect(statusesOf(apply(planOf({ phase: "Find" }, {}), [], both).plan)).toEqual(["pending", "in_progress"])
  })

  test("O6 blocked and finished todos are not started", () => {
    const before = planOf({ status: "blocked" }, { status: "cancelled" }, { status: "completed" })
    expect(apply(before, [], both)).toEqual({ plan: before, events: [] })
  })

  test("O6 a settled plan of any origin has at most one todo in progress, and one while any is pending", () => {
    fc.assert(
      fc.property(planArbitrary, eventsArbitrary, (before, events) => {
        const { plan } = apply(before, events, both)
        const active = plan.todos.filter(({ status }) => status === "in_progress").length
        const isOpen = plan.todos.some(({ status }) => status === "pending" || status === "in_progress")
        expect(active).toBe(isOpen ? 1 : 0)
      }),
    )
  })

  test("N2 without a rule nothing is settled", () => {
    const before = planOf({ status: "in_progress" }, { status: "in_progress" })
    expect(apply(before, [], {}).plan).toBe(before)
  })
})

describe("scale", () => {
  const count = 30_000

  test("C4 a list of 30,000 todos is applied, changed and cleared", () => {
    const events = Array.from({ length: count }, (_, index) => added(String(index + 1)))
    const full = apply(emptyPlan, events).plan
    expect([full.todos.length, full.todos.at(-1)?.id]).toEqual([count, String(count)])
    const done = apply(
      full,
      full.todos.map(({ id }) => changed(id, { status: "completed" })),
    )
    expect(done.events.length).toBe(count)
    expect(apply(full, [{ type: "plan-cleared", todos: [...full.todos] }]).plan.todos).toEqual([])
  })

  test("C4 30,000 todos in as many phases are applied and cleared", () => {
    const events = Array.from({ length: count }, (_, index) => added("", { phase: `Phase ${index}` }))
    const full = apply(emptyPlan, events).plan
    expect([full.todos.length, full.phases.length]).toEqual([count, count])
    const { plan } = apply(full, [{ type: "plan-cleared", todos: [...full.todos], phases: [...full.phases] }])
    expect([plan.todos.length, plan.phases.length]).toEqual([0, 0])
  })
})
