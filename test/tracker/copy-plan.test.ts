/** A plan that becomes a part of another: nothing is lost, nothing comes twice, whatever was there and whenever it stops. */
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import type { Todo } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { Store } from "../../src/stores/store.ts"
import { copyPlan, joinPlan } from "../../src/tracker/copy-plan.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Decide } from "../../src/tracker/tracker.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { createClock } from "./open.ts"

const person = { kind: "person", id: "ada" } as const
const [from, to] = [
  { session: "own", agent: "main" },
  { session: "session", agent: "main" },
]

const write = async (store: Store, session: string, ...contents: string[]): Promise<void> => {
  const tracker = await openTracker({ store, session })
  await tracker.write({ tool: "todo", input: { todos: contents.map((content) => ({ content })) } }, dialects.headway)
  await tracker.close()
}

const edit = async (store: Store, session: string, decide: Decide, now = () => new Date()): Promise<void> => {
  const tracker = await openTracker({ store, session, now })
  await tracker.edit(person, decide)
  await tracker.close()
}

const removed = (todo: Todo) => ({ type: "todo-removed", todo }) as const

const planOf = async (store: Store, session: string) => {
  const tracker = await openTracker({ store, session })
  const { plan, ledger } = tracker
  await tracker.close()
  return { todos: plan.todos.map(({ id, content }) => `${id} ${content}`), ledger }
}

const join = (store: Store) => joinPlan({ store, from, to, now: () => new Date(), onProblem: () => {} })

const sessionsIn = async (store: Store): Promise<string[]> =>
  (await store.list()).plans.map(({ session }) => session).toSorted()

