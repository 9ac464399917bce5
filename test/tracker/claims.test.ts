/** Several agents on one plan: a todo is taken with a lease, through the tool or the tracker. */
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { createFold, edits, type PlanEvent, release, type Todo } from "../../src/plan/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { contentsOf, createClock, open, patch, person } from "./open.ts"

test("becoming the owner claims the todo; the next agent is told who has it, and its item changes nothing", async () => {
  const tracker = await open()
  await patch(tracker, [{ content: "Write" }, { content: "Read" }])
  const first = await patch(tracker, [{ id: "1", owner: "a", status: "in_progress" }])
  expect(first.text).toContain("1 is a's until 2030-01-01 00:32 UTC")
  const second = await patch(tracker, [
    { id: "1", owner: "b", status: "completed" },
    { id: "2", status: "in_progress" },
  ])
  expect(second.ok).toBe(false)
  expect(second.text).toContain('1 "Write" is taken by a until 2030-01-01 00:32 UTC')
  expect(second.plan.todos.map(({ status, owner }) => [status, owner])).toEqual([
    ["in_progress", "a"],
    ["in_progress", undefined],
  ])
})

test("an expired lease frees the todo", async () => {
  const clock = createClock()
  const tracker = await open({ now: clock.now })
  await patch(tracker, [{ content: "Write" }])
  expect(await tracker.claim("1", "a", 10)).toMatchObject({ isOurs: true, lease: { owner: "a" } })
  expect(await tracker.claim("1", "b")).toMatchObject({ isOurs: false, lease: { owner: "a" } })
  clock.pass(10)
  expect(await tracker.claim("1", "b")).toMatchObject({ isOurs: true, lease: { owner: "b" } })
})

test("naming the owner again renews the lease, and its owner may give the todo back", async () => {
  const store = createMemoryStore()
  const clock = createClock()
  const tracker = await open({ store, now: clock.now })
  await patch(tracker, [{ content: "Write" }])
  await patch(tracker, [{ id: "1", owner: "a" }])
  clock.pass(20)
  expect((await patch(tracker, [{ id: "1", owner: "a" }])).text).toContain("until 2030-01-01 00:53 UTC")
  await tracker.edit({ kind: "agent", id: "b" }, () => release("1", "b"))
  expect(tracker.plan.todos[0]?.owner).toBe("a")
  await tracker.edit({ kind: "agent", id: "a" }, () => release("1", "a"))
  expect(tracker.plan.todos[0]?.owner).toBeUndefined()
  expect((await tracker.claim("1", "b")).isOurs).toBe(true)
})

test("a removed or finished todo cannot be claimed", async () => {
  const tracker = await open()
  await patch(tracker, [{ content: "Write", status: "completed" }])
  expect((await tracker.claim("1", "a")).why).toContain("is completed")
  expect((await tracker.claim("7", "a")).why).toContain("no longer exists")
})

describe("what another agent has claimed", () => {
  const says = (tracker: Tracker, client: string, input: object) =>
    tracker.write({ tool: "todo", input, agent: "claude-code", client }, dialects.headway)
  const item = (content: string, status = "pending") => ({ content, status })

  /** Two agents of one name share a plan, and `two` holds the second todo. */
  const shared = async () => {
    const clock = createClock()
    const tracker = await open({ now: clock.now })
    await says(tracker, "one", { todos: [item("Build"), item("Write")] })
    await says(tracker, "two", { todos: [{ id: "2", owner: "writer", status: "in_progress", notes: ["half done"] }] })
    return { tracker, clock }
  }
  const held = { id: "2", content: "Write", status: "in_progress", notes: ["half done"], owner: "writer" }

  test("is neither removed nor changed by a whole list, and the reply says so", async () => {
    const { tracker } = await shared()
    const without = await says(tracker, "one", { todos: [item("Build", "completed")], replace: true })
    expect(without.text).toMatch(/^2 "Write" is taken by writer until 2030-01-01 00:\d\d UTC and stays as it is\.$/m)
    const other = await says(tracker, "one", { todos: [item("Build"), item("Write", "cancelled")], replace: true })
    expect(other.text).toContain("stays as it is")
    expect(other.ok).toBe(true)
    const empty = await says(tracker, "one", { todos: [], replace: true })
    expect(empty.text).toContain("stays as it is")
    expect(tracker.plan.todos).toEqual([held])
  })

  test("stays in every vocabulary that says whole lists, called or only seen", async () => {
    for (const observed of [true, false]) {
      const { tracker } = await shared()
      const todos = [{ ...item("Build", "completed"), activeForm: "Building" }]
      await tracker.write({ tool: "TodoWrite", input: { todos }, observed }, dialects["claude-todos"])
      expect(tracker.plan.todos).toContainEqual(held)
      await tracker.mirror({ todos: [{ id: "1", content: "Build", status: "pending" }], phases: [], callId: "c" })
      expect(tracker.plan.todos).toContainEqual(held)
      await tracker.clear({ kind: "agent", id: "main" })
      expect(tracker.plan.todos).toEqual([held])
    }
  })

  test("is named by the id that the agent's own tool gave it", async () => {
    const tracker = await open()
    const sees = (status: string) => {
      const todos = [{ id: "42", content: "Write", status }]
      return tracker.write({ tool: "todo_write", input: { todos }, observed: true }, dialects.qwen)
    }
    await sees("pending")
    await tracker.claim("1", "writer")
    const { problems } = await sees("completed")
    expect(problems).toMatchObject([
      { code: "claimed", message: expect.stringMatching(/^42 "Write" is taken by writer/) },
    ])
  })

  test("stays if the claim came after the list was decided on", async () => {
    const { tracker } = await shared()
    const list = await says(tracker, "one", { todos: [item("Test")] })
    const third = list.plan.todos.at(-1)
    if (!third) throw new Error("there is no third todo")
    await says(tracker, "two", { todos: [{ id: "3", owner: "writer" }] })
    await tracker.edit({ kind: "agent", id: "claude-code", client: "one" }, () => [
      { type: "todo-removed", todo: third },
    ])
    expect(contentsOf(tracker)).toEqual(["Build", "Write", "Test"])
  })

  test("can be changed by naming the todo or its owner, and by its own agent", async () => {
    const { tracker } = await shared()
    await says(tracker, "one", { todos: [{ id: "2", priority: "high" }] })
    expect(tracker.plan.todos[1]).toEqual({ ...held, priority: "high" })
    await says(tracker, "one", { todos: [{ id: "2", ...item("Write", "blocked"), owner: "writer" }], replace: true })
    expect(tracker.plan.todos).toMatchObject([{ id: "2", status: "blocked" }])
    await says(tracker, "one", { todos: [item("Publish")], replace: true })
    expect(contentsOf(tracker)).toEqual(["Publish"])
  })

  test("is free once the lease has ended", async () => {
    const { tracker, clock } = await shared()
    clock.pass(30)
    const { text } = await says(tracker, "one", { todos: [item("Build", "completed")], replace: true })
    expect(text).not.toContain("stays")
    expect(contentsOf(tracker)).toEqual(["Build"])
  })
})

