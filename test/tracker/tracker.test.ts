/** One plan of one agent: calls in order, copies out, nothing lost, moved with the session. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import {
  activeTodo,
  edits,
  type PlanEvent,
  type Problem,
  progressOf,
  type Todo,
  type Wanted,
} from "../../src/plan/index.ts"
import { createLedger, type Ledger } from "../../src/plan/log/ledger.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { PlanSummary, Store } from "../../src/stores/store.ts"
import type { Change } from "../../src/tracker/tracker.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { agent, contentsOf, open, patch, pending, person, todoWrite } from "./open.ts"

describe("lists of several agents", () => {
  test("agents of one session never see or touch each other's list (C10)", async () => {
    const store = createMemoryStore()
    const main = await open({ store })
    const helper = await open({ store, agent: "helper" })
    await todoWrite(main, pending("Read", "Write"))
    await todoWrite(helper, pending("Help"))
    await helper.clear(person)
    await todoWrite(main, pending("Read"))
    expect([contentsOf(main), contentsOf(helper)]).toEqual([["Read"], []])
    const [again, other] = [await open({ store }), await open({ store, session: "other" })]
    expect([contentsOf(again), contentsOf(other)]).toEqual([["Read"], []])
  })
})

describe("the order of calls", () => {
  test("two writes in one turn apply in call order (C26)", async () => {
    const tracker = await open()
    const [first, second] = await Promise.all([
      todoWrite(tracker, pending("Read", "Write")),
      todoWrite(tracker, [{ content: "Write", status: "in_progress" }]),
    ])
    expect(first.plan.todos).toHaveLength(2)
    expect(second.plan.todos).toMatchObject([{ id: "2", content: "Write", status: "in_progress" }])
    expect(contentsOf(tracker)).toEqual(["Write"])
  })

  test("fifty writes at once apply in call order, edits and undo among them (C26)", async () => {
    const tracker = await open({ store: createFileStore({ home: temporaryFolder() }) })
    await patch(tracker, [{ content: "Count" }])
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? patch(tracker, [{ id: "1", description: `${index}` }])
          : tracker.edit(agent, ({ todos }) => todos.flatMap((todo) => edits.note(todo, `${index}`))),
      ),
    )
    expect(tracker.plan.todos[0]).toMatchObject({ description: "48" })
    expect(tracker.plan.todos[0]?.notes).toEqual(Array.from({ length: 25 }, (_, index) => `${index * 2 + 1}`))
    await tracker.close()
  })

  test("a call that fails delays none of those after it (C26)", async () => {
    const store = createMemoryStore()
    let failing = true
    const broken: Store = {
      ...store,
      append: async (key, entry) => {
        if (failing) throw new Error("no room")
        return store.append(key, entry)
      },
    }
    const tracker = await open({ store: broken })
    const lost = todoWrite(tracker, pending("Read"))
    const kept = lost.catch(() => {
      failing = false
      return todoWrite(tracker, pending("Write"))
    })
    await expect(lost).rejects.toThrow("no room")
    await kept
    expect(contentsOf(tracker)).toEqual(["Write"])
  })

  test("one call id is applied once, however often and by whichever caller it is sent", async () => {
    const store = createMemoryStore()
    const [tracker, other] = [await open({ store }), await open({ store })]
    await todoWrite(tracker, pending("Read"), "call-1")
    const repeated = await todoWrite(other, pending("Read", "Write"), "call-1")
    expect(repeated).toMatchObject({ ok: true, events: [] })
    await Promise.all([todoWrite(tracker, pending("Rest"), "call-2"), todoWrite(other, pending("Sleep"), "call-2")])
    expect(contentsOf(tracker)).toEqual(["Rest"])
    expect((await other.refresh()).todos).toEqual(tracker.plan.todos)
  })

  test("a write that never returns is not acknowledged", async () => {
    const store = createMemoryStore()
    const tracker = await open({ store: { ...store, append: (key, _entry, from) => store.load(key, from) } })
    await expect(todoWrite(tracker, pending("Read"))).rejects.toThrow(/could not be read back/)
  })
})

describe("the manager", () => {
  test("set makes the list exactly this, and matching todos keep their ids (G4, N3)", async () => {
    const tracker = await open()
    await tracker.set(agent, [{ content: "Read" }, { content: "Write", status: "in_progress" }])
    await tracker.set(agent, [{ content: "Write", status: "completed" }, { content: "Rest" }])
    expect(tracker.plan.todos).toMatchObject([
      { id: "2", content: "Write", status: "completed" },
      { id: "3", content: "Rest", status: "pending" },
    ])
  })

  test.each([
    ["empty-todo", { content: " \u0007" }],
    ["empty-todo", { content: "" }],
    ["empty-todo", {}],
    ["unknown-status", { content: "Write", status: "soon" }],
    ["invalid-todo", { content: "Write", notes: "none" }],
  ])("set refuses a list with what is no todo, as %s, and changes nothing", async (code, item) => {
    const tracker = await open()
    await tracker.set(person, [{ content: "Read" }])
    await expect(tracker.set(person, [{ content: "Read" }, item as Wanted])).rejects.toMatchObject({ code })
    expect(contentsOf(tracker)).toEqual(["Read"])
    await tracker.set(person, [{ id: "1", status: "completed" }])
    expect(tracker.plan.todos).toMatchObject([{ content: "Read", status: "completed" }])
  })

  test("a person's list is exactly as the person gives it, even with what was removed before (G4)", async () => {
    const tracker = await open()
    await tracker.set(person, [{ content: "Read" }, { content: "Write" }])
    await tracker.edit(person, ({ todos }) => todos.slice(0, 1).flatMap(edits.remove))
    await tracker.set(person, [{ content: "Read" }])
    expect(contentsOf(tracker)).toEqual(["Read"])
  })

  test("no map or set of the ledger can be changed, whichever there are", async () => {
    const tracker = await open()
    await patch(tracker, [{ content: "Read" }])
    const held = Object.keys(createLedger()).filter((name) => {
      const part: unknown = createLedger()[name as keyof Ledger]
      return part instanceof Map || part instanceof Set
    })
    expect(held).toContain("toldAt")
    for (const name of held) {
      const part = tracker.ledger[name as keyof Ledger] as unknown as Map<string, unknown> & Set<string>
      for (const change of ["set", "add", "delete", "clear"] as const)
        expect([name, part[change]]).toEqual([name, undefined])
      expect(() => Object.assign(part, { set: () => {} })).toThrow(TypeError)
    }
  })

  test("returned values cannot be used to change the plan (G4)", async () => {
    const tracker = await open()
    const written = await patch(tracker, [{ content: "Read", phase: "One", notes: ["a"], owner: "x" }])
    const seen: Change[] = []
    tracker.subscribe((change) => seen.push(change))
    await patch(tracker, [{ content: "Write", phase: "One" }])
    const before = structuredClone(tracker.plan)
    for (const plan of [tracker.plan, written.plan, ...seen.map((change) => change.plan)]) {
      const todos = plan.todos as Todo[]
      const attempts = [
        () => todos.push({ id: "9", content: "Sneaked in", status: "pending" }),
        () => todos.splice(0),
        () => Object.assign(todos[0] ?? {}, { content: "Changed" }),
        () => (todos[0]?.notes as string[] | undefined)?.push("b"),
        () => (plan.phases as string[]).push("Two"),
      ]
      for (const attempt of attempts) expect(attempt).toThrow(TypeError)
    }
    expect(tracker.plan).toEqual(before)
    await patch(tracker, [{ id: "1", status: "completed", notes: ["a", "c"] }])
    expect(tracker.plan.todos[0]).toMatchObject({ status: "completed", notes: ["a", "c"] })
    expect((await tracker.refresh()).todos).toHaveLength(2)
  })

  test("a returned plan stays as it was (G4)", async () => {
    const tracker = await open()
    const { plan } = await todoWrite(tracker, pending("Read"))
    await tracker.clear(agent)
    expect(contentsOf({ plan })).toEqual(["Read"])
  })

  test("the todo in progress and the progress are known, 0 for an empty list (G4)", async () => {
    const tracker = await open()
    expect(progressOf(tracker.plan)).toEqual({ completed: 0, total: 0, percent: 0 })
    expect(activeTodo(tracker.plan)).toBeUndefined()
    await patch(tracker, [
      { content: "Read", status: "completed" },
      { content: "Write", status: "in_progress" },
      { content: "Sleep", status: "pending" },
      { content: "Dream", status: "cancelled" },
    ])
    expect(progressOf(tracker.plan)).toEqual({ completed: 1, total: 3, percent: 33 })
    expect(activeTodo(tracker.plan)?.content).toBe("Write")
  })

  test("clear empties the list, and on an empty one writes nothing (G4)", async () => {
    const tracker = await open()
    await patch(tracker, [{ content: "Read", phase: "One" }])
    expect(await tracker.clear(agent)).toMatchObject([{ type: "plan-cleared" }])
    expect(tracker.plan).toMatchObject({ todos: [], phases: [] })
    expect(await tracker.clear(agent)).toEqual([])
    expect(await tracker.entries()).toHaveLength(2)
  })
})

describe("restoring", () => {
  test("a plan is saved with its session and restored with it (G7, C14)", async () => {
    const home = temporaryFolder()
    const tracker = await open({
      store: createFileStore({ home }),
      opened: { agentType: "claude-code", project: "/p" },
    })
    await patch(tracker, [{ content: "Deploy", status: "blocked", reason: "no key", waitsFor: "Ada", phase: "Ship" }])
    await tracker.close()
    const again = await open({ store: createFileStore({ home }) })
    expect(again.plan).toEqual(tracker.plan)
    expect(again.ledger.opened).toEqual({
      type: "plan-opened",
      session: "s",
      agent: "main",
      agentType: "claude-code",
      project: "/p",
    })
    await again.close()
  })

  test("a plan started by two processes at once is opened once", async () => {
    const store = createMemoryStore()
    const [one, other] = [await open({ store }), await open({ store })]
    await Promise.all([patch(one, [{ content: "Read" }]), patch(other, [{ content: "Write" }])])
    expect((await one.refresh()).todos.map(({ id, content }) => [id, content])).toEqual([
      ["1", "Read"],
      ["2", "Write"],
    ])
    expect((await other.refresh()).todos).toEqual(one.plan.todos)
    expect(one.ledger.opened).toMatchObject({ session: "s", agent: "main" })
  })
})

test("a call that found nothing to change is not applied when it is sent again later", async () => {
  const tracker = await open()
  await todoWrite(tracker, pending("Read", "Write"))
  await todoWrite(tracker, pending("Read", "Write"), "call-1")
  await patch(tracker, [{ id: "1", status: "completed" }])
  await todoWrite(tracker, pending("Read", "Write"), "call-1")
  expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["completed", "pending"])
})

describe("moving to a new session", () => {
  test("copies the list and continues there, the old session keeps its own (C15)", async () => {
    const home = temporaryFolder()
    const tracker = await open({ store: createFileStore({ home }), session: "old" })
    await patch(tracker, [
      { content: "Read", status: "completed", phase: "One", notes: ["a"] },
      { content: "Write", phase: "Two", blockedBy: ["1"] },
    ])
    const before = structuredClone(tracker.plan)
    expect(await tracker.moveTo("new")).toBe(true)
    expect(tracker.key).toEqual({ session: "new", agent: "main" })
    expect(tracker.plan.todos).toEqual(before.todos)
    expect(tracker.plan.phases).toEqual(before.phases)
    await patch(tracker, [{ id: "2", status: "completed" }])
    await tracker.close()
    const old = await open({ store: createFileStore({ home }), session: "old" })
    expect(old.plan.todos).toEqual(before.todos)
    const again = await open({ store: createFileStore({ home }), session: "new" })
    expect(again.plan.todos.map(({ status }) => status)).toEqual(["completed", "completed"])
    const moves = async (one: typeof old) => (await one.entries()).flatMap(({ events }) => events.filter(isMove))
    expect(await moves(old)).toEqual([{ type: "plan-moved", to: "new" }])
    expect(await moves(again)).toEqual([{ type: "plan-moved", from: "old" }])
    await Promise.all([old.close(), again.close()])
  })

  const isMove = ({ type }: { type: string }): boolean => type === "plan-moved"

  test("with nothing to copy returns false and writes nothing (C15)", async () => {
    const store = createMemoryStore()
    const tracker = await open({ store })
    expect(await tracker.moveTo("new")).toBe(false)
    expect(tracker.key.session).toBe("s")
    expect((await store.list()).plans).toEqual([])
  })

  test("there and back again doubles nothing (C15)", async () => {
    const tracker = await open({ session: "one" })
    await todoWrite(tracker, pending("Read", "Write"))
    await tracker.moveTo("two")
    await patch(tracker, [{ id: "1", status: "completed" }, { content: "Publish the results" }])
    expect(await tracker.moveTo("one")).toBe(true)
    expect(tracker.plan.todos.map(({ id, content, status }) => [id, content, status])).toEqual([
      ["1", "Read", "completed"],
      ["2", "Write", "pending"],
      ["3", "Publish the results", "pending"],
    ])
  })

  test("that others write to keeps what they wrote, and includes what was removed", async () => {
    const store = createMemoryStore()
    const tracker = await open({ store, session: "one" })
    await todoWrite(tracker, pending("Read", "Write"))
    await tracker.moveTo("two")
    const other = await open({ store, session: "one" })
    await patch(other, [{ content: "Asked for by another" }])
    await todoWrite(tracker, pending("Write"))
    await tracker.moveTo("one")
    expect(contentsOf(tracker)).toEqual(["Write", "Asked for by another"])
  })

  test("to the current session returns false and doubles nothing (C15)", async () => {
    const tracker = await open()
    await todoWrite(tracker, pending("Read"))
    expect(await tracker.moveTo("s")).toBe(false)
    expect(contentsOf(tracker)).toEqual(["Read"])
  })
})

describe("history", () => {
  test("has every change with its time, its author and its tool (N8)", async () => {
    const tracker = await open()
    await todoWrite(tracker, pending("Read", "Write"), "call-1")
    await tracker.edit(person, ({ todos }) => todos.slice(0, 1).flatMap(edits.done))
    await tracker.clear(agent)
    const entries = await tracker.entries()
    expect(entries.map(({ by }) => by.kind)).toEqual(["agent", "person", "agent"])
    expect(entries[0]).toMatchObject({
      at: "2030-01-01T00:01:00.000Z",
      via: { dialect: "claude-todos", tool: "TodoWrite", callId: "call-1" },
    })
    expect(entries[1]?.by).toEqual(person)
    expect(new Set(entries.map(({ id }) => id)).size).toBe(3)
    expect(entries.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
      "plan-opened",
      "todo-added",
      "todo-added",
      "todo-changed",
      "plan-cleared",
    ])
  })

  test("has no entry for what changes nothing (N8)", async () => {
    const tracker = await open()
    await todoWrite(tracker, pending("Read"))
    expect((await todoWrite(tracker, pending("Read"))).events).toEqual([])
    await tracker.edit(person, () => [])
    await tracker.write({ tool: "todo", input: {} }, dialects.headway)
    await tracker.write({ tool: "todo", input: 42 }, dialects.headway)
    expect(await tracker.entries()).toHaveLength(1)
  })
})

describe("listeners", () => {
  test("a listener that throws stops neither the write nor the other listeners", async () => {
    const problems: Problem[] = []
    const tracker = await open({ onProblem: (problem) => problems.push(problem) })
    const seen: number[] = []
    tracker.subscribe(() => {
      throw new Error("broken screen")
    })
    tracker.subscribe(({ plan }) => seen.push(plan.todos.length))
    expect((await todoWrite(tracker, pending("Read", "Write"))).ok).toBe(true)
    expect(seen).toEqual([2])
    expect(problems).toMatchObject([{ code: "listener-failed", message: expect.stringContaining("broken screen") }])
  })

  test("a listener that throws loses no entry of a batch", async () => {
    const store = createMemoryStore()
    const [writer, reader] = [await open({ store }), await open({ store })]
    for (const content of ["Read", "Write", "Rest"]) await patch(writer, [{ content }])
    reader.subscribe(() => {
      throw new Error("broken screen")
    })
    expect((await reader.refresh()).todos).toHaveLength(3)
  })

  test("entries that are read together are reported one by one, with the one plan they lead to", async () => {
    const store = createMemoryStore()
    const [writer, reader] = [await open({ store }), await open({ store })]
    const seen: Change[] = []
    reader.subscribe((change) => seen.push(change))
    for (const content of ["Read", "Write", "Rest"]) await patch(writer, [{ content }])
    const plan = await reader.refresh()
    expect(seen.map(({ entry }) => entry.id)).toEqual((await writer.entries()).map(({ id }) => id))
    for (const change of seen) expect(change.plan).toBe(plan)
  })

  test("a problem handler that throws changes nothing (C17)", async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, "todos", "s-agent-main.json", "in the way"), { recursive: true })
    const tracker = await open({
      store: createFileStore({ home }),
      onProblem: () => {
        throw new Error("broken ear")
      },
    })
    expect((await todoWrite(tracker, pending("Read"))).ok).toBe(true)
    await tracker.close()
  })

  test("a listener that has stopped is not called again", async () => {
    const tracker = await open()
    const seen: Change[] = []
    const stop = tracker.subscribe((change) => seen.push(change))
    await todoWrite(tracker, pending("Read"))
    stop()
    await todoWrite(tracker, pending("Write"))
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ events: [{ type: "plan-opened" }, { type: "todo-added" }], entry: { by: agent } })
  })
})

describe("a store that keeps summaries", () => {
  test("gets the state of the plan after every entry, as a listing of the log has it", async () => {
    const inner = createMemoryStore()
    const given: PlanSummary[] = []
    const store: Store = { ...inner, keepSummary: async (_key, summary) => void given.push(summary) }
    const tracker = await open({ store })
    await todoWrite(tracker, pending("Read", "Write"))
    await tracker.edit(person, (plan) => edits.start(plan.todos[0] as Todo))
    expect(given.map(({ todos, current, upcoming }) => [todos, current ?? upcoming])).toEqual([
      [2, { kind: "next", content: "Read" }],
      [2, "Reading"],
    ])
    expect((await store.list()).plans).toEqual([given.at(-1)])
  })

  test("that fails does not affect the plan", async () => {
    const problems: Problem[] = []
    const failing = async (): Promise<never> => Promise.reject(new Error("The table is locked."))
    const store: Store = { ...createMemoryStore(), keepSummary: failing }
    const tracker = await open({ store, onProblem: (problem) => problems.push(problem) })
    await todoWrite(tracker, pending("Read"))
    expect(contentsOf(tracker)).toEqual(["Read"])
    expect(problems).toMatchObject([{ code: "no-summary", message: "The table is locked." }])
  })
})

describe("returned values cannot be used to change the plan", () => {
  const tamper = (events: readonly PlanEvent[]): void => {
    for (const event of events) if (event.type === "todo-added") Object.assign(event.todo, { status: "completed" })
  }

  test("those of a call, and of an edit", async () => {
    const tracker = await open()
    const { events } = await todoWrite(tracker, pending("Read"))
    expect(() => tamper(events)).toThrow(TypeError)
    const added = await tracker.edit(person, () => [
      { type: "todo-added", todo: { id: "", content: "Write", status: "pending" } },
    ])
    expect(() => tamper(added)).toThrow(TypeError)
    expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["pending", "pending"])
  })

  test("those of a listener, and the entries of a store in memory", async () => {
    const problems: string[] = []
    const tracker = await open({ onProblem: ({ code }) => problems.push(code) })
    tracker.subscribe(({ events }) => tamper(events))
    tracker.subscribe(({ entry }) => tamper(entry.events))
    await todoWrite(tracker, pending("Read"))
    expect(problems).toEqual(["listener-failed", "listener-failed"])
    await expect(tracker.entries().then(([entry]) => tamper(entry?.events ?? []))).rejects.toThrow(TypeError)
    expect(tracker.plan.todos.map(({ status }) => status)).toEqual(["pending"])
  })
})

test.each([[null], [5], [{ type: "todo-added" }], [{ type: "todo-changed", id: "1" }]])(
  "an invalid change, %j, is refused with a sentence",
  async (event) => {
    const tracker = await open()
    const change = tracker.edit(person, () => [event as unknown as PlanEvent])
    await expect(change).rejects.toMatchObject({ code: "invalid-change" })
  },
)

test("a caller can read the whole current ledger and change no part of it", async () => {
  const tracker = await open()
  await todoWrite(tracker, pending("Read", "Write"))
  const { ledger } = tracker
  await tracker.edit(person, (plan) => edits.done(plan.todos[0] as Todo))
  expect([...ledger.untold.values()].map(({ by }) => by)).toEqual([person])
  expect([...ledger.todos.keys()]).toEqual(["1", "2"])
  expect([...ledger.todos].map(([id]) => id)).toEqual(["1", "2"])
  const untold: { entry: string }[] = []
  for (const change of ledger.untold.values()) untold.push(change)
  const spoil: (() => void)[] = [
    () => (ledger.todos as Map<string, unknown>).clear(),
    () => (ledger.untold as Map<string, unknown>).delete(untold[0]?.entry ?? ""),
    () => (ledger.calls as Set<string>).add("x"),
    () => Object.assign(ledger, { paused: true }),
    () => Object.assign(ledger.todos.get("1")?.set ?? {}, { status: undefined }),
    () => Object.assign(untold[0] ?? {}, { entry: "x" }),
    () => Reflect.deleteProperty(ledger, "untold") || expect.fail(),
  ]
  for (const one of spoil) expect(one).toThrow()
  expect([ledger.todos.size, ledger.untold.size, ledger.paused]).toEqual([2, 1, false])
  expect({ ...ledger }).toMatchObject({ entries: 2, moves: 0 })
})
