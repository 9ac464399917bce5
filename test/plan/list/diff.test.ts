/** A list turned into events leads exactly there, and keeps what it still means. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { apply } from "../../../src/plan/apply.ts"
import type { PlanEvent } from "../../../src/plan/event.ts"
import { type Difference, type DiffOptions, diff, nearest } from "../../../src/plan/list/diff.ts"
import type { Wanted } from "../../../src/plan/list/match.ts"
import { emptyPlan, isFinished, type Plan } from "../../../src/plan/todo.ts"
import { rounds } from "../../rounds.ts"
import { deepFreeze, phaseNames, planArbitrary, planOf, wantedArbitrary } from "../arbitraries.ts"

const reach = (plan: Plan, wanted: readonly Wanted[], options: DiffOptions = {}): Difference & { plan: Plan } => {
  const difference = diff(plan, wanted, options)
  return { ...difference, plan: apply(plan, difference.events).plan }
}
const wantedOf = (...contents: string[]): Wanted[] => contents.map((content) => ({ content }))
const idsOf = ({ todos }: Plan): string[] => todos.map(({ id }) => id)
const linesOf = ({ todos }: Plan): string[] => todos.map(({ id, content }) => `${id} ${content}`)
const codesOf = ({ problems }: Difference): string[] => problems.map(({ code }) => code)
const movesIn = ({ events }: Difference): PlanEvent[] => events.filter(({ type }) => type === "todo-moved")

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)

describe("diff then apply", () => {
  test("C2 reaches any list from any list: texts, statuses, order and the fields given", () => {
    fc.assert(
      fc.property(planArbitrary, wantedArbitrary, fc.boolean(), (before, wanted, modelIds) => {
        const { plan, ids } = reach(deepFreeze(before), deepFreeze(wanted), { modelIds })
        expect(plan.todos.length).toBe(wanted.length)
        for (const [index, { id: _, blockedBy: __, extra, ...fields }] of wanted.entries()) {
          const given = Object.entries(fields).filter(
            ([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0),
          )
          expect(plan.todos[index]).toMatchObject({ ...Object.fromEntries(given), ...(extra ? { extra } : {}) })
          expect(ids[index]).toBe(plan.todos[index]?.id)
        }
      }),
      { numRuns: rounds(300) },
    )
  })

  test("O3 reaches the phases given, in their order", () => {
    const phasesArbitrary = fc.shuffledSubarray(phaseNames)
    fc.assert(
      fc.property(planArbitrary, wantedArbitrary, phasesArbitrary, (before, wanted, phases) => {
        const items = wanted.map(({ phase: _, ...item }, index): Wanted => {
          const phase = phases[index % Math.max(phases.length, 1)]
          return phase === undefined ? item : { ...item, phase }
        })
        const bare: Plan = { ...before, todos: before.todos.map(({ phase: _, ...todo }) => todo) }
        expect(reach(bare, items, { phases }).plan.phases).toEqual(phases)
      }),
      { numRuns: rounds(200) },
    )
  })

  test("N2 the same list again changes nothing", () => {
    fc.assert(
      fc.property(wantedArbitrary, (wanted) => {
        const { plan } = reach(emptyPlan, wanted)
        expect(diff(plan, plan.todos).events).toEqual([])
        expect(diff(plan, plan.todos, { phases: plan.phases }).events).toEqual([])
      }),
      { numRuns: rounds(300) },
    )
  })

  test("N3 a todo with the same text keeps its id under any shuffle", () => {
    const arbitrary = fc
      .uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 12 })
      .chain((texts) => fc.tuple(fc.constant(planOf(...texts)), fc.shuffledSubarray(texts)))
    fc.assert(
      fc.property(arbitrary, ([before, texts]) => {
        const idOf = new Map(before.todos.map(({ id, content }) => [content, id]))
        expect(idsOf(reach(before, wantedOf(...texts)).plan)).toEqual(texts.map((text) => idOf.get(text)))
      }),
    )
  })

  test("N3 moves no more todos than have to move", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(numbers(9), { minLength: 9 }), (order) => {
        const before = planOf(...numbers(9).map((number) => `T${number}`))
        const wanted = wantedOf(...order.map((number) => `T${number}`))
        expect(movesIn(diff(before, wanted)).length).toBe(9 - longestRise(order))
      }),
    )
  })

  test("N3 one todo brought to the front is one move", () => {
    const { events } = diff(planOf("A", "B", "C", "D"), wantedOf("D", "A", "B", "C"))
    expect(events).toEqual([{ type: "todo-moved", id: "4", after: "" }])
  })
})

/** The plain quadratic way, as a yardstick. */
const longestRise = (order: readonly number[]): number => {
  const lengths: number[] = []
  for (const [index, number] of order.entries()) {
    const before = lengths.filter((_, earlier) => (order[earlier] ?? 0) < number)
    lengths[index] = 1 + Math.max(0, ...before)
  }
  return Math.max(0, ...lengths)
}

