/** Of many who claim a todo exactly one gets it, decided in the order of the log. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Actor, claim, createFold, type Entry, leaseOf, type PlanEvent, release } from "../../../src/plan/index.ts"

const at = (minute: number): string => new Date(Date.UTC(2030, 0, 1, 0, minute)).toISOString()

const agent = (id: string): Actor => ({ kind: "agent", id })

const entry = (minute: number, by: Actor, events: PlanEvent[]): Entry => ({
  v: 1,
  id: `${minute}-${by.id}`,
  at: at(minute),
  by,
  events,
})

const planned = (...more: Entry[]) => {
  const fold = createFold()
  fold.add(
    entry(0, agent("main"), [
      { type: "todo-added", todo: { id: "1", content: "Write", status: "pending" } },
      { type: "todo-added", todo: { id: "2", content: "Read", status: "pending" } },
    ]),
  )
  const happened = more.map((one) => fold.add(one))
  return { fold, happened, owners: () => fold.plan.todos.map(({ owner }) => owner) }
}

describe("a claim", () => {
  test("is granted to the first in the log, and all changes of the others to the todo are dropped", () => {
    const start: PlanEvent = { type: "todo-changed", id: "1", from: {}, to: { status: "in_progress" } }
    const { fold, happened, owners } = planned(
      entry(1, agent("a"), claim("1", "a")),
      entry(1, agent("b"), [...claim("1", "b"), start, ...claim("2", "b")]),
    )
    expect(owners()).toEqual(["a", "b"])
    expect(fold.plan.todos[0]?.status).toBe("pending")
    expect(happened[1]?.map(({ type }) => type)).toEqual(["todo-changed", "todo-claimed"])
  })

  test("expires, and the todo is free for another", () => {
    const { fold, owners } = planned(
      entry(1, agent("a"), claim("1", "a", 10)),
      entry(10, agent("b"), claim("1", "b")),
      entry(11, agent("c"), claim("1", "c", 5)),
    )
    expect(owners()[0]).toBe("c")
    expect(leaseOf(fold.ledger, "1", at(12))?.owner).toBe("c")
    expect(leaseOf(fold.ledger, "1", at(16))).toBeUndefined()
  })

  test("can be renewed by its owner and given back", () => {
    const { owners } = planned(
      entry(1, agent("a"), claim("1", "a", 10)),
      entry(9, agent("a"), claim("1", "a", 10)),
      entry(12, agent("b"), claim("1", "b")),
      entry(13, agent("b"), release("1", "b")),
    )
    expect(owners()[0]).toBe("a")
    const given = planned(entry(1, agent("a"), claim("1", "a")), entry(2, agent("a"), release("1", "a")))
    expect(given.owners()[0]).toBeUndefined()
  })

  test("ends with its todo, and a finished or removed todo cannot be claimed", () => {
    const done: PlanEvent = { type: "todo-changed", id: "1", from: {}, to: { status: "completed" } }
    const { fold, owners } = planned(
      entry(1, agent("a"), claim("1", "a")),
      entry(2, agent("a"), [done]),
      entry(3, agent("b"), [...claim("1", "b"), ...claim("9", "b")]),
    )
    expect(owners()).toEqual(["a", undefined])
    expect(leaseOf(fold.ledger, "1", at(3))).toBeUndefined()
  })

  test("yields to a person, who may give the todo to any agent", () => {
    const assign: PlanEvent = { type: "todo-changed", id: "1", from: {}, to: { owner: "c" } }
    const { owners } = planned(
      entry(1, agent("a"), claim("1", "a")),
      entry(2, { kind: "person", id: "ada" }, [assign]),
      entry(3, agent("b"), claim("1", "b")),
      entry(4, agent("a"), [{ type: "todo-changed", id: "2", from: {}, to: { owner: "a" } }]),
    )
    expect(owners()).toEqual(["c", "a"])
  })

  test("is not removed by a plain change of the owner", () => {
    const { owners } = planned(
      entry(1, agent("a"), claim("1", "a")),
      entry(2, agent("b"), [{ type: "todo-changed", id: "1", from: {}, to: { owner: "b" } }]),
    )
    expect(owners()[0]).toBe("a")
  })
})

test("for any claims at any times, a valid lease never changes hands, and a snapshot continues like the log", () => {
  const step = fc.record({
    minute: fc.integer({ min: 0, max: 3 }),
    who: fc.constantFrom("a", "b", "c"),
    what: fc.constantFrom("claim", "release"),
    minutes: fc.integer({ min: 1, max: 5 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), fc.nat(30), (steps, cut) => {
      let { fold } = planned()
      let minute = 1
      for (const [index, { minute: passed, who, what, minutes }] of steps.entries()) {
        minute += passed
        if (index === cut) fold = createFold(JSON.parse(JSON.stringify(fold.snapshot())))
        const before = leaseOf(fold.ledger, "1", at(minute))
        const asked = what === "claim" ? claim("1", who, minutes) : release("1", who)
        fold.add({ ...entry(minute, agent(who), asked), id: String(index) })
        const after = leaseOf(fold.ledger, "1", at(minute))
        if (before && before.owner !== who) expect(after).toEqual(before)
        else if (what === "claim") expect(after?.owner).toBe(who)
        if (after) expect(fold.plan.todos[0]?.owner).toBe(after.owner)
      }
    }),
  )
})