describe.each([
  ["in files", () => createFileStore({ home: temporaryFolder() })],
  ["in memory", () => createMemoryStore()],
])("%s", (_, open) => {
  test("a session without a plan gets the log as it is: ids, removed todos, and what the agent was not told", async () => {
    const store = open()
    await write(store, "own", "Read", "Write", "Publish")
    const tracker = await openTracker({ store, session: "own" })
    await tracker.edit(person, ({ todos }) => todos.slice(1, 2).map((todo) => ({ type: "todo-removed", todo })))
    await tracker.close()
    const before = await store.load(from)
    await join(store)
    const { todos, ledger } = await planOf(store, "session")
    expect(todos).toEqual(["1 Read", "3 Publish"])
    expect(ledger.opened?.session).toBe("session")
    expect([ledger.untold.size, ledger.removed.has("2")]).toEqual([1, true])
    expect((await store.load(to)).entries.map(({ id }) => id)).toEqual(before.entries.map(({ id }) => id))
    expect(await sessionsIn(store)).toEqual(["session"])
  })

  test("a session with a plan gets what is missing, and equal todos once", async () => {
    const store = open()
    await write(store, "session", "Read", "Write")
    await write(store, "own", "Write", "Publish")
    await join(store)
    expect((await planOf(store, "session")).todos).toEqual(["1 Read", "2 Write", "3 Publish"])
    expect(await sessionsIn(store)).toEqual(["session"])
  })

  test("later changes in the existing plan stay, and later changes in the other are added", async () => {
    const store = open()
    const { now } = createClock()
    const say = async (session: string, todos: object[]): Promise<void> => {
      const tracker = await openTracker({ store, session, now })
      await tracker.write({ tool: "todo", input: { todos } }, dialects.headway)
      await tracker.close()
    }
    await say("session", [{ content: "Write", status: "in_progress" }, { content: "Publish" }])
    await say("own", [{ content: "Read", status: "completed", notes: ["twice"] }, { content: "Publish" }])
    await say("own", [{ content: "Write", status: "blocked", reason: "no pen" }, { content: "Rest" }])
    await say("own", [{ content: "Publish", status: "completed" }])
    await say("session", [{ content: "Read" }, { content: "Write", status: "completed" }, { content: "Rest" }])
    await edit(store, "session", ({ todos }) => todos.slice(-1).map(removed), now)
    await join(store)
    const tracker = await openTracker({ store, ...to })
    expect(tracker.plan.todos).toEqual([
      { id: "1", content: "Write", status: "completed" },
      { id: "2", content: "Publish", status: "completed" },
      { id: "3", content: "Read", status: "pending" },
    ])
    await tracker.close()
  })

  test.each<[string, Decide, string[], string]>([
    ["removed", ({ todos }) => todos.slice(0, 1).map(removed), ["1 Read", "3 Publish"], 'removed 2 "Write"'],
    ["removed all of", ({ todos }) => todos.map(removed), ["1 Read"], 'removed 3 "Publish"'],
    [
      "added to",
      () => [{ type: "todo-added", todo: { id: "1", content: "Rest", status: "pending" } }],
      ["1 Read", "2 Write", "3 Publish", "4 Rest"],
      'added 4 "Rest"',
    ],
    [
      "reworded",
      () => [{ type: "todo-changed", id: "1", from: { content: "Write" }, to: { content: "Rewrite" } }],
      ["1 Read", "2 Rewrite", "3 Publish"],
      '2 "Write": reworded to "Rewrite"',
    ],
  ])(
    "what a person %s and the agent was not told is applied, and told once, where a plan existed",
    async (_, decide, todos, told) => {
      const store = open()
      await write(store, "session", "Read", "Write")
      await write(store, "own", "Write", "Publish")
      await edit(store, "own", decide)
      const copy = (await store.load(from)).entries
      await join(store)
      // As after a join that was cut off before the first plan was removed.
      for (const entry of copy) await store.append(from, entry)
      await join(store)
      expect((await planOf(store, "session")).todos).toEqual(todos)
      const tracker = await openTracker({ store, ...to })
      expect(await tracker.tellAgent()).toContain(told)
      expect(await tracker.tellAgent()).toBeUndefined()
      await tracker.close()
      expect(await sessionsIn(store)).toEqual(["session"])
    },
  )

  test("what a person writes during the join is included, also by a clock that was set back", async () => {
    const store = open()
    await write(store, "own", "Read")
    let isLate = false
    const late: Store = {
      ...store,
      async sweep(condition) {
        const todo = { id: "2", content: "Late", status: "pending" } as const
        if (!isLate)
          await edit(
            store,
            "own",
            () => [{ type: "todo-added", todo }],
            () => new Date(0),
          )
        isLate = true
        return store.sweep(condition)
      },
    }
    await join(late)
    expect((await planOf(store, "session")).todos).toEqual(["1 Read", "2 Late"])
    expect(await sessionsIn(store)).toEqual(["session"])
  })

  test.each([
    ["none yet", [], ["1 Read"]],
    ["one", ["Look"], ["1 Look", "2 Read"]],
  ])("what a sub-agent wrote becomes its own plan under its parent's, where it has %s (C10)", async (_, had, todos) => {
    const store = open()
    const child = { session: "session", agent: "child" }
    await write(store, "session", "Of the parent")
    if (had.length > 0) {
      const parent = await openTracker({ store, ...to })
      const tracker = await parent.child("child")
      await tracker.write({ tool: "todo", input: { todos: had } }, dialects.headway)
      for (const one of [tracker, parent]) await one.close()
    }
    await write(store, "own", "Read")
    await joinPlan({ store, from, to: child, now: () => new Date(), onProblem: () => {} })
    const joined = await openTracker({ store, ...child })
    expect(joined.plan.todos.map(({ id, content }) => `${id} ${content}`)).toEqual(todos)
    expect(joined.ledger.opened?.parent).toEqual({ agent: "main" })
    await joined.close()
    expect((await planOf(store, "session")).todos).toEqual(["1 Of the parent"])
    expect(await sessionsIn(store)).toEqual(["session", "session"])
  })

  test("a join that was cut off is finished by the next, and one without a plan changes nothing", async () => {
    const store = open()
    await write(store, "own", "Read")
    await write(store, "own", "Write")
    const [first] = (await store.load(from)).entries
    await copyPlan({ store, from, to, endsBefore: ({ id }) => id !== first?.id })
    expect((await planOf(store, "session")).todos).toEqual(["1 Read"])
    for (let time = 0; time < 3; time += 1) await join(store)
    expect((await planOf(store, "session")).todos).toEqual(["1 Read", "2 Write"])
    expect(await sessionsIn(store)).toEqual(["session"])
  })

  test.each([
    ["none yet", []],
    ["one", ["Look"]],
  ])("what is removed from the session's plan during the join comes again, where it has %s", async (_, had) => {
    const store = open()
    if (had.length > 0) await write(store, "session", ...had)
    await write(store, "own", "Read")
    await write(store, "own", "Write")
    let isSwept = false
    const swept: Store = {
      ...store,
      async append(key, ...rest) {
        const loaded = await store.append(key, ...rest)
        if (!isSwept && key.session === "session") await store.sweep(({ session }) => session === "session")
        isSwept ||= key.session === "session"
        return loaded
      },
    }
    await join(swept)
    const { todos } = await planOf(store, "session")
    expect(todos.map((todo) => todo.replace(/^\d+ /, ""))).toEqual(expect.arrayContaining(["Read", "Write"]))
    expect(await sessionsIn(store)).toEqual(["session"])
  })

  test("a plan that cannot be removed after the join is reported, and is joined again without doubling anything", async () => {
    const store = open()
    await write(store, "session", "Look")
    await write(store, "own", "Read")
    const full: Store = { ...store, sweep: async () => ({ removed: [], problems: [] }) }
    expect(await join(full)).toBe(false)
    expect(await join(store)).toBe(true)
    expect((await planOf(store, "session")).todos).toEqual(["1 Look", "2 Read"])
    expect(await sessionsIn(store)).toEqual(["session"])
  })

  test.each([
    ["Fix test 1", "Fix test 2"],
    ["Write tests for the parser", "Write tests for the printer"],
    ["Review PR 17", "Review PR 19"],
  ])("a todo that only sounds like one of the session is another: %s, %s", async (here, own) => {
    const store = open()
    await write(store, "session", "Look", here)
    await write(store, "own", "Look", own)
    await join(store)
    expect((await planOf(store, "session")).todos).toEqual(["1 Look", `2 ${here}`, `3 ${own}`])
    expect(await sessionsIn(store)).toEqual(["session"])
  })

  test("a plan that is joined to itself stays as it is", async () => {
    const store = open()
    await write(store, "own", "Read")
    const isDone = await joinPlan({ store, from, to: { ...from }, now: () => new Date(), onProblem: () => {} })
    expect(isDone).toBe(true)
    expect((await planOf(store, "own")).todos).toEqual(["1 Read"])
  })

  test("a copy leaves the other plan as it is, and both continue separately", async () => {
    const store = open()
    await write(store, "own", "Read")
    await copyPlan({ store, from, to })
    await copyPlan({ store, from, to })
    await write(store, "session", "Of the copy")
    await write(store, "own", "Of the other")
    expect((await planOf(store, "session")).todos).toEqual(["1 Read", "2 Of the copy"])
    expect((await planOf(store, "own")).todos).toEqual(["1 Read", "2 Of the other"])
  })
})