describe("matching todos", () => {
  const noted = planOf(
    { content: "Fix the login bug", notes: ["seen on Safari"] },
    { content: "Write tests for the parser", notes: ["three cases"] },
    { content: "Update the changelog" },
  )
  const cases: [name: string, wanted: Wanted[], expected: string[]][] = [
    [
      "reordered todos keep their ids",
      wantedOf("Update the changelog", "Fix the login bug", "Write tests for the parser"),
      ["3 Update the changelog", "1 Fix the login bug", "2 Write tests for the parser"],
    ],
    [
      "another case and final punctuation are the same todo",
      wantedOf("fix the LOGIN bug.", "Write tests for the parser", "Update the changelog!"),
      ["1 fix the LOGIN bug.", "2 Write tests for the parser", "3 Update the changelog!"],
    ],
    [
      "a reworded todo keeps its id",
      wantedOf("Fix the login bug on Safari", "Write more tests for the parser", "Update the changelog"),
      ["1 Fix the login bug on Safari", "2 Write more tests for the parser", "3 Update the changelog"],
    ],
    [
      "reworded and reordered at once",
      wantedOf("Write more tests for the parser", "Fix the login bug on Safari"),
      ["2 Write more tests for the parser", "1 Fix the login bug on Safari"],
    ],
    [
      "something else is new",
      wantedOf("Deploy to production", "Fix the login bug"),
      ["4 Deploy to production", "1 Fix the login bug"],
    ],
    [
      "renumbered ids do not matter where the text is known",
      [
        { id: "1", content: "Update the changelog" },
        { id: "2", content: "Fix the login bug" },
        { id: "3", content: "Write tests for the parser" },
      ],
      ["3 Update the changelog", "1 Fix the login bug", "2 Write tests for the parser"],
    ],
    [
      "an id names a todo that is reworded beyond likeness in half",
      [{ id: "2", content: "Write parser fuzzing" }],
      ["2 Write parser fuzzing"],
    ],
    ["an id on a text that has nothing in common is not believed", [{ id: "1", content: "Ask Zoë" }], ["4 Ask Zoë"]],
  ]
  test.each(cases)("N3 %s", (_name, wanted, expected) => {
    const { plan } = reach(noted, wanted)
    expect(linesOf(plan)).toEqual(expected)
    for (const { id, notes } of plan.todos) {
      expect(notes).toEqual(noted.todos.find((todo) => todo.id === id)?.notes)
    }
  })

  test("N3 equal texts match in order", () => {
    const before = planOf("Run tests", "Fix", "Run tests")
    expect(idsOf(reach(before, wantedOf("Run tests", "Run tests", "Fix")).plan)).toEqual(["1", "3", "2"])
    expect(idsOf(reach(before, wantedOf("Run tests", "Run tests", "Run tests")).plan)).toEqual(["1", "3", "4"])
  })

  test("W1 an id decides between equal texts", () => {
    const before = planOf("Run tests", "Run tests")
    const wanted: Wanted[] = [{ id: "2", content: "Run tests" }, { content: "Run tests" }]
    expect(idsOf(reach(before, wanted).plan)).toEqual(["2", "1"])
  })

  test("N3 texts of punctuation alone are not all the same", () => {
    expect(linesOf(reach(planOf("!!!", "???"), wantedOf("???")).plan)).toEqual(["2 ???"])
  })

  test("N3 similarity never reopens a finished todo", () => {
    for (const status of ["completed", "cancelled"] as const) {
      const before = planOf({ content: "Write tests for the parser", status })
      const { plan } = reach(before, [{ content: "Write tests for the printer", status: "pending" }])
      expect(linesOf(plan)).toEqual(["2 Write tests for the printer"])
    }
  })

  test("N3 similarity never matches a finished todo with an unfinished one, in any lists", () => {
    const before = planOf(
      ...numbers(6).map((number) => ({ content: `Port module ${number}`, status: "completed" as const })),
    )
    const texts = fc.array(fc.nat(20).map((number) => `Port module x${number}`))
    fc.assert(
      fc.property(texts, (contents) => {
        const { ids } = diff(before, wantedOf(...contents))
        expect(ids.filter((id) => idsOf(before).includes(id ?? ""))).toEqual([])
      }),
    )
  })

  test("W1 the model's own ids name todos before ours", () => {
    const before = planOf({ content: "A", extra: { nativeId: "2" } }, { content: "B", extra: { nativeId: "1" } })
    const wanted: Wanted[] = [{ id: "1", status: "completed" }]
    const doneIn = (modelIds: boolean): string[] =>
      reach(before, wanted, { mode: "patch", modelIds }).plan.todos.flatMap(({ status, content }) =>
        isFinished(status) ? [content] : [],
      )
    expect([doneIn(true), doneIn(false)]).toEqual([["B"], ["A"]])
  })

  test("N5 leaving a status removes its reason", () => {
    const before = planOf({ content: "Ask", status: "blocked", reason: "no answer", waitsFor: "Ann" })
    expect(reach(before, [{ content: "Ask", status: "completed" }]).plan.todos).toEqual([
      { id: "1", content: "Ask", status: "completed" },
    ])
  })

  test("W2 an active form is dropped with its wording", () => {
    const before = planOf({ content: "Run all tests", activeForm: "Running all tests" })
    expect(reach(before, wantedOf("Run all unit tests")).plan.todos[0]).toEqual({
      id: "1",
      content: "Run all unit tests",
      status: "pending",
    })
  })
})