test("the only agent of a plan drops what it has claimed itself, under any name", async () => {
  const tracker = await open()
  await patch(tracker, [{ content: "Build" }, { content: "Write" }])
  await patch(tracker, [{ id: "2", owner: "writer" }])
  await patch(tracker, [{ content: "Build", status: "pending" }], { replace: true })
  expect(contentsOf(tracker)).toEqual(["Build"])
  const entries = await tracker.entries()
  expect(entries.every(({ by }) => by.client === undefined)).toBe(true)
})

describe("a claim that ends with a person's change", () => {
  const changes: Record<string, (todo: Todo) => PlanEvent[]> = {
    done: edits.done,
    drop: edits.drop,
    remove: edits.remove,
    release: ({ id }) => release(id, "a"),
    "give to another owner": ({ id }) => [{ type: "todo-changed", id, from: { owner: "a" }, to: { owner: "c" } }],
  }
  const claimed = async (): Promise<Tracker> => {
    const tracker = await open()
    await patch(tracker, [{ content: "Write" }, { content: "Read" }])
    await tracker.claim("1", "a", 60)
    return tracker
  }
  const onFirst = (tracker: Tracker, edit: (todo: Todo) => PlanEvent[]) =>
    tracker.edit(person, ({ todos }) => todos.slice(0, 1).flatMap(edit))

  test.each(Object.entries(changes))(
    "holds again until the same time once the change is undone: %s",
    async (_, change) => {
      const tracker = await claimed()
      const { lease } = tracker.ledger.todos.get("1") ?? {}
      await onFirst(tracker, change)
      expect(tracker.ledger.todos.get("1")?.lease).toBeUndefined()
      await tracker.undo(person)
      expect(tracker.ledger.todos.get("1")?.lease).toEqual(lease)
      expect(tracker.plan.todos[0]?.owner).toBe("a")
      expect(await tracker.claim("1", "b")).toMatchObject({ isOurs: false, lease: { owner: "a" } })
    },
  )

  test("holds again after the plan was cleared", async () => {
    const tracker = await claimed()
    await tracker.clear(person)
    await tracker.undo(person)
    expect((await tracker.claim("1", "b")).isOurs).toBe(false)
  })

  test("ends again with the change that is brought back, and holds once that is undone too", async () => {
    const tracker = await claimed()
    await onFirst(tracker, edits.done)
    await tracker.undo(person)
    const undo = (await tracker.entries()).at(-1)?.id
    await tracker.undo(person, undo)
    expect(tracker.ledger.todos.get("1")?.lease).toBeUndefined()
    await tracker.undo(person, (await tracker.entries()).at(-1)?.id)
    expect(tracker.ledger.todos.get("1")?.lease).toMatchObject({ owner: "a" })
  })

  test("gives way to the claim of another agent after it", async () => {
    const tracker = await claimed()
    await onFirst(tracker, ({ id }) => release(id, "a"))
    await tracker.tellAgent()
    await tracker.claim("1", "b")
    expect(await tracker.undo(person)).toMatchObject({ events: [], left: [{ id: "1", fields: ["owner"] }] })
    expect(tracker.ledger.todos.get("1")?.lease).toMatchObject({ owner: "b" })
  })

  test("holds again in a plan that goes on from its folded state", async () => {
    const tracker = await claimed()
    await onFirst(tracker, edits.done)
    const before = await tracker.entries()
    await tracker.undo(person)
    const folded = createFold()
    for (const entry of before) folded.add(entry)
    const goingOn = createFold(JSON.parse(JSON.stringify(folded.snapshot())))
    for (const entry of (await tracker.entries()).slice(before.length)) goingOn.add(entry)
    expect(goingOn.ledger.todos.get("1")?.lease).toMatchObject({ owner: "a" })
  })
})

test("undoing an entry that also renewed a claim leaves the claim", async () => {
  const tracker = await open()
  await patch(tracker, [{ content: "Write" }])
  await patch(tracker, [{ id: "1", owner: "a" }])
  await patch(tracker, [{ id: "1", owner: "a", status: "in_progress" }])
  await tracker.undo(person, (await tracker.entries()).at(-1)?.id)
  expect(tracker.plan.todos[0]).toMatchObject({ status: "pending", owner: "a" })
  expect((await tracker.claim("1", "b")).isOurs).toBe(false)
})
