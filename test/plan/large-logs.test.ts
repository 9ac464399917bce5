/** A log may be written by anything, for as long as it likes: what is kept of it stays bounded. */
import { expect, test } from "vitest"
import { createFold, type Entry, fold, type PlanEvent, workingTodos } from "../../src/plan/index.ts"
import { inverse } from "../../src/plan/log/undo.ts"
import { nearIds } from "./near-ids.ts"

const entry = (number: number, events: PlanEvent[], part: Partial<Entry> = {}): Entry => ({
  v: 1,
  id: `e${number}`,
  at: "2030-01-01T00:00:00.000Z",
  by: { kind: "person", id: "ada" },
  events,
  ...part,
})

const added = (content: string, status: "pending" | "completed" = "pending"): PlanEvent => ({
  type: "todo-added",
  todo: { id: "", content, status },
})

test("a todo keeps all notes, however many come", () => {
  const state = createFold()
  state.add(entry(0, [added("Read")]))
  for (let number = 1; number <= 4_000; number += 1)
    state.add(entry(number, [{ type: "todo-changed", id: "1", from: {}, to: { notes: [`note ${number}`] } }]))
  const notes = state.plan.todos[0]?.notes ?? []
  expect(notes).toHaveLength(4_000)
  expect(notes[0]).toBe("note 1")
  expect(notes.at(-1)).toBe("note 4000")
})

test("a plan that comes back ten thousand times puts away what was finished, and no more", () => {
  const todos = Array.from({ length: 5_000 }, (_, index) => added(`Todo ${index}`, "completed"))
  const restored = Array.from({ length: 10_000 }, (_, index) =>
    entry(index + 1, [{ type: "plan-restored", context: "resume" }]),
  )
  const { plan, ledger } = fold([entry(0, todos), ...restored, entry(20_000, [added("Late", "completed")])])
  expect(workingTodos(plan, ledger).map(({ content }) => content)).toEqual(["Late"])
})

test("a thousand clearings of one todo each, in a plan of 40,000, leave the others", () => {
  const state = createFold()
  state.add(entry(0, [...Array(40_000)].fill(added("Read", "completed"))))
  for (let turn = 1; turn <= 1_000; turn += 1)
    state.add(entry(turn, [{ type: "plan-cleared", todos: [{ id: String(turn), content: "", status: "completed" }] }]))
  expect(state.plan.todos).toHaveLength(39_000)
  expect(state.plan.todos[0]?.id).toBe("1001")
})

test("a plan of 40,000 that comes back after each of a thousand changes puts away what was finished", () => {
  const state = createFold()
  state.add(entry(0, [...Array(40_000)].fill(added("Read", "completed"))))
  for (let turn = 1; turn <= 1_000; turn += 1) {
    const status = turn % 2 === 0 ? "completed" : "pending"
    const changed: PlanEvent = { type: "todo-changed", id: "1", from: {}, to: { status } }
    state.add(entry(turn, [changed, { type: "plan-restored", context: "resume" }]))
  }
  expect(state.ledger.behind.size).toBe(40_000)
  state.add(entry(1_001, [{ type: "todo-changed", id: "1", from: {}, to: { status: "pending" } }]))
  expect(state.ledger.behind.has("1")).toBe(false)
})

test("todos finished in the entry that brings a plan back, and after it, are distinguished the next time", () => {
  const state = createFold()
  state.add(entry(0, [added("One"), added("Two", "completed")]))
  const finished: PlanEvent = { type: "todo-changed", id: "1", from: {}, to: { status: "completed" } }
  state.add(entry(1, [{ type: "plan-restored", context: "resume" }, finished]))
  expect([...state.ledger.behind]).toEqual(["2"])
  state.add(entry(2, [{ type: "plan-restored", context: "resume" }]))
  expect([...state.ledger.behind].toSorted()).toEqual(["1", "2"])
})

test("ids that were chosen to be slow to find are each found, and used once", () => {
  const state = createFold()
  const ids = nearIds(20_000)
  for (const id of [...ids, ...ids]) state.add(entry(0, [added(id)], { id }))
  expect(ids.filter((id) => !state.has(id))).toEqual([])
  expect(state.plan.todos).toHaveLength(20_000)
})