describe("a todo that a call does not mention", () => {
  const before = planOf("A first thing", { content: "Second matter", status: "completed" }, "Last point")

  test("N2 stays as it is after a patch", () => {
    const { plan, kept } = reach(before, [{ id: "3", status: "in_progress" }, { content: "Brand new" }], {
      mode: "patch",
    })
    expect(linesOf(plan)).toEqual(["1 A first thing", "2 Second matter", "3 Last point", "4 Brand new"])
    expect(plan.todos.map(({ status }) => status)).toEqual(["pending", "completed", "in_progress", "pending"])
    expect(kept().map(({ id }) => id)).toEqual(["1"])
  })

  test("N2 is neither removed nor moved by a patch of any plan", () => {
    fc.assert(
      fc.property(planArbitrary, wantedArbitrary, (plan, wanted) => {
        const next = reach(plan, wanted, { mode: "patch" }).plan
        const old = new Set(idsOf(plan))
        expect(idsOf(next).filter((id) => old.has(id))).toEqual(idsOf(plan))
      }),
    )
  })

  test("O1 comes before the new todo that a patch adds to its phase", () => {
    const phased = planOf({ phase: "Find" }, { phase: "Build" })
    const { plan } = reach(phased, [{ content: "More to find", phase: "Find" }], { mode: "patch" })
    expect(idsOf(plan)).toEqual(["1", "3", "2"])
  })

  test("N3 stays in place when it is unfinished and the rules keep it", () => {
    const { plan, kept } = reach(before, wantedOf("Opening", "Last point", "Closing"), { keepUnfinished: true })
    expect(linesOf(plan)).toEqual(["1 A first thing", "4 Opening", "3 Last point", "5 Closing"])
    expect(kept().map(({ id }) => id)).toEqual(["1"])
  })

  test("C2 is removed by a replacement", () => {
    expect(idsOf(reach(before, wantedOf("Last point")).plan)).toEqual(["3"])
    expect(reach(before, []).plan.todos).toEqual([])
  })

  test("N2 an unknown id is a problem that names the known ones, and changes nothing", () => {
    for (const mode of ["patch", "replace"] as const) {
      const result = reach(before, [{ id: "99", status: "completed" }, { status: "completed" }], { mode })
      expect(result).toMatchObject({ plan: before, events: [], ids: [undefined, undefined] })
      expect(codesOf(result)).toEqual(["unknown-todo", "unknown-todo"])
      expect(result.problems[0]?.message).toContain('1 "A first thing"')
    }
    expect(diff(emptyPlan, [{ id: "1" }]).problems[0]?.message).toContain("the list is empty")
  })

  test("N2 a requested id is used when it is short and free", () => {
    const ask = (id: string): string[] => idsOf(reach(before, [{ id, content: "Brand new" }], { mode: "patch" }).plan)
    expect(ask("7")).toEqual(["1", "2", "3", "7"])
    for (const id of ["", "0", "x", "__proto__", "12345678"]) expect(ask(id)).toEqual(["1", "2", "3", "4"])
  })
})

