/** Several agents on one plan: each is told of each of a person's changes once, and a person wins against each of them. */
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { type Actor, createFold, type Entry, edits, type Todo } from "../../src/plan/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { joinPlan } from "../../src/tracker/copy-plan.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import type { Written } from "../../src/tracker/written.ts"
import { contentsOf, open, patch, person } from "./open.ts"

const system: Actor = { kind: "system", id: "headway" }

const says = (tracker: Tracker, client: string, todos: readonly object[], more: object = {}): Promise<Written> =>
  tracker.write({ tool: "todo", input: { todos, ...more }, agent: "claude-code", client }, dialects.headway)

const reads = (tracker: Tracker, client: string): Promise<Written> =>
  tracker.write({ tool: "todo", input: {}, agent: "claude-code", client }, dialects.headway)

const onTodo = (tracker: Tracker, id: string, edit: (todo: Todo) => ReturnType<typeof edits.remove>) =>
  tracker.edit(person, ({ todos }) => todos.filter((todo) => todo.id === id).flatMap(edit))

const add = (tracker: Tracker, content: string) =>
  tracker.edit(person, () => [{ type: "todo-added", todo: { id: "", content, status: "pending" } }])

/** Each agent has a tracker of its own, as in a process of its own. */
const shared = async (...clients: string[]) => {
  const store = createMemoryStore()
  const hand = await open({ store })
  await says(hand, clients[0] ?? "", [{ content: "Build" }, { content: "Write" }])
  const agents = await Promise.all(
    clients.map(async (client) => {
      const tracker = await open({ store })
      const agent = {
        says: (...todos: object[]) => says(tracker, client, todos),
        lists: (...todos: object[]) => says(tracker, client, todos, { replace: true }),
        reads: () => reads(tracker, client),
      }
      await agent.reads()
      return agent
    }),
  )
  const refreshed = async (): Promise<Tracker> => {
    await hand.refresh()
    return hand
  }
  return { store, hand, refreshed, agents }
}

describe("a person's change", () => {
  test("is told to each agent once, whichever calls first", async () => {
    const { hand, agents } = await shared("one", "two", "three")
    for (const content of ["Test", "Publish"]) {
      await add(hand, content)
      for (const agent of agents.reverse()) {
        expect((await agent.says({ id: "1", notes: [content] })).notice).toContain(`"${content}"`)
        expect((await agent.reads()).notice).toBeUndefined()
      }
    }
  })

  test("is told at once with those that others were told of before", async () => {
    const { hand, agents } = await shared("one", "two")
    const [one, two] = agents
    await add(hand, "Test")
    await one?.reads()
    await add(hand, "Publish")
    const notice = (await two?.reads())?.notice
    expect(notice?.match(/"\w+"/g)).toEqual(['"Test"', '"Publish"'])
    expect((await one?.reads())?.notice?.match(/"\w+"/g)).toEqual(['"Publish"'])
  })

  test("that is too long for one notice is told to each agent whole, in pieces", async () => {
    const { hand, agents } = await shared("one", "two")
    const ids = Array.from({ length: 60 }, (_, index) => String(index + 3))
    const long = (id: string): string => `Part ${id}: ${"check the totals, ".repeat(8)}`
    await hand.edit(person, () =>
      ids.map((id) => ({ type: "todo-added", todo: { id, content: long(id), status: "pending" } })),
    )
    const told: string[][] = [[], []]
    for (let turn = 0; turn < 12; turn += 1) {
      const notice = (await agents[turn % 2]?.reads())?.notice ?? ""
      told[turn % 2]?.push(...Array.from(notice.matchAll(/^- added (\d+) /gm), ([, id = ""]) => id))
    }
    expect(told).toEqual([ids, ids])
    expect((await agents[0]?.reads())?.notice).toBeUndefined()
  })

  test("is not told again to an agent whose server was started anew", async () => {
    const { store, hand, agents } = await shared("one", "two")
    await add(hand, "Test")
    expect((await agents[1]?.reads())?.notice).toContain("Test")
    const again = await open({ store })
    expect((await reads(again, "two")).notice).toBeUndefined()
    expect((await reads(again, "one")).notice).toContain("Test")
  })

  test("is not told to an agent that comes after all others know it, and is told to it if none does", async () => {
    const { hand, agents } = await shared("one", "two")
    await add(hand, "Test")
    for (const agent of agents) await agent.reads()
    expect((await reads(hand, "three")).notice).toBeUndefined()
    await add(hand, "Publish")
    expect((await reads(hand, "four")).notice).toContain("Publish")
    expect((await reads(hand, "three")).notice).toContain("Publish")
  })

  test("counts as told to all where the telling names no agent, as it did before", async () => {
    const { hand, agents } = await shared("one", "two")
    await add(hand, "Test")
    const [entry = ""] = hand.ledger.untold.keys()
    await hand.edit(system, () => [{ type: "agent-told", entries: [entry] }])
    for (const agent of agents) expect((await agent.reads()).notice).toBeUndefined()
  })

  test("is told to the agent whose plan it is as to all others, and holds against it until then", async () => {
    const { store, hand, agents } = await shared("one", "two")
    const own = await open({ store })
    await patch(own, [{ content: "Test" }])
    await add(hand, "Publish")
    await onTodo(hand, "2", (todo) => edits.block(todo, "release freeze"))
    for (const agent of agents) expect((await agent.reads()).notice).toContain("release freeze")
    expect((await patch(own, [{ id: "2", status: "in_progress" }])).notice).toContain("release freeze")
    expect(own.plan.todos[1]?.status).toBe("blocked")
    expect(await own.tellAgent()).toBeUndefined()
    await add(hand, "Announce")
    expect(await own.tellAgent()).toContain("Announce")
    for (const agent of agents) expect((await agent.reads()).notice).toContain("Announce")
  })
})

