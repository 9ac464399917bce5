/** A log may be written by anything, for as long as it likes: what is kept of it stays bounded. */
import { expect, test } from "vitest"
import { createFold, type Entry, fold, type PlanEvent, workingTodos } from "../../src/plan/index.ts"

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

test("a plan that comes back ten thousand times leaves behind what was finished, and no more", () => {
  const todos = Array.from({ length: 5_000 }, (_, index) => added(`Todo ${index}`, "completed"))
  const restored = Array.from({ length: 10_000 }, (_, index) =>
    entry(index + 1, [{ type: "plan-restored", context: "resume" }]),
  )
  const { plan, ledger } = fold([entry(0, todos), ...restored, entry(20_000, [added("Late", "completed")])])
  expect(workingTodos(plan, ledger).map(({ content }) => content)).toEqual(["Late"])
})

test("a change costs the same in a plan of any size, whatever kind it is", () => {
  const changesOf = (count: number): Record<string, PlanEvent[][]> => {
    const turns = Array.from({ length: count }, (_, index) => index)
    const statusOf = (turn: number) => (turn % 2 === 0 ? "pending" : "completed")
    return {
      restored: turns.map((turn) => [
        { type: "todo-changed", id: "1", from: {}, to: { status: statusOf(turn) } },
        { type: "plan-restored", context: "resume" },
      ]),
      cleared: turns.map((turn) => [
        { type: "plan-cleared", todos: [{ id: String(turn + 2), content: "", status: "completed" }] },
      ]),
    }
  }
  const timeOf = (size: number, changes: PlanEvent[][]): number => {
    const state = createFold()
    state.add(entry(0, [...Array(size)].fill(added("Read", "completed"))))
    // What is left behind is learnt once.
    state.add(entry(1, [{ type: "plan-restored", context: "resume" }]))
    const began = performance.now()
    for (const [index, events] of changes.entries()) state.add(entry(index + 2, events))
    return performance.now() - began
  }
  for (const [kind, changes] of Object.entries(changesOf(1_000))) {
    timeOf(1_100, changes)
    expect(timeOf(40_000, changes), kind).toBeLessThan(10 * timeOf(1_100, changes) + 200)
  }
})

test("what is finished in the entry that brings a plan back, and after it, is told apart the next time", () => {
  const state = createFold()
  state.add(entry(0, [added("One"), added("Two", "completed")]))
  const finished: PlanEvent = { type: "todo-changed", id: "1", from: {}, to: { status: "completed" } }
  state.add(entry(1, [{ type: "plan-restored", context: "resume" }, finished]))
  expect([...state.ledger.behind]).toEqual(["2"])
  state.add(entry(2, [{ type: "plan-restored", context: "resume" }]))
  expect([...state.ledger.behind].toSorted()).toEqual(["1", "2"])
})

/** Texts whose hash, as `seen-ids.ts` makes it, ends in nearly the same bits. */
const nearIds = (count: number): string[] => {
  const ids: string[] = []
  for (let start = 0x100; ids.length < count; start += 1) {
    const low = Math.imul(0x811c9dc5 ^ start, 0x9e3779b1)
    const high = Math.imul(0x2f0b4f1d ^ start ^ (low >>> 15), 0x85ebca6b)
    for (let code = 0x100; code < 0xd800 && ids.length < count; code += 1) {
      const nextLow = Math.imul(low ^ code, 0x9e3779b1)
      const nextHigh = Math.imul(high ^ code ^ (nextLow >>> 15), 0x85ebca6b)
      const mixed = Math.imul(nextLow ^ (nextHigh >>> 16), 0xc2b2ae35)
      if (((mixed ^ (mixed >>> 16)) & 0xffff) < 32) ids.push(String.fromCharCode(start, code))
    }
  }
  return ids
}

test("ids that were chosen to be slow to find are found as quickly as others", () => {
  const timeOf = (ids: readonly string[]): number => {
    const state = createFold()
    const entries = ids.map((id) => entry(0, [], { id }))
    const began = performance.now()
    for (const one of entries) state.add(one)
    return performance.now() - began
  }
  const count = 20_000
  const plain = Array.from({ length: count }, (_, index) => `e${index}`)
  timeOf(plain)
  expect(timeOf(nearIds(count))).toBeLessThan(10 * timeOf(plain) + 50)
})

test("entries that take back what is not there, by the ten thousand, change nothing", () => {
  const undoing = Array.from({ length: 20_000 }, (_, index) => entry(index, [added("x")], { undoes: "nothing" }))
  expect(fold(undoing).ledger.untold.size).toBe(20_000)
})