describe("phases that come with todos", () => {
  test("O1 come in the order in which the list names them", () => {
    const wanted: Wanted[] = [
      { content: "New", phase: "One" },
      { content: "Old", phase: "Two" },
      { content: "Newer", phase: "Three" },
    ]
    expect(reach(planOf("Old"), wanted).plan.phases).toEqual(["One", "Two", "Three"])
  })

  test("O3 stay when a list without phases drops their todos", () => {
    expect(reach(planOf({ content: "A", phase: "Build" }), wantedOf("B")).plan.phases).toEqual(["Build"])
  })
})

describe("blockers", () => {
  const edgesOf = ({ todos }: Plan): Record<string, readonly string[]> =>
    Object.fromEntries(todos.flatMap(({ content, blockedBy }) => (blockedBy ? [[content, blockedBy]] : [])))

  test("N5 the model's ids become ours", () => {
    const wanted: Wanted[] = [
      { id: "x", content: "Deploy it", blockedBy: ["y", "y", "old"], extra: { nativeId: "x" } },
      { id: "y", content: "Compile all", extra: { nativeId: "y" } },
      { content: "Plan ahead", blockedBy: [] },
    ]
    const before = planOf({ content: "Plan ahead", extra: { nativeId: "old" } })
    const { plan, problems } = reach(before, wanted, { modelIds: true })
    expect(edgesOf(plan)).toEqual({ "Deploy it": ["3", "1"] })
    expect(problems).toEqual([])
  })

  test("W1 an id that is ours and another's own is read as the dialect declares", () => {
    const before = planOf({ content: "A", extra: { nativeId: "2" } }, { content: "B", extra: { nativeId: "1" } })
    const wanted: Wanted[] = [{ content: "Something new", blockedBy: ["1"] }]
    const blockersIn = (modelIds: boolean): (readonly string[] | undefined)[] =>
      reach(before, wanted, { mode: "patch", modelIds }).plan.todos.map(({ blockedBy }) => blockedBy)
    expect(blockersIn(true)).toEqual([undefined, undefined, ["2"]])
    expect(blockersIn(false)).toEqual([undefined, undefined, ["1"]])
  })

  test("N5 unknown, self and circular edges are dropped with a warning each", () => {
    const wanted: Wanted[] = [
      { id: "1", content: "A", blockedBy: ["1"] },
      { id: "2", content: "B", blockedBy: ["nowhere", "3"] },
      { id: "3", content: "C", blockedBy: ["4"] },
      { id: "4", content: "D", blockedBy: ["1", "2"] },
    ]
    const result = reach(emptyPlan, wanted)
    expect(edgesOf(result.plan)).toEqual({ B: ["3"], C: ["4"], D: ["1"] })
    expect(codesOf(result)).toEqual(["unknown-blocker", "blocker-cycle", "blocker-cycle"])
    expect(result.problems.map(({ severity }) => severity)).toEqual(["warning", "warning", "warning"])
  })

  test("N5 a todo that the list leaves out cannot be a blocker", () => {
    const result = reach(planOf("Gone soon", "Stays here"), [{ content: "Stays here", blockedBy: ["1"] }])
    expect([edgesOf(result.plan), codesOf(result)]).toEqual([{}, ["unknown-blocker"]])
  })

  test("N5 a call can reverse an edge", () => {
    const before = planOf("A", { content: "B", blockedBy: ["1"] })
    const wanted: Wanted[] = [
      { id: "1", content: "A", blockedBy: ["2"] },
      { id: "2", content: "B", blockedBy: [] },
    ]
    const result = reach(before, wanted)
    expect([edgesOf(result.plan), codesOf(result)]).toEqual([{ A: ["2"] }, []])
  })

  test("N5 no list makes todos wait for each other or for missing ones", () => {
    const arbitrary = fc.array(fc.array(fc.nat(7), { maxLength: 4 }), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(arbitrary, arbitrary, (first, second) => {
        const wanted = (lists: number[][]): Wanted[] =>
          lists.map((blockers, index) => ({
            id: `n${index}`,
            content: `T${index}`,
            blockedBy: blockers.map((n) => `n${n}`),
          }))
        const once = reach(emptyPlan, wanted(first)).plan
        const { todos } = reach(once, wanted(second)).plan
        const done = new Set<string>()
        for (const _ of todos) {
          for (const { id, blockedBy = [] } of todos) if (blockedBy.every((blocker) => done.has(blocker))) done.add(id)
        }
        expect(done.size).toBe(todos.length)
      }),
      { numRuns: rounds(200) },
    )
  })

  test("N3 edges between new todos follow them to other ids when the proposed ones are taken in the meantime", () => {
    const wanted: Wanted[] = [
      { id: "a", content: "Deploy", blockedBy: ["b"] },
      { id: "b", content: "Build", blockedBy: ["c"] },
      { id: "c", content: "Known", blockedBy: [] },
      { id: "d", content: "Old one", blockedBy: ["a"] },
    ]
    const { events } = diff(planOf("Old one"), wanted)
    const meanwhile = apply(planOf("Old one"), [
      { type: "todo-added", todo: { id: "2", content: "Theirs", status: "pending" } },
      { type: "todo-added", todo: { id: "3", content: "Theirs too", status: "pending" } },
    ]).plan
    const { todos } = apply(meanwhile, events).plan
    const textOf = new Map(todos.map(({ id, content }) => [id, content]))
    const edges = todos.map(({ content, blockedBy = [] }) => [content, ...blockedBy.map((id) => textOf.get(id))])
    expect(edges.filter(([, blocker]) => blocker)).toEqual([
      ["Deploy", "Build"],
      ["Build", "Known"],
      ["Old one", "Deploy"],
    ])
  })
})