describe("against an agent that was not told", () => {
  test("a person's status holds, though another was told, until the agent is told too", async () => {
    const { hand, refreshed, agents } = await shared("one", "two")
    const [one, two] = agents
    await onTodo(hand, "1", (todo) => edits.block(todo, "release freeze"))
    expect((await two?.says({ id: "2", notes: ["half done"] }))?.notice).toContain("release freeze")
    const refused = await one?.says({ id: "1", status: "in_progress", notes: ["x"] })
    expect(refused?.notice).toContain("release freeze")
    expect((await refreshed()).plan.todos[0]).toMatchObject({
      status: "blocked",
      reason: "release freeze",
      notes: ["x"],
    })
    await one?.says({ id: "1", status: "in_progress" })
    expect((await refreshed()).plan.todos[0]?.status).toBe("in_progress")
  })

  test("a todo that a person removed stays away, and one that they added stays", async () => {
    const { hand, refreshed, agents } = await shared("one", "two")
    const [one, two] = agents
    await onTodo(hand, "2", edits.remove)
    await add(hand, "Test")
    await two?.reads()
    await one?.says({ content: "Write" })
    expect(contentsOf(await refreshed())).toEqual(["Build", "Test"])
    await onTodo(hand, "1", (todo) => edits.reword(todo, "Build it"))
    await two?.reads()
    await one?.lists({ content: "Build", status: "completed" })
    expect((await refreshed()).plan.todos).toMatchObject([
      { content: "Build it", status: "completed" },
      { content: "Test" },
    ])
  })

  test("a status that is held is not settled by the rules of its vocabulary", async () => {
    const { hand, refreshed, agents } = await shared("one", "two")
    await onTodo(hand, "1", edits.start)
    await agents[1]?.reads()
    const input = { ops: [{ op: "start", task: "Write" }] }
    await hand.write({ tool: "todo", input, agent: "oh-my-pi", client: "one" }, dialects["oh-my-pi"])
    expect((await refreshed()).plan.todos[0]?.status).toBe("in_progress")
  })
})

