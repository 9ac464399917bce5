/** What a person decided stays theirs when the plan goes on in another session, or becomes a part of its session's plan. */
import { describe, expect, test } from "vitest"
import { edits, type Todo } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { Store } from "../../src/stores/store.ts"
import { joinPlan } from "../../src/tracker/copy-plan.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { contentsOf, createClock, open, patch, pending, person, todoWrite } from "./open.ts"

const onTodo = (
  tracker: Tracker,
  content: string,
  edit: (todo: Todo) => ReturnType<typeof edits.remove>,
  by = person,
) => tracker.edit(by, ({ todos }) => todos.filter((todo) => todo.content === content).flatMap(edit))

const decide = async (tracker: Tracker): Promise<void> => {
  await onTodo(tracker, "Report", (todo) => edits.reword(todo, "Write the PDF"))
  await onTodo(tracker, "Deploy", (todo) => edits.reword(todo, "Deploy to staging"))
  await onTodo(tracker, "Deploy to staging", edits.remove)
  await onTodo(tracker, "Read", (todo) => edits.note(todo, "twice"))
  await tracker.edit(person, ({ todos }) => [
    { type: "phase-added", name: "Ship" },
    ...todos.slice(0, 1).map(({ id }) => ({ type: "todo-changed", id, from: {}, to: { phase: "Ship" } }) as const),
  ])
  await tracker.edit(person, () => edits.add("Ask Ada"))
}

type Setting = { store: Store; now: () => Date }

const begin = async ({ store, now }: Setting): Promise<Tracker> => {
  const tracker = await open({ store, session: "old", now })
  await todoWrite(tracker, pending("Read", "Report", "Deploy"))
  return tracker
}

const moved = async (tracker: Tracker): Promise<Tracker> => {
  await tracker.moveTo("new")
  return tracker
}

const joined = async (tracker: Tracker, { store, now }: Setting): Promise<Tracker> => {
  await tracker.close()
  const other = await open({ store, session: "new", now })
  await todoWrite(other, pending("Look around"))
  await other.close()
  const [from, to] = [
    { session: "old", agent: "main" },
    { session: "new", agent: "main" },
  ]
  const { entries } = await store.load(from)
  await joinPlan({ store, from, to, now, onProblem: () => {} })
  const before = (await store.load(to)).entries.length
  // As after a join that was cut off before the first plan was removed.
  for (const entry of entries) await store.append(from, entry)
  await joinPlan({ store, from, to, now, onProblem: () => {} })
  expect((await store.load(to)).entries).toHaveLength(before)
  return open({ store, session: "new", now })
}

const ways: [string, (tracker: Tracker, setting: Setting) => Promise<Tracker>, string[]][] = [
  ["moved", moved, []],
  ["joined", joined, ["Look around"]],
]
const stores: [string, () => Store][] = [
  ["in memory", () => createMemoryStore()],
  ["in files", () => createFileStore({ home: temporaryFolder() })],
]

