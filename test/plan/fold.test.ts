/** A log folds to one plan and one ledger, from the start or from any snapshot; a person wins over an agent. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Entry, PlanEvent, TodoPatch } from "../../src/plan/event.ts"
import { createFold, type Fold, fold } from "../../src/plan/fold.ts"
import { type DiffOptions, diff } from "../../src/plan/list/diff.ts"
import type { Wanted } from "../../src/plan/list/match.ts"
import { isPersons } from "../../src/plan/log/by-person.ts"
import type { FoldSnapshot } from "../../src/plan/log/snapshot.ts"
import { inverse } from "../../src/plan/log/undo.ts"
import type { Todo } from "../../src/plan/todo.ts"
import { rounds } from "../rounds.ts"
import { deepFreeze, entriesArbitrary } from "./arbitraries.ts"

const minute = (number: number): string => new Date(Date.UTC(2030, 0, 1, 0, number)).toISOString()
const minutes = (count: number): number => count * 60_000

const added = (id: string, content: string, fields: Partial<Todo> = {}): PlanEvent => ({
  type: "todo-added",
  todo: { id, content, status: "pending", ...fields },
})
const changed = (id: string, to: TodoPatch): PlanEvent => ({ type: "todo-changed", id, from: {}, to })
const removed = (id: string): PlanEvent => ({ type: "todo-removed", todo: { id, content: "", status: "pending" } })

/** A log being written: each entry one minute after the one before. */
const createLog = () => {
  const state = createFold()
  let count = 0
  const write =
    (kind: Entry["by"]["kind"]) =>
    (events: PlanEvent[], rest: Partial<Entry> = {}): string => {
      const id = `e${count}`
      state.add({ v: 1, id, at: minute(count), by: { kind, id: kind }, events, ...rest })
      count += 1
      return id
    }
  const agent = write("agent")
  return {
    state,
    agent,
    person: write("person"),
    tell: (...entries: string[]): string => write("system")([{ type: "agent-told", entries }]),
    /** An agent's call with a list, as a dialect would read it. */
    call(wanted: Wanted[], options: DiffOptions = {}): string[] {
      const { events, problems } = diff(state.plan, wanted, { ledger: state.ledger, ...options })
      agent(events)
      return problems.map(({ code }) => code)
    },
  }
}

const linesOf = ({ plan }: Fold): string[] => plan.todos.map(({ id, content, status }) => `${id} ${content} ${status}`)
const wantedOf = (...contents: string[]): Wanted[] => contents.map((content) => ({ content }))

const throughJson = (snapshot: FoldSnapshot): FoldSnapshot => JSON.parse(JSON.stringify(snapshot)) as FoldSnapshot

describe("two processes that add the tasks of an agent in the same moment", () => {
  const task = (number: string, content: string): PlanEvent => added(number, content, { extra: { nativeId: number } })

  test.each([
    ["the one that read the session first", [["1", "2", "3"], ["1"], ["2"]]],
    ["the one that read the session last", [["1"], ["1", "2", "3"], ["2"]]],
  ])("add each task once, %s", (_, batches) => {
    const log = createLog()
    const contents: Record<string, string> = { 1: "Read the parser", 2: "Fix the login", 3: "Deploy it" }
    let last = ""
    for (const numbers of batches) {
      const id = log.agent(numbers.map((number) => task(number, contents[number] ?? "")))
      if (numbers.length === 3) last = id
    }
    const before = log.state.ledger.todos.get("3")
    log.agent([changed("3", { status: "completed" })], { origins: { [last]: { 3: "3" } } })
    expect(before?.added.entry).toBe(last)
    expect(linesOf(log.state)).toEqual([
      "1 Read the parser pending",
      "2 Fix the login pending",
      "3 Deploy it completed",
    ])
  })

  test("keep tasks that only share a number, or only a text", () => {
    const log = createLog()
    log.agent([task("1", "Read the parser")])
    log.agent([task("1", "Fix the login")])
    log.agent([added("1", "Read the parser")])
    expect(linesOf(log.state)).toEqual([
      "1 Read the parser pending",
      "2 Fix the login pending",
      "3 Read the parser pending",
    ])
  })
})