test("ten thousand entries that take back what does not exist change nothing", () => {
  const undoing = Array.from({ length: 20_000 }, (_, index) => entry(index, [added("x")], { undoes: "nothing" }))
  expect(fold(undoing).ledger.untold.size).toBe(20_000)
})

const noted = (from: string[] | null, to: string[] | null): PlanEvent => ({
  type: "todo-changed",
  id: "1",
  from: { notes: from },
  to: { notes: to },
})

const manyNotes = (count: number): string[] => Array.from({ length: count }, (_, index) => `note ${index}`)

test("a small change to a todo with very many notes is described briefly, and taken back", () => {
  const state = createFold()
  state.add(
    entry(0, [{ type: "todo-added", todo: { id: "1", content: "Read", status: "pending", notes: manyNotes(5_000) } }]),
  )
  const happened = state.add(entry(1, [noted(["note 4998"], ["new"])]))
  expect(happened).toEqual([noted(["note 4998"], ["new"])])
  expect(state.plan.todos[0]?.notes?.slice(-3)).toEqual(["note 4997", "note 4999", "new"])
  state.add(entry(2, inverse(happened)))
  expect(state.plan.todos[0]?.notes?.slice(-3)).toEqual(["note 4997", "note 4999", "note 4998"])
  expect(state.add(entry(3, [noted(null, [])]))).toEqual([])
  expect(state.add(entry(4, [noted([], null)]))).toHaveLength(1)
  expect(state.plan.todos[0]?.notes).toBeUndefined()
})

test("of very many notes a small change removes only those near the end", () => {
  const state = createFold()
  state.add(
    entry(0, [{ type: "todo-added", todo: { id: "1", content: "Read", status: "pending", notes: manyNotes(5_000) } }]),
  )
  expect(state.add(entry(1, [noted(["note 0"], null)]))).toEqual([])
  state.add(entry(2, [noted(manyNotes(5_000), manyNotes(5_000).slice(1))]))
  expect(state.plan.todos[0]?.notes?.[0]).toBe("note 1")
  expect(state.plan.todos[0]?.notes).toHaveLength(4_999)
})

test("a plan that was returned keeps its notes", () => {
  const state = createFold()
  state.add(
    entry(0, [{ type: "todo-added", todo: { id: "1", content: "Read", status: "pending", notes: manyNotes(5_000) } }]),
  )
  for (const number of [1, 2, 3]) {
    const before = state.plan
    const notes = [...(before.todos[0]?.notes ?? [])]
    state.add(entry(2 * number, [noted([`note ${5_000 - number}`], null)]))
    state.add(entry(2 * number + 1, [noted(null, ["late"])]))
    expect(before.todos[0]?.notes).toEqual(notes)
    expect(state.plan.todos[0]?.notes).toEqual([...notes.filter((note) => note !== `note ${5_000 - number}`), "late"])
  }
})

test("a journal with a thousand blocking todos of a person settles only the agent's own", () => {
  const state = createFold()
  const blocked = (index: number): PlanEvent => ({
    type: "todo-added",
    todo: { id: String(index + 1), content: "Read", status: "blocked" },
  })
  state.add(
    entry(
      0,
      Array.from({ length: 5_000 }, (_, index) => blocked(index)),
    ),
  )
  const statuses = (status: "pending" | "in_progress"): PlanEvent[] =>
    Array.from({ length: 5_000 }, (_, index) => ({
      type: "todo-changed",
      id: String(index + 1),
      from: {},
      to: { status },
    }))
  const settle = { autoStart: true, oneActive: true }
  const by = { kind: "agent", id: "main" } as const
  state.add(entry(1, statuses("pending")))
  for (let turn = 2; turn < 5_000; turn += 1) expect(state.add(entry(turn, [], { by, settle }))).toEqual([])
  state.add(entry(5_000, statuses("in_progress")))
  for (let turn = 5_001; turn < 10_000; turn += 1) expect(state.add(entry(turn, [], { by, settle }))).toEqual([])
  state.add(entry(10_000, [{ type: "agent-told", entries: ["e5000"] }], { by: { kind: "system", id: "headway" } }))
  expect(state.add(entry(10_001, [], { by, settle }))).toHaveLength(4_999)
})