describe("a plan that becomes part of one with other ids", () => {
  /** The lists that the agent sent in the plan that is joined, and before that in the one it joins. */
  const begun = async (there: string[], ...here: string[][]) => {
    const store = createMemoryStore()
    const { now } = createClock()
    const send = async (session: string, contents: string[]) => {
      const tracker = await openTracker({ store, session, now })
      const todos = contents.map((content) => ({ content, status: "pending" }))
      await tracker.write({ tool: "TodoWrite", input: { todos } }, dialects["claude-todos"])
      await tracker.close()
    }
    await send("session", there)
    for (const contents of here) await send("own", contents)
    const joined = async (...decisions: Decide[]) => {
      for (const decide of decisions) await edit(store, "own", decide, now)
      await joinPlan({ store, from, to, now, onProblem: () => {} })
      const tracker = await openTracker({ store, session: "session", now })
      await tracker.close()
      return tracker.plan.todos
    }
    return { joined }
  }

  test("removes there what a person removed here, whatever its id is", async () => {
    const { joined } = await begun(["Fix", "Write", "Deploy"], ["Fix", "Deploy", "Write"])
    const todos = await joined((plan) => plan.todos.filter(({ content }) => content === "Deploy").map(removed))
    expect(todos.map(({ content }) => content)).toEqual(["Fix", "Write"])
  })

  test("keeps a todo that its agent left out for a while", async () => {
    const { joined } = await begun(
      ["Fix", "Write", "Deploy"],
      ["Fix", "Write", "Deploy"],
      ["Fix", "Deploy"],
      ["Fix", "Write", "Deploy"],
    )
    expect((await joined()).map(({ content }) => content).toSorted()).toEqual(["Deploy", "Fix", "Write"])
  })

  test("has a person's change on the same one of two todos with one text", async () => {
    const { joined } = await begun(["Fix", "Test", "Ship", "Test"], ["Fix", "Test", "Ship", "Test"])
    const todos = await joined(() => [{ type: "todo-changed", id: "2", from: {}, to: { notes: ["ask Ada"] } }])
    expect(todos.map(({ id, notes }) => [id, notes])).toEqual([
      ["1", undefined],
      ["2", ["ask Ada"]],
      ["3", undefined],
      ["4", undefined],
    ])
  })

  test("a person's change that the agent knows of stays theirs, on the right one of two todos with one text", async () => {
    const store = createMemoryStore()
    await write(store, "session", "Fix", "Test", "Test")
    await write(store, "own", "Test", "Fix", "Test")
    const own = await openTracker({ store, session: "own" })
    await own.edit(person, () => [{ type: "todo-changed", id: "1", from: {}, to: { priority: "high" } }])
    await own.tellAgent()
    await own.close()
    await join(store)
    const { ledger } = await planOf(store, "session")
    expect(ledger.todos.get("2")?.set.priority?.by).toEqual(person)
    expect(ledger.todos.get("3")?.set.priority).toBeUndefined()
  })

  test("has both a todo that a person added and the one that they reworded in the same change", async () => {
    const { joined } = await begun(["A", "B", "C", "D"], ["Write docs"])
    const todos = await joined(({ todos: [first] }) => [
      { type: "todo-changed", id: first?.id ?? "", from: { content: "Write docs" }, to: { content: "Write all docs" } },
      { type: "todo-added", todo: { id: "5", content: "Ask Ada", status: "pending" } },
    ])
    expect(todos.map(({ content }) => content)).toEqual(expect.arrayContaining(["Write all docs", "Ask Ada"]))
    expect(todos.map(({ content }) => content)).not.toContain("Write docs")
  })
})
