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

test("entries that take back what is not there, by the ten thousand, change nothing", () => {
  const undoing = Array.from({ length: 20_000 }, (_, index) => entry(index, [added("x")], { undoes: "nothing" }))
  expect(fold(undoing).ledger.untold.size).toBe(20_000)
})