describe("snapshots", () => {
  test("N8 a todo finished by the entry with which the plan came back is put away when it comes back again, from a snapshot too", () => {
    const restored: PlanEvent = { type: "plan-restored", context: "resume" }
    const finish: PlanEvent = {
      type: "todo-changed",
      id: "1",
      from: { status: "pending" },
      to: { status: "completed" },
    }
    const by = { kind: "agent", id: "main" } as const
    const entry = (id: string, events: PlanEvent[]): Entry => ({ v: 1, id, at: "2030-01-01T00:00:00.000Z", by, events })
    const log = [
      entry("a", [{ type: "todo-added", todo: { id: "1", content: "Read", status: "pending" } }]),
      entry("b", [restored, finish]),
      entry("c", [restored]),
    ]
    const whole = createFold()
    for (const one of log) whole.add(one)
    const before = createFold()
    for (const one of log.slice(0, 2)) before.add(one)
    const after = createFold(throughJson(before.snapshot()))
    for (const one of log.slice(2)) after.add(one)
    expect(whole.ledger).toEqual(after.ledger)
  })

  test("N8 continuing from any snapshot gives the same plan, ledger and ids as from the start", () => {
    fc.assert(
      fc.property(entriesArbitrary, fc.nat(10), (entries, cut) => {
        const whole = createFold()
        const before = createFold()
        for (const entry of entries.slice(0, cut)) before.add(entry)
        const after = createFold(throughJson(before.snapshot()))
        for (const entry of entries) whole.add(entry)
        for (const entry of entries.slice(cut)) after.add(entry)
        expect(after.plan).toEqual(whole.plan)
        expect(after.ledger).toEqual(whole.ledger)
        expect(throughJson(after.snapshot())).toMatchObject({ plan: throughJson(whole.snapshot()).plan })
        expect(after.snapshot().goneIds.toSorted()).toEqual(whole.snapshot().goneIds.toSorted())
      }),
      { numRuns: rounds(200) },
    )
  })

  test("N8 later entries do not change an earlier snapshot", () => {
    fc.assert(
      fc.property(entriesArbitrary, fc.nat(10), (entries, cut) => {
        const state = createFold()
        for (const entry of entries.slice(0, cut)) state.add(entry)
        const snapshot = state.snapshot()
        const copy = structuredClone(snapshot)
        const next = createFold(snapshot)
        for (const entry of entries.slice(cut)) {
          state.add(entry)
          next.add(entry)
        }
        expect(snapshot).toEqual(copy)
        expect(next.ledger).toEqual(state.ledger)
      }),
    )
  })

  test("N8 entries are never changed by folding them", () => {
    fc.assert(
      fc.property(entriesArbitrary, (entries) => {
        expect(() => fold(deepFreeze(entries))).not.toThrow()
      }),
    )
  })

  test("N3 ids removed before a snapshot are not given after it", () => {
    const { state, agent } = createLog()
    agent([added("1", "A"), added("2", "B")])
    agent([removed("2")])
    const next = createFold(throughJson(state.snapshot()))
    const at = minute(9)
    next.add({ v: 1, id: "x", at, by: { kind: "agent", id: "a" }, events: [added("2", "C"), added("", "D")] })
    expect(linesOf(next)).toEqual(["1 A pending", "3 C pending", "4 D pending"])
  })
})

