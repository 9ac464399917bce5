/** A snapshot holds everything that is known about a plan, also what was undone and done again. */
import fc from "fast-check"
import { expect, test } from "vitest"
import type { Actor, Entry, PlanEvent } from "../../../src/plan/event.ts"
import { createFold, type Fold } from "../../../src/plan/fold.ts"
import type { FoldSnapshot } from "../../../src/plan/log/snapshot.ts"
import { inverse } from "../../../src/plan/log/undo.ts"
import type { TodoStatus } from "../../../src/plan/todo.ts"
import { rounds } from "../../rounds.ts"
import { contentArbitrary, statusArbitrary } from "../arbitraries.ts"

type Step = {
  does: "add" | "remove" | "exchange" | "reword" | "set" | "clear" | "undo" | "tell"
  by: Actor["kind"]
  at: number
  content: string
  status: TodoStatus
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    does: fc.constantFrom("add", "remove", "remove", "exchange", "reword", "set", "clear", "undo", "undo", "tell"),
    by: fc.constantFrom("agent" as const, "person" as const, "person" as const),
    at: fc.nat(20),
    content: contentArbitrary,
    status: statusArbitrary,
  }),
  { minLength: 4, maxLength: 16, size: "max" },
)

/** The log that the steps make, each taken on the plan as it is then. */
const folded = (all: readonly Step[]): Fold => {
  const state = createFold()
  const done: { id: string; events: PlanEvent[] }[] = []
  for (const [index, step] of all.entries()) {
    const entry: Entry = {
      v: 1,
      id: `e${index}`,
      at: new Date(Date.UTC(2030, 0, 1, 0, index)).toISOString(),
      by: { kind: step.does === "tell" ? "system" : step.by, id: step.by },
      ...changeBy(step, state, done),
    }
    done.push({ id: entry.id, events: state.add(entry) })
  }
  return state
}

const changeBy = (
  { does, at, content, status }: Step,
  { plan: { todos, phases }, ledger }: Fold,
  done: readonly { id: string; events: PlanEvent[] }[],
): Pick<Entry, "events" | "undoes"> => {
  const todo = todos[at % Math.max(1, todos.length)]
  const change = done.at(-1 - (at % 3))
  const added: PlanEvent = { type: "todo-added", todo: { id: "", content, status } }
  if (does === "add") return { events: [added] }
  if (does === "clear") return { events: [{ type: "plan-cleared", todos: [...todos], phases: [...phases] }] }
  if (does === "tell") return { events: [{ type: "agent-told", entries: [...ledger.untold.keys()] }] }
  if (does === "undo") return change ? { events: inverse(change.events), undoes: change.id } : { events: [] }
  if (!todo) return { events: [] }
  if (does === "remove") return { events: [{ type: "todo-removed", todo }] }
  if (does === "exchange") return { events: [{ type: "todo-removed", todo }, added] }
  const to = does === "reword" ? { content } : { status }
  return { events: [{ type: "todo-changed", id: todo.id, from: {}, to, ...(at % 2 ? { byText: true } : {}) }] }
}

const throughJson = (snapshot: FoldSnapshot): FoldSnapshot => JSON.parse(JSON.stringify(snapshot)) as FoldSnapshot

test("N8 a plan read from a snapshot is the plan that was written, after any undo", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const whole = folded(all)
      const read = createFold(throughJson(whole.snapshot()))
      expect(read.plan).toEqual(whole.plan)
      expect(read.ledger).toEqual(whole.ledger)
    }),
    { numRuns: rounds(500) },
  )
})

test("N3 the stamp of what a person removed is not that of a todo which the same change added and an undo brought back", () => {
  const step = { by: "person", at: 0, content: "Ask Ada", status: "pending" } as const
  const state = folded([
    { ...step, does: "add", by: "agent", content: "Drop the old tables" },
    { ...step, does: "exchange" },
    { ...step, does: "remove" },
    { ...step, does: "undo" },
  ])
  const { ledger } = createFold(throughJson(state.snapshot()))
  expect(ledger.todos.get("2")?.added).toMatchObject({ entry: "e3", isUndo: true, former: { entry: "e1" } })
  expect(ledger.removed.get("1")).not.toHaveProperty("isUndo")
})