describe("the log", () => {
  test("goes on from a snapshot with the same agents and changes", async () => {
    const { store, hand, agents } = await shared("one", "two")
    await add(hand, "Test")
    await agents[0]?.reads()
    const fold = createFold()
    for (const entry of (await store.load(hand.key)).entries) fold.add(entry)
    const { ledger } = createFold(JSON.parse(JSON.stringify(fold.snapshot())))
    expect([...ledger.agents]).toEqual([...fold.ledger.agents])
    expect([...ledger.partlyTold]).toEqual([...fold.ledger.partlyTold])
    expect([...ledger.partlyTold.values()].map(({ waiting }) => waiting)).toEqual([[{ client: "two", told: 0 }]])
  })

  test("says nothing about agents where one has the plan for itself", async () => {
    const tracker = await open()
    await patch(tracker, [{ content: "Build" }])
    await add(tracker, "Test")
    expect((await patch(tracker, [{ id: "1", status: "completed" }])).notice).toContain("Test")
    const told = (await tracker.entries()).flatMap(({ events }) => events.filter(({ type }) => type === "agent-told"))
    expect(told).toEqual([{ type: "agent-told", entries: [expect.any(String)] }])
    expect([tracker.ledger.agents.size, tracker.ledger.partlyTold.size]).toEqual([0, 0])
  })

  test("keeps the last agents and changes only, however many agents have come and gone", () => {
    const fold = createFold()
    const at = "2030-01-01T00:00:00.000Z"
    const written = (id: string, by: Entry["by"], ...events: Entry["events"]): void =>
      void fold.add({ v: 1, id, at, by, events })
    const system = { kind: "system", id: "headway" } as const
    for (let number = 0; number < 500; number += 1) {
      written(`joins-${number}`, system, { type: "agent-told", entries: [], to: `gone-${number}` })
      const todo = { id: "", content: `Part ${number}`, status: "pending" } as const
      written(`adds-${number}`, person, { type: "todo-added", todo })
      written(`told-${number}`, system, { type: "agent-told", entries: [`adds-${number}`], to: "here" })
    }
    expect(fold.ledger.untold.size).toBe(0)
    expect(fold.ledger.agents.size).toBe(32)
    expect(fold.ledger.agents.has("here")).toBe(true)
    expect(fold.ledger.partlyTold.size).toBeLessThanOrEqual(100)
    for (const { waiting } of fold.ledger.partlyTold.values()) expect(waiting.length).toBeLessThan(32)
  })

  test("is not told by an agent what it was told", async () => {
    const { hand, agents } = await shared("one", "two")
    await add(hand, "Test")
    const entries = [...hand.ledger.untold.keys()]
    const by = { kind: "agent", id: "claude-code", client: "one" } as const
    await hand.edit(by, () => [{ type: "agent-told", entries, to: "two" }])
    await hand.edit(by, () => [{ type: "agent-told", entries: [], to: "three" }])
    for (const agent of agents) expect((await agent.reads()).notice).toContain("Test")
    expect([...hand.ledger.agents].sort()).toEqual(["one", "two"])
  })
})

test.each([
  ["becomes a part of another", true],
  ["moves to a session without one", false],
])("when a shared plan %s, each agent is still told what it had not been told", async (_, hasPlan) => {
  const store = createMemoryStore()
  const plan = await open({ store, session: "left" })
  await says(plan, "one", [{ content: "Build" }, { content: "Write" }])
  for (const client of ["one", "two", "three"]) await reads(plan, client)
  await plan.edit(person, () => [
    { type: "todo-changed", id: "2", from: { status: "pending" }, to: { status: "completed" } },
  ])
  expect((await reads(plan, "one")).notice).toContain("Write")
  if (hasPlan) await patch(await open({ store, session: "joined" }), [{ content: "Build" }, { content: "Read" }])
  const to = { session: "joined", agent: "main" }
  await joinPlan({ store, from: plan.key, to, now: () => new Date("2030-01-02"), onProblem: () => {} })
  const joined = await open({ store, session: "joined" })
  const written = joined.plan.todos.find(({ content }) => content === "Write")
  // What it does not know yet, an agent does not take back.
  const two = await says(joined, "two", [{ id: written?.id, status: "pending" }])
  expect(two.notice).toContain("Write")
  expect((await reads(joined, "three")).notice).toContain("Write")
  for (const client of ["one", "two", "three"]) expect((await reads(joined, client)).notice).toBeUndefined()
  expect(joined.plan.todos.find(({ content }) => content === "Write")?.status).toBe("completed")
})

test("what an agent made of a person's change that it was told stays when the plan becomes a part of another", async () => {
  const store = createMemoryStore()
  const plan = await open({ store, session: "left" })
  await says(plan, "one", [{ content: "Build" }, { content: "Write" }])
  for (const client of ["one", "two"]) await reads(plan, client)
  await add(plan, "Test")
  await plan.edit(person, () => [
    { type: "todo-changed", id: "2", from: { status: "pending" }, to: { status: "completed" } },
  ])
  expect((await reads(plan, "one")).notice).toContain("Test")
  await says(plan, "one", [
    { id: "2", status: "in_progress" },
    { id: "3", status: "completed" },
  ])
  await patch(await open({ store, session: "joined" }), [{ content: "Read" }])
  const to = { session: "joined", agent: "main" }
  await joinPlan({ store, from: plan.key, to, now: () => new Date("2030-01-02"), onProblem: () => {} })
  const { todos } = (await open({ store, session: "joined" })).plan
  expect(todos.map(({ content, status }) => `${content}: ${status}`).sort()).toEqual([
    "Build: pending",
    "Read: pending",
    "Test: completed",
    "Write: in_progress",
  ])
})