describe("the log", () => {
  test("C26 a call is applied once, however often it is seen", () => {
    const via = { dialect: "claude-todos", tool: "TodoWrite", callId: "call-1" }
    const { state, agent } = createLog()
    agent([added("1", "A")], { via })
    agent([added("1", "A")], { via })
    agent([added("", "B")], { via: { ...via, callId: "call-2" } })
    expect(linesOf(state)).toEqual(["1 A pending", "2 B pending"])
    expect(state.ledger.entries).toBe(2)
  })

  test("C26 a call that changed nothing still counts as seen", () => {
    const via = { dialect: "d", tool: "t", callId: "call-1" }
    const { state, agent } = createLog()
    agent([removed("9")], { via })
    agent([added("1", "A")], { via })
    expect(state.plan.todos).toEqual([])
  })

  test("N3 an id is never given twice in a plan, also many entries after its removal", () => {
    const { state, agent } = createLog()
    agent([added("1", "A")])
    agent([{ type: "plan-cleared", todos: [...state.plan.todos] }])
    agent([added("1", "B")])
    expect(linesOf(state)).toEqual(["2 B pending"])
    expect([...state.ledger.removed.keys()]).toEqual(["1"])
  })

  test("O6 what a dialect settles is settled in log order", () => {
    const { state, agent } = createLog()
    agent([added("1", "A", { status: "in_progress" }), added("2", "B")])
    agent([changed("2", { status: "in_progress" })], { settle: { oneActive: true } })
    expect(linesOf(state)).toEqual(["1 A in_progress", "2 B pending"])
  })

  test("N8 the first writer to open a plan names it", () => {
    const { state, agent } = createLog()
    agent([{ type: "plan-opened", session: "s1", agent: "main" }])
    agent([{ type: "plan-opened", session: "s2", agent: "other" }])
    expect(state.ledger.opened).toEqual({ type: "plan-opened", session: "s1", agent: "main" })
  })

  test("N2 property names that every object has are neither fields nor stamps", () => {
    const { state, agent, person } = createLog()
    agent([added("constructor", "A")])
    person([changed("constructor", { content: "Mine" })])
    const hostile = JSON.parse('{"constructor":1,"toString":2,"__proto__":{"by":1},"status":"completed"}') as TodoPatch
    agent([changed("constructor", hostile)])
    expect(linesOf(state)).toEqual(["constructor Mine completed"])
    expect(Object.keys(state.ledger.todos.get("constructor")?.set ?? {})).toEqual(["content", "status"])
  })
})

