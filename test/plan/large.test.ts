/** Plans far larger than anybody's, and texts made to be compared: the work stays in proportion. */
import { expect, test } from "vitest"
import { apply } from "../../src/plan/apply.ts"
import type { Entry, PlanEvent } from "../../src/plan/event.ts"
import { createFold, fold } from "../../src/plan/fold.ts"
import { diff, nearest } from "../../src/plan/list/diff.ts"
import type { Wanted } from "../../src/plan/list/match.ts"
import { inverse } from "../../src/plan/log/undo.ts"
import { todoById } from "../../src/plan/lookup.ts"
import { sanitise, sanitisePrinted } from "../../src/plan/text/sanitise.ts"
import { normalise, similarity } from "../../src/plan/text/wording.ts"
import { emptyPlan, type Plan, type Todo } from "../../src/plan/todo.ts"

const many = (count: number, todo: (index: number) => Partial<Todo>): Plan => ({
  ...emptyPlan,
  todos: Array.from({ length: count }, (_, index) => ({
    id: String(index + 1),
    content: `Todo ${index}`,
    status: "pending",
    ...todo(index),
  })),
})

const long = "Move every part of it to the new place ".repeat(10)

test("100,000 equal texts pair in order", () => {
  const plan = many(100_000, () => ({ content: "Same" }))
  const { events, ids } = diff(
    plan,
    plan.todos.map(({ content }) => ({ content, status: "completed" as const })),
  )
  expect(events).toHaveLength(100_000)
  expect(ids.at(-1)).toBe("100000")
})

test("5,000 long texts that were all reworded become a list of them", () => {
  const plan = many(5_000, (index) => ({ content: `${index} ${long} before` }))
  const wanted = plan.todos.map(({ content }) => ({ content: content.replace("before", "after all") }))
  const next = apply(plan, diff(plan, wanted).events).plan
  expect(next.todos.map(({ content }) => content)).toEqual(wanted.map(({ content }) => content))
})

test("20,000 todos in reverse are moved", () => {
  const plan = many(20_000, () => ({}))
  const next = apply(
    plan,
    diff(
      plan,
      plan.todos.toReversed().map(({ content }) => ({ content })),
    ).events,
  ).plan
  expect(next.todos.at(0)?.id).toBe("20000")
})

test("new todos of a phase go after its last one, however many come after that", () => {
  const half = 30_000
  const plan = { ...many(2 * half, (index) => ({ phase: index < half ? "One" : "Two" })), phases: ["One", "Two"] }
  const wanted = Array.from({ length: half }, (_, index): Wanted => ({ content: `New ${index}`, phase: "One" }))
  const next = apply(plan, diff(plan, wanted, { mode: "patch" }).events).plan
  expect(next.todos[half]?.content).toBe("New 0")
  expect(next.todos[2 * half]?.phase).toBe("Two")
})

test("50,000 phases in reverse are moved, each with one event", () => {
  const phases = Array.from({ length: 50_000 }, (_, index) => `Phase ${index}`)
  const { events } = diff({ ...emptyPlan, phases }, [], { phases: phases.toReversed() })
  expect(events).toHaveLength(49_999)
})

test("blockers that all lead through each other are followed up to a limit, and then refused", () => {
  const count = 20_000
  const chain = many(count, (index) => (index === 0 ? {} : { blockedBy: [String(index)] }))
  const wanted = chain.todos.map(({ id, blockedBy = [] }): Wanted => ({ id, blockedBy: [...blockedBy, String(count)] }))
  const { problems, events } = diff(chain, wanted, { mode: "patch" })
  expect(problems).toHaveLength(count)
  expect(problems.every(({ code }) => code === "blocker-cycle")).toBe(true)
  expect(events).toEqual([])
})

test("a hint compares only some todos", () => {
  const plan = many(200_000, (index) => ({ content: `${index} ${long}` }))
  expect(nearest(plan, `0 ${long}`)[0]?.id).toBe("1")
})