describe.each(
  ways.flatMap(([way, go, first]) => stores.map(([place, store]) => [way, place, go, first, store] as const)),
)("a plan that was %s, %s", (_, __, go, first, createStore) => {
  const setting = (): Setting => ({ store: createStore(), now: createClock().now })
  const sendFromMemory = (tracker: Tracker) => todoWrite(tracker, pending(...first, "Read", "Report", "Deploy"))

  test.each([true, false])("keeps what a person decided, told before: %s", async (isTold) => {
    const at = setting()
    const before = await begin(at)
    await decide(before)
    if (isTold) await before.tellAgent()
    const tracker = await go(before, at)
    const told = await tracker.tellAgent()
    if (isTold) expect(told).toBeUndefined()
    else for (const text of ["Write the PDF", "Deploy", "twice", "Ask Ada"]) expect(told).toContain(text)
    expect(await tracker.tellAgent()).toBeUndefined()
    for (let round = 0; round < 2; round += 1) {
      await sendFromMemory(tracker)
      expect(contentsOf(tracker).toSorted()).toEqual([...first, "Ask Ada", "Read", "Write the PDF"].toSorted())
      const read = tracker.plan.todos.find(({ content }) => content === "Read")
      expect(read).toMatchObject({ notes: ["twice"], phase: "Ship" })
    }
  })

  const changes: [string, string, (todo: Todo) => ReturnType<typeof edits.remove>][] = [
    ["a block", "wait for the key", (todo) => edits.block(todo, "wait for the key")],
    ["a note", "use key 7", (todo) => edits.note(todo, "use key 7")],
    ["a wording", "Deploy to staging", (todo) => edits.reword(todo, "Deploy to staging")],
  ]
  const undone: [string, (todo: Todo) => ReturnType<typeof edits.remove>][] = [
    ["removed", edits.remove],
    ["done", edits.done],
    ["dropped", (todo) => edits.drop(todo, "no")],
  ]
  test.each(
    changes.flatMap(([what, ...change]) => undone.map(([how, other]) => [what, how, ...change, other] as const)),
  )(
    "tells the agent of %s on a todo that was %s until the person undid that",
    async (_what, _how, text, change, other) => {
      const at = setting()
      const before = await begin(at)
      await onTodo(before, "Deploy", change)
      await before.edit(person, ({ todos }) => todos.slice(2).flatMap(other))
      await before.undo(person)
      const [, , deploy] = before.plan.todos
      const tracker = await go(before, at)
      expect(await tracker.tellAgent()).toContain(text)
      const { id: _id, ...fields } = deploy ?? {}
      expect(tracker.plan.todos).toContainEqual(expect.objectContaining(fields))
      await sendFromMemory(tracker)
      expect(tracker.plan.todos).toContainEqual(expect.objectContaining(fields))
    },
  )

  test("tells the agent of a todo that a person added, removed and brought back", async () => {
    const at = setting()
    const before = await begin(at)
    await before.edit(person, () => edits.add("Ask Ada"))
    await onTodo(before, "Ask Ada", edits.remove)
    await before.undo(person)
    const tracker = await go(before, at)
    expect(await tracker.tellAgent()).toContain("Ask Ada")
    expect(contentsOf(tracker).filter((content) => content === "Ask Ada")).toHaveLength(1)
  })

  test("does not bury what a person removed and added again", async () => {
    const at = setting()
    const before = await begin(at)
    await onTodo(before, "Deploy", edits.remove)
    await before.edit(person, () => edits.add("Deploy"))
    await before.tellAgent()
    await todoWrite(before, [...pending("Read", "Report"), { content: "Deploy", status: "completed" }])
    await todoWrite(before, pending("Read", "Report"))
    const tracker = await go(before, at)
    await sendFromMemory(tracker)
    expect(contentsOf(tracker)).toEqual([...first, "Read", "Report", "Deploy"])
  })

  test("keeps it through a second move, and where the agent has reworded it since", async () => {
    const at = setting()
    const before = await begin(at)
    await decide(before)
    await before.tellAgent()
    const { id } = before.plan.todos.find(({ content }) => content === "Write the PDF") ?? {}
    await patch(before, [{ id: id ?? "", content: "Write the PDF today" }])
    const tracker = await go(before, at)
    for (const session of ["newer", "newest", "new"]) {
      await tracker.moveTo(session)
      await sendFromMemory(tracker)
      expect(await tracker.tellAgent()).toBeUndefined()
      expect(contentsOf(tracker).toSorted()).toEqual([...first, "Ask Ada", "Read", "Write the PDF today"].toSorted())
    }
  })

  test("knows who decided it and when, and what others did", async () => {
    const at = setting()
    const bob = { kind: "person", id: "bob", isElsewhere: true } as const
    const before = await begin(at)
    await before.edit(bob, () => edits.add("Ask Bob"))
    await before.tellAgent()
    await onTodo(before, "Ask Bob", edits.start, { kind: "agent", id: "main" })
    await onTodo(before, "Read", (todo) => edits.note(todo, "twice"))
    await before.tellAgent()
    const recordIn = ({ plan, ledger }: Tracker, text: string) =>
      ledger.todos.get(plan.todos.find(({ content }) => content === text)?.id ?? "")
    const [old, note] = [recordIn(before, "Ask Bob"), recordIn(before, "Read")?.set.notes]
    const tracker = await go(before, at)
    expect(recordIn(tracker, "Ask Bob")?.added).toEqual(old?.added)
    expect(recordIn(tracker, "Ask Bob")?.set.status?.by.kind).toBe("system")
    expect(recordIn(tracker, "Read")?.set.notes).toEqual(note)
    expect(recordIn(tracker, "Report")).toMatchObject({ added: { by: { kind: "system" } }, set: {} })
  })

  test("lets a person change and take back what they do next", async () => {
    const at = setting()
    const before = await begin(at)
    await decide(before)
    await before.tellAgent()
    const tracker = await go(before, at)
    const texts = contentsOf(tracker)
    expect(await tracker.undo(person)).toBeUndefined()
    await onTodo(tracker, "Ask Ada", (todo) => edits.reword(todo, "Ask Bob"))
    await tracker.undo(person)
    expect(contentsOf(tracker)).toEqual(texts)
  })
})

test("what a person removed last is not forgotten with an empty plan that is joined", async () => {
  const at = { store: createMemoryStore(), now: createClock().now }
  const before = await begin(at)
  await before.clear(person)
  await before.tellAgent()
  const tracker = await joined(before, at)
  await todoWrite(tracker, pending("Look around", "Read", "Deploy"))
  expect(contentsOf(tracker)).toEqual(["Look around"])
})

test("what an agent brought back on purpose moves with the plan", async () => {
  const tracker = await open({ session: "old" })
  await todoWrite(tracker, pending("Read", "Deploy"))
  await onTodo(tracker, "Deploy", edits.remove)
  await tracker.tellAgent()
  await tracker.moveTo("new")
  await tracker.moveTo("old")
  await patch(tracker, [{ content: "Deploy" }])
  await tracker.moveTo("new")
  expect(contentsOf(tracker)).toEqual(["Read", "Deploy"])
})

test("only what is a person's is said again", async () => {
  const tracker = await open({ session: "old" })
  await todoWrite(tracker, pending(...Array.from({ length: 2_000 }, (_, index) => `Step ${index} of the work`)))
  await onTodo(tracker, "Step 7 of the work", (todo) => edits.note(todo, "twice"))
  await tracker.tellAgent()
  await tracker.moveTo("new")
  const own = (await tracker.entries()).filter(({ by }) => by.kind === "person")
  expect(own.map(({ events }) => events)).toEqual([[{ type: "todo-decided", id: "8", fields: ["notes"] }]])
})

test("an entry that is not a person's decides nothing", async () => {
  const tracker = await open()
  await todoWrite(tracker, pending("Read", "Deploy"))
  await tracker.edit({ kind: "other", id: "ada" }, () => [
    { type: "todo-decided", id: "1", fields: ["content"], added: { others: [] }, formerly: ["Deploy"] },
    { type: "todo-buried", todo: { id: "9", content: "Rest", status: "pending" } },
  ])
  await todoWrite(tracker, pending("Deploy", "Rest"))
  expect(contentsOf(tracker)).toEqual(["Deploy", "Rest"])
})