describe("authorship and times", () => {
  test("N7 N8 the ledger has who added a todo and who last set which field", () => {
    const { state, agent, person } = createLog()
    agent([added("1", "A")])
    person([changed("1", { content: "Better A" })])
    agent([changed("1", { status: "in_progress" })])
    const todo = state.ledger.todos.get("1")
    expect(todo?.added).toMatchObject({ at: minute(0), by: { kind: "agent" }, entry: "e0" })
    expect(todo?.set.content).toMatchObject({ at: minute(1), by: { kind: "person" }, entry: "e1" })
    expect(todo?.set.status).toMatchObject({ at: minute(2), by: { kind: "agent" }, entry: "e2" })
    expect(isPersons(state.ledger, "1")).toBe(true)
    expect([state.ledger.entries, state.ledger.updated]).toEqual([3, minute(2)])
  })

  test("N8 the time spent in each status comes from the entries", () => {
    const { state, agent } = createLog()
    agent([added("1", "A")])
    agent([changed("1", { status: "in_progress" })])
    agent([changed("1", { notes: ["n"] })])
    agent([changed("1", { status: "blocked" })])
    agent([changed("1", { status: "in_progress" })])
    agent([changed("1", { status: "completed" })])
    expect(state.ledger.todos.get("1")).toMatchObject({
      since: minute(5),
      spent: { pending: minutes(1), in_progress: minutes(3), blocked: minutes(1) },
    })
  })

  test("N8 clocks that run back or have no valid time add no duration", () => {
    const state = createFold()
    const by = { kind: "agent", id: "a" } as const
    state.add({ v: 1, id: "a", at: minute(5), by, events: [added("1", "A")] })
    state.add({ v: 1, id: "b", at: minute(3), by, events: [changed("1", { status: "in_progress" })] })
    state.add({ v: 1, id: "c", at: "yesterday", by, events: [changed("1", { status: "completed" })] })
    expect(state.ledger.todos.get("1")?.spent).toEqual({ pending: 0, in_progress: 0 })
  })

  test("N3 a rewrite keeps the times and notes of matching todos", () => {
    const { state, agent, call } = createLog()
    agent([added("1", "Fix the login bug", { notes: ["seen"] })])
    agent([changed("1", { status: "in_progress" })])
    call([{ content: "Fix the login bug on Safari", status: "in_progress" }])
    expect(state.plan.todos[0]).toMatchObject({ id: "1", notes: ["seen"] })
    expect(state.ledger.todos.get("1")).toMatchObject({ since: minute(1), spent: { pending: minutes(1) } })
  })

  test("N8 a removal leaves a tombstone, and restoring brings the times back", () => {
    const { state, agent, person } = createLog()
    agent([added("1", "A")])
    agent([changed("1", { status: "in_progress" })])
    agent([removed("1")])
    expect(state.ledger.removed.get("1")).toMatchObject({
      at: minute(2),
      by: { kind: "agent" },
      todo: { content: "A" },
    })
    expect(state.ledger.todos.has("1")).toBe(false)
    const { todo = { id: "1", content: "A", status: "in_progress" as const } } = state.ledger.removed.get("1") ?? {}
    person(inverse([{ type: "todo-removed", todo }]))
    expect(linesOf(state)).toEqual(["1 A in_progress"])
    expect(state.ledger.removed.has("1")).toBe(false)
    expect(state.ledger.todos.get("1")).toMatchObject({
      added: { by: { kind: "person" } },
      since: minute(3),
      spent: { pending: minutes(1), in_progress: minutes(1) },
    })
  })
})

describe("a paused plan", () => {
  const paused = () => {
    const log = createLog()
    log.agent([added("1", "A")])
    log.agent([{ type: "plan-restored", context: "resume" }])
    return log
  }

  test("C14 a resumed session pauses its plan until the work continues", () => {
    const { state, person } = paused()
    expect(state.ledger.paused).toBe(true)
    person([{ type: "plan-resumed" }])
    expect(state.ledger.paused).toBe(false)
  })

  test("C14 an agent's change of a status continues the plan, a person's edit does not", () => {
    const { state, agent, person } = paused()
    person([added("2", "B"), changed("1", { status: "blocked" })])
    agent([changed("1", { notes: ["n"] })])
    expect(state.ledger.paused).toBe(true)
    agent([changed("2", { notes: ["n"] })])
    expect(state.ledger.paused).toBe(true)
    agent([added("3", "C"), changed("3", { status: "in_progress" })])
    expect(state.ledger.paused).toBe(false)
  })

  test("C18 compaction and a start neither pause nor continue a plan", () => {
    const { state, agent } = paused()
    for (const context of ["compact", "start"] as const) {
      agent([{ type: "plan-restored", context }])
      expect(state.ledger.paused).toBe(true)
    }
    agent([{ type: "plan-resumed" }])
    for (const context of ["compact", "start"] as const) {
      agent([{ type: "plan-restored", context }])
      expect(state.ledger.paused).toBe(false)
    }
  })
})

