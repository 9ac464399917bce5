/** A clock that goes backwards: what happened is decided by the log, and no time is ever negative. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import {
  claim,
  type Entry,
  fold,
  type PlanEvent,
  replay,
  spanOf,
  type TodoStatus,
  timesOf,
  todoStatuses,
  visibleTodos,
  workingTodos,
} from "../../src/plan/index.ts"
import { rounds } from "../rounds.ts"

const start = Date.UTC(2030, 0, 1, 12)
const atMinute = (minute: number): string => new Date(start + minute * 60_000).toISOString()

let count = 0
const entry = (minute: number, events: PlanEvent[], by: Entry["by"] = { kind: "agent", id: "main" }): Entry => {
  count += 1
  return { v: 1, id: `e${count}`, at: atMinute(minute), by, events }
}

const added = (id: string, status: TodoStatus = "pending"): PlanEvent => ({
  type: "todo-added",
  todo: { id, content: `Todo ${id}`, status },
})
const changed = (id: string, from: TodoStatus, to: TodoStatus): PlanEvent => ({
  type: "todo-changed",
  id,
  from: { status: from },
  to: { status: to },
})

describe("durations", () => {
  test("are zero for a status that ended before it began", () => {
    const state = fold([entry(60, [added("1", "in_progress")]), entry(10, [changed("1", "in_progress", "completed")])])
    expect(timesOf(state.plan.todos[0] ?? fail(), state, new Date(start))).toEqual({ in_progress: 0, completed: 0 })
  })

  test("are never negative and always a date, in whatever order times come", () => {
    const minute = fc.integer({ min: -1_000_000, max: 4_000_000_000 })
    const steps = fc.array(fc.tuple(minute, fc.constantFrom(...todoStatuses)), { maxLength: 400 })
    fc.assert(
      fc.property(steps, minute, (moves, now) => {
        const entries = moves.map(([at, status]) => entry(at, [changed("1", "pending", status)]))
        const { fold: state } = replay([entry(0, [added("1")]), ...entries])
        const [todo] = state.plan.todos
        const times = todo ? timesOf(todo, state, new Date(start + now * 60_000)) : {}
        for (const time of Object.values(times)) expect(time).toBeGreaterThanOrEqual(0)
        const record = state.ledger.todos.get("1")
        if (todo && record) expect(() => spanOf(todo.status, record.since, times.in_progress)).not.toThrow()
      }),
      { numRuns: rounds(100) },
    )
  })

  test("have a beginning even for times that jump back and forth", () => {
    const span = spanOf("completed", "9999-12-31T00:00:00.000Z", 8_000 * 365 * 86_400_000 * 200)
    expect(span).toEqual({ started: "1970-01-01T00:00:00.000Z", finished: "9999-12-31T00:00:00.000Z" })
  })
})

describe("leases", () => {
  const claimed = (minute: number, owner: string, minutes?: number) =>
    entry(minute, claim("1", owner, minutes), { kind: "agent", id: owner })

  test("one taken later by the log is valid, though the reader's clock is behind", () => {
    const { plan } = fold([entry(0, [added("1")]), claimed(60, "ann"), claimed(20, "ben")])
    expect(plan.todos[0]?.owner).toBe("ann")
  })

  test("one taken by a clock that is years ahead blocks no one", () => {
    const years = 10 * 365 * 24 * 60
    const { plan } = fold([entry(0, [added("1")]), claimed(years, "ann"), claimed(20, "ben")])
    expect(plan.todos[0]?.owner).toBe("ben")
  })

  test("the longest lease holds against a clock that is a little behind", () => {
    const week = 7 * 24 * 60
    const { plan } = fold([entry(0, [added("1")]), claimed(10, "ann", week), claimed(5, "ben")])
    expect(plan.todos[0]?.owner).toBe("ann")
  })
})

describe("order", () => {
  test("a plan was changed last at the latest time in its log, as when two branches were merged", () => {
    const { ledger } = fold([entry(0, [added("1")]), entry(90, [added("2")]), entry(30, [added("3")])])
    expect(ledger.updated).toBe(atMinute(90))
  })

  test("a todo finished after a plan came back is shown, though the clock went back in between", () => {
    const state = fold([
      entry(0, [added("1"), added("2")]),
      entry(50, [changed("1", "pending", "completed")]),
      entry(60, [{ type: "plan-restored", context: "resume" }]),
      entry(10, [changed("2", "pending", "completed")]),
    ])
    expect(workingTodos(state.plan, state.ledger).map(({ id }) => id)).toEqual(["2"])
    expect(visibleTodos(state.plan, state.ledger, new Date(start)).map(({ id }) => id)).toEqual(["2"])
  })

  test("a todo finished, reopened and finished again since is shown", () => {
    const state = fold([
      entry(0, [added("1", "completed")]),
      entry(60, [{ type: "plan-restored", context: "resume" }]),
      entry(20, [changed("1", "completed", "pending")]),
      entry(10, [changed("1", "pending", "completed")]),
    ])
    expect(workingTodos(state.plan, state.ledger)).toHaveLength(1)
  })
})

const fail = (): never => {
  throw new Error("there is a todo")
}