test("a million marks on one letter are compared by the first of them", () => {
  const marks = (count: number): string => `a${"\u0301".repeat(count)}${"\u0316".repeat(count)}`
  expect(normalise(marks(500_000)).length).toBeLessThan(100)
  expect(normalise(`e\u0301`)).toBe("é")
  expect(similarity(marks(500_000), marks(400_000))).toBe(1)
})

test("two million characters of words are cleaned", () => {
  const words = "a ".repeat(1_000_000)
  expect(sanitise(words)).toBe(words.trim())
})

test("a million carriage returns before a letter print that letter", () => {
  expect(sanitisePrinted(`${"\r".repeat(1_000_000)}x`)).toBe("x")
})

const logOf = (count: number, phases: number, next: (index: number) => Partial<Entry>): Entry[] => {
  const { todos } = many(count, (index) => ({ phase: `Phase ${index % phases}`, status: "pending" }))
  const entry = (id: string, part: Partial<Entry>): Entry => ({
    v: 1,
    id,
    at: "2030-01-01T00:00:00.000Z",
    by: { kind: "agent", id: "main" },
    events: [],
    ...part,
  })
  const first = entry("first", { events: todos.map((todo) => ({ type: "todo-added", todo })) })
  return [first, ...todos.map((_, index) => entry(String(index), next(index)))]
}

test("5,000 todos that are started one after the other as each is done fold in time", () => {
  const log = logOf(5_000, 7, (index) => ({
    settle: { oneActive: true, autoStart: true },
    events: [{ type: "todo-changed", id: String(index + 1), from: {}, to: { status: "completed" } }],
  }))
  expect(fold(log).plan.todos.filter(({ status }) => status === "completed")).toHaveLength(5_000)
})

test("20,000 returns of a plan in which nothing changed, and as many clearings of nothing, fold in time", () => {
  const log = logOf(20_000, 1, () => ({
    events: [
      { type: "plan-restored", context: "resume" },
      { type: "plan-cleared", todos: [{ id: "gone", content: "Gone", status: "pending" }] },
    ],
  }))
  expect(fold(log).plan.todos).toHaveLength(20_000)
})

test("8,000 notes on one todo in one entry fold in little memory, and can all be taken back", () => {
  const [first, ...rest] = logOf(8_000, 1, (index) => ({
    events: [{ type: "todo-changed", id: "1", from: { notes: null }, to: { notes: [`Note ${index}`] } }],
  }))
  const state = createFold()
  if (first) state.add(first)
  const noted = state.add({ ...first, id: "notes", events: rest.flatMap(({ events }) => events) } as Entry)
  expect(todoById(state.plan, "1")?.notes).toHaveLength(8_000)
  expect(JSON.stringify(noted).length).toBeLessThan(2_000_000)
  state.add({ ...first, id: "undo", events: inverse(noted) } as Entry)
  expect(todoById(state.plan, "1")?.notes).toBeUndefined()
})

test("100,000 notes on one todo, one at a time, fold in time", () => {
  const notes = Array.from({ length: 100_000 }, (_, index) => `Note ${index}`)
  const events = notes.map(
    (note): PlanEvent => ({
      type: "todo-changed",
      id: "1",
      from: { notes: null },
      to: { notes: [note] },
    }),
  )
  expect(
    apply(
      many(1, () => ({})),
      events,
    ).plan.todos[0]?.notes,
  ).toEqual(notes)
})

test("100,000 phases and as many todos are added, moved to the front and removed", () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `Phase ${index}`)
  const plan = many(100_000, () => ({}))
  const added = apply(
    plan,
    names.map((name): PlanEvent => ({ type: "phase-added", name })),
  )
  expect(added.plan.phases).toEqual(names)
  const moved = apply(
    added.plan,
    names.map((name): PlanEvent => ({ type: "phase-added", name, after: "" })),
  )
  expect(moved.plan.phases).toEqual(names.toReversed())
  const gone = apply(
    moved.plan,
    names.map((name): PlanEvent => ({ type: "phase-removed", name })),
  )
  expect(gone.plan.phases).toEqual([])
})