describe("a person's change the agent was not told of", () => {
  const started = () => {
    const log = createLog()
    log.agent([added("1", "Write docs"), added("2", "Run tests")])
    return log
  }

  test("N3 a rewording survives, and the agent's other changes are applied", () => {
    const { state, agent, person } = started()
    person([changed("1", { content: "Write the guide" })])
    agent([changed("1", { content: "Write documents", status: "completed" }), removed("1")])
    expect(linesOf(state)).toEqual(["1 Write the guide completed", "2 Run tests pending"])
  })

  test("N3 a status survives", () => {
    const { state, agent, person } = started()
    person([changed("1", { status: "cancelled", reason: "not needed" })])
    agent([changed("1", { status: "in_progress", reason: null })])
    expect(state.plan.todos[0]).toMatchObject({ status: "cancelled", reason: "not needed" })
  })

  test("N3 a new todo survives removing and clearing", () => {
    const { state, agent, person } = started()
    person([added("3", "Call Ann")])
    agent([removed("3"), changed("3", { content: "Call Bob" })])
    agent([{ type: "plan-cleared", todos: [...state.plan.todos] }])
    expect(linesOf(state)).toEqual(["3 Call Ann pending"])
  })

  test("N3 a removal survives a change that gives another todo the text of the removed one", () => {
    const { state, agent, person } = started()
    person([removed("2")])
    agent([changed("1", { content: "run tests.", status: "in_progress" })])
    expect(linesOf(state)).toEqual(["1 Write docs pending"])
    expect([...state.ledger.refused.values()]).toMatchObject([{ content: "run tests.", status: "in_progress" }])
    agent([changed("1", { content: "Write all docs" })])
    expect(linesOf(state)).toEqual(["1 Write all docs pending"])
  })

  test("N3 a removal survives whatever the agent does with the todo", () => {
    const { state, agent, person } = started()
    person([removed("1")])
    agent([changed("1", { status: "in_progress" }), { type: "todo-moved", id: "1", after: "2" }, removed("1")])
    expect(linesOf(state)).toEqual(["2 Run tests pending"])
    expect(state.ledger.removed.get("1")?.by.kind).toBe("person")
  })

  test("N3 a status survives settling too, for todos the person started or paused", () => {
    const settle = { oneActive: true, autoStart: true }
    const first = started()
    first.person([changed("2", { status: "in_progress" })])
    first.agent([changed("1", { status: "in_progress" })], { settle })
    expect(linesOf(first.state)).toEqual(["1 Write docs pending", "2 Run tests in_progress"])
    const second = started()
    second.agent([changed("1", { status: "in_progress" })])
    second.person([changed("1", { status: "pending" })])
    second.agent([{ type: "todo-moved", id: "2", after: "1" }], { settle })
    expect(linesOf(second.state)).toEqual(["1 Write docs pending", "2 Run tests in_progress"])
  })

  test("N3 the agent's own new todo is not mistaken for the person's one with the same proposed id", () => {
    const { state, agent, person } = started()
    person([added("3", "Call Ann")])
    agent([added("3", "Build"), changed("3", { status: "in_progress" })])
    expect(linesOf(state).slice(2)).toEqual(["3 Call Ann pending", "4 Build in_progress"])
  })

  test("O15 it is kept, with what really happened, until the agent is told", () => {
    const { state, person, tell } = started()
    const entry = person([changed("1", { content: "Write the guide" }), removed("9")])
    expect(state.ledger.untold.get(entry)).toEqual({
      entry,
      at: minute(1),
      by: { kind: "person", id: "person" },
      events: [{ type: "todo-changed", id: "1", from: { content: "Write docs" }, to: { content: "Write the guide" } }],
    })
    tell(entry)
    expect(state.ledger.untold.size).toBe(0)
  })

  test("O15 an edit without effect and an agent's own changes need not be told", () => {
    const { state, agent, person } = started()
    person([removed("9")])
    agent([changed("1", { status: "completed" })])
    expect(state.ledger.untold.size).toBe(0)
  })

  test("N3 whatever an agent writes, the person's wording, status and presence stay", () => {
    fc.assert(
      fc.property(entriesArbitrary, (entries) => {
        const { state, agent, person } = createLog()
        agent([added("1", "Draft", { status: "in_progress" })])
        person([changed("1", { content: "Final", status: "blocked" })])
        for (const { events, settle } of entries) {
          agent(
            events.filter(({ type }) => type !== "agent-told"),
            settle ? { settle } : {},
          )
        }
        expect(state.plan.todos.find(({ id }) => id === "1")).toMatchObject({ content: "Final", status: "blocked" })
      }),
      { numRuns: rounds(200) },
    )
  })
})