describe("nearest", () => {
  test("N2 the most similar todos come first, and a text unlike any finds nothing", () => {
    const plan = planOf("Run the tests", "Write docs", "Run the linter")
    expect(nearest(plan, "run tests").map(({ id }) => id)).toEqual(["1", "3"])
    expect(nearest(plan, "zzz")).toEqual([])
  })
})

describe("scale", () => {
  test("C4 10,000 todos are shuffled, reworded, dropped and extended in one call", () => {
    const before = planOf(...numbers(10_000).map((number) => `Todo number ${number} of many`))
    const wanted = numbers(10_000).map((number): Wanted => {
      const other = (number * 7919) % 10_000
      return { content: other % 5 === 0 ? `Quite another thing, ${other}` : `Todo number ${other} of many` }
    })
    const { plan } = reach(before, wanted)
    expect(plan.todos.map(({ content }) => content)).toEqual(wanted.map(({ content }) => content))
    expect(new Set(idsOf(plan)).size).toBe(10_000)
  })

  test("C4 10,000 equal texts with ids pair by id", () => {
    const before = planOf(...numbers(10_000).map(() => "Same"))
    const wanted = before.todos.toReversed().map(({ id, content }): Wanted => ({ id, content }))
    expect(idsOf(reach(before, wanted).plan)).toEqual(wanted.map(({ id }) => id))
  })

  test("C4 100,000 unmentioned todos stay in one call that keeps them", () => {
    const before = planOf(...numbers(100_000).map((number) => `T${number}`))
    const { plan } = reach(before, wantedOf("Something completely different"), { keepUnfinished: true })
    expect([plan.todos.length, plan.todos[0]?.content]).toEqual([100_001, "T1"])
  })

  test("N5 a chain of 5,000 blockers is kept, in either direction and again", () => {
    const chain = (step: number): Wanted[] =>
      numbers(5_000).map((number) => ({
        id: String(number),
        content: `T${number}`,
        blockedBy: [String(number + step)].filter((id) => id !== "0" && id !== "5001"),
      }))
    for (const step of [-1, 1]) {
      const result = reach(emptyPlan, chain(step))
      expect(codesOf(result)).toEqual([])
      expect(result.plan.todos.filter(({ blockedBy }) => blockedBy?.length === 1).length).toBe(4_999)
      const closing: Wanted[] = [{ id: step < 0 ? "1" : "5000", blockedBy: [step < 0 ? "5000" : "1"] }]
      expect(codesOf(reach(result.plan, closing, { mode: "patch" }))).toEqual(["blocker-cycle"])
      expect(diff(result.plan, chain(step)).events).toEqual([])
    }
  })

  test("N2 long texts of punctuation alone are compared quickly", () => {
    const texts = numbers(50).map((number) => `${"!".repeat(20_000)}${number}`)
    const { plan } = reach(planOf(...texts), wantedOf(...texts.map((text) => `${text} more`)))
    expect(plan.todos.length).toBe(50)
  })
})