describe("after the agent was told", () => {
  test("N3 it may change and remove what a person did by naming it", () => {
    const { state, agent, person, tell, call } = createLog()
    agent([added("1", "Write docs")])
    tell(person([changed("1", { content: "Write the guide", status: "blocked" }), added("2", "Call Ann")]))
    call([{ id: "1", content: "Write the long guide", status: "in_progress" }], { mode: "patch" })
    agent([removed("2")])
    expect(linesOf(state)).toEqual(["1 Write the long guide in_progress"])
  })

  test("N3 it may change only what it was told of", () => {
    const { state, agent, person, tell } = createLog()
    agent([added("1", "A"), added("2", "B")])
    const first = person([changed("1", { status: "cancelled" })])
    person([changed("2", { status: "cancelled" })])
    tell(first, "no such entry")
    agent([changed("1", { status: "pending" }), changed("2", { status: "pending" })])
    expect(linesOf(state)).toEqual(["1 A pending", "2 B cancelled"])
  })

  test("N3 it may add again what a person removed, by naming it", () => {
    const { state, agent, person, tell, call } = createLog()
    agent([added("1", "Run tests")])
    tell(person([removed("1")]))
    expect(call(wantedOf("Run tests"), { mode: "patch" })).toEqual([])
    expect(linesOf(state)).toEqual(["2 Run tests pending"])
  })
})

describe("a whole-list rewrite", () => {
  const list = ["Write docs", "Run tests", "Deploy"]
  const planned = () => {
    const log = createLog()
    log.call(wantedOf(...list))
    return log
  }

  test("N3 does not bring back what a person removed, told or not, in upper or lower case", () => {
    const { state, person, tell, call } = planned()
    const entry = person([removed("2")])
    expect(call(wantedOf(...list))).toEqual(["removed-by-person"])
    tell(entry)
    expect(call(wantedOf("Write docs", "run tests.", "Deploy"))).toEqual(["removed-by-person"])
    expect(linesOf(state)).toEqual(["1 Write docs pending", "3 Deploy pending"])
  })

  test("N3 may add again what a person removed and later gave a todo as its text, by adding or rewording it", () => {
    for (const again of [added("4", "Run tests"), changed("3", { content: "run tests." })]) {
      const { state, agent, person, tell, call } = planned()
      tell(person([removed("2")]))
      tell(person([again]))
      const id = again.type === "todo-added" ? "4" : "3"
      agent([changed(id, { status: "completed" })])
      agent([removed(id)])
      expect(call(wantedOf("Write docs", "Run tests"))).toEqual([])
      const back = state.plan.todos.find(({ content }) => content === "Run tests")
      expect(back?.status).toBe("pending")
      person([removed(back?.id ?? "")])
      expect(call(wantedOf("Write docs", "Run tests"))).toEqual(["removed-by-person"])
    }
  })

  test("N3 may add again what came back after a removal it was never told of", () => {
    const { state, agent, person, tell, call } = planned()
    person([removed("2")])
    tell(person([added("4", "Run tests")]))
    agent([changed("4", { status: "completed" })])
    agent([removed("4")])
    expect(call(wantedOf("Write docs", "Run tests"))).toEqual([])
    expect(linesOf(state)).toEqual(["1 Write docs pending", "5 Run tests pending"])
  })

  test("N3 does not bring back what a person removed, added again and then took back", () => {
    const { state, person, tell, call } = planned()
    tell(person([removed("2")]))
    const entry = person([added("4", "Run tests")])
    const todo: Todo = { id: "4", content: "Run tests", status: "pending" }
    tell(entry, person([{ type: "todo-removed", todo }], { undoes: entry }))
    const reworded = person([changed("3", { content: "Run tests" })])
    tell(reworded, person([changed("3", { content: "Deploy" })], { undoes: reworded }))
    expect(call(wantedOf(...list))).toEqual(["removed-by-person"])
    expect(linesOf(state)).toEqual(["1 Write docs pending", "3 Deploy pending"])
  })

  test("N3 may add again what the agent itself removed", () => {
    const { state, call } = planned()
    call(wantedOf("Write docs", "Deploy"))
    expect(call(wantedOf(...list))).toEqual([])
    expect(linesOf(state)).toEqual(["1 Write docs pending", "4 Run tests pending", "3 Deploy pending"])
  })

  test("N3 does not bring back what a person cleared", () => {
    const { state, person, call } = planned()
    person([{ type: "plan-cleared", todos: [...state.plan.todos] }])
    expect(call(wantedOf(...list, "Something new"))).toEqual(Array(3).fill("removed-by-person"))
    expect(linesOf(state)).toEqual(["4 Something new pending"])
  })

  test("N3 does not drop what a person added or reworded, told or not", () => {
    const { state, person, tell, call } = planned()
    const entry = person([added("4", "Call Ann"), changed("3", { content: "Ship" })])
    const expected = ["1 Write docs pending", "2 Run tests pending", "3 Ship pending", "4 Call Ann pending"]
    call(wantedOf("Write docs", "Run tests"))
    expect(linesOf(state)).toEqual(expected)
    tell(entry)
    call(wantedOf("Write docs", "Run tests"))
    expect(linesOf(state)).toEqual(expected)
  })

  test("N3 does not revert a rewording though the agent still uses the old text", () => {
    const { state, person, tell, call } = planned()
    const entry = person([changed("2", { content: "Check with the customer" })])
    const wanted: Wanted[] = [
      { content: "Write docs", status: "completed" },
      { content: "Run tests", status: "in_progress", activeForm: "Running tests" },
      { content: "Deploy" },
    ]
    const expected = ["1 Write docs completed", "2 Check with the customer in_progress", "3 Deploy pending"]
    call(wanted)
    expect(linesOf(state)).toEqual(expected)
    tell(entry)
    call(wanted)
    call(wanted.map((item) => ({ ...item, content: `${item.content?.toUpperCase()}.` })).slice(1, 2), {
      keepUnfinished: true,
    })
    expect(linesOf(state)).toEqual(expected.slice(1))
    expect(state.plan.todos[0]?.activeForm).toBeUndefined()
  })

  test("N3 computed before a person's removal does not bring the todo back", () => {
    const { state, agent, person } = planned()
    const { events } = diff(state.plan, [
      { content: "Run tests", status: "in_progress" },
      ...wantedOf("Write docs", "Deploy"),
    ])
    person([removed("2")])
    agent(events)
    expect(linesOf(state)).toEqual(["1 Write docs pending", "3 Deploy pending"])
  })

  test("N3 computed before a person's addition does not drop it and gives no id twice", () => {
    const { state, agent, person } = planned()
    const { events } = diff(state.plan, wantedOf("Run tests", "Brand new"))
    person([added("4", "Call Ann")])
    agent(events)
    expect(linesOf(state)).toEqual(["2 Run tests pending", "4 Call Ann pending", "5 Brand new pending"])
  })
})

describe("scale", () => {
  test("C4 10,000 entries over 1,000 todos fold and fold again from a snapshot", () => {
    const { state, agent } = createLog()
    const numbers = Array.from({ length: 1000 }, (_, index) => String(index + 1))
    agent(numbers.map((number) => added(number, `Todo ${number}`)))
    for (let round = 0; round < 10; round += 1) {
      const status = round % 2 === 0 ? "in_progress" : "pending"
      for (const number of numbers) agent([changed(number, { status })])
    }
    expect([state.ledger.entries, state.plan.revision]).toEqual([10_001, 10_001])
    expect(createFold(throughJson(state.snapshot())).ledger).toEqual(state.ledger)
  })
})
