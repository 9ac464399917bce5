/** A list found on disk is taken over with all its items, or kept aside and told. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { edits, type Problem, type Todo } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createRootStore } from "../../src/stores/root.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { rounds } from "../rounds.ts"
import { namesIn, temporaryFolder } from "./temporary.ts"

const person = { kind: "person", id: "ada" } as const

const homeWithList = (text: string): string => {
  const home = temporaryFolder()
  mkdirSync(join(home, "todos"))
  writeFileSync(join(home, "todos", "s-agent-main.json"), text)
  return home
}

/** Opens the plan, writes to it, and tells what became of the list. */
const takeOver = async (text: string) => {
  const home = homeWithList(text)
  const problems: Problem[] = []
  const store = createFileStore({ home })
  const tracker = await openTracker({ store, session: "s", onProblem: (problem) => problems.push(problem) })
  const { todos } = tracker.plan
  await tracker.edit(person, () => edits.add("Written afterwards"))
  await tracker.close()
  const lists = join(home, "todos")
  const aside = namesIn(lists).filter((name) => name.includes(".bad-"))
  return { todos, problems, aside: aside.map((name) => readFileSync(join(lists, name), "utf8")) }
}

describe("taking over a list", () => {
  test.each([
    ["done", "completed"],
    ["in-progress", "in_progress"],
    ["IN_PROGRESS", "in_progress"],
    ["todo", "pending"],
    ["canceled", "cancelled"],
    ["on hold", "blocked"],
    [true, "completed"],
  ])("a status %j is %s", async (word, status) => {
    const { todos, problems } = await takeOver(JSON.stringify([{ content: "Read", status: word }]))
    expect(todos).toMatchObject([{ content: "Read", status }])
    expect(todos[0]).not.toHaveProperty("extra")
    expect(problems).toEqual([])
  })

  test("an item without a status is pending", async () => {
    const { todos, aside } = await takeOver('[{"content":"Read"},"Write"]')
    expect(todos).toMatchObject([
      { content: "Read", status: "pending" },
      { content: "Write", status: "pending" },
    ])
    expect(aside).toEqual([])
  })

  test("fields of another kind are kept with the todo", async () => {
    const item = { content: "Read", status: "pending", notes: "x", priority: "urgent", phase: 3, id: 7, blockedBy: {} }
    const { todos, problems } = await takeOver(JSON.stringify([item]))
    expect(todos).toMatchObject([
      { id: "7", content: "Read", extra: { notes: "x", priority: "urgent", phase: 3, blockedBy: {} } },
    ])
    expect(problems).toEqual([])
  })

  test("items that cannot be read as todos are kept aside with the whole list, and reported", async () => {
    const text =
      '[{"content":"Read","status":"pending"},{"note":"no text"},null,7,{"content":"x","status":"simmering"}]'
    const { todos, problems, aside } = await takeOver(text)
    expect(todos.map(({ content }) => content)).toEqual(["Read"])
    expect(aside).toEqual([text])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/4 of its 5 items could not be read as todos\. It was kept as .*\.bad-/)
  })

  test("each item is in the plan, or the list is kept aside as it was, for any content", async () => {
    const field = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.string())
    const item = fc.oneof(
      fc.record({ content: fc.string(), status: field, notes: field, extra: field, id: field }, { requiredKeys: [] }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 5 }), async (items) => {
        const text = JSON.stringify(items)
        const { todos, aside, problems } = await takeOver(text)
        expect(problems.map(({ code }) => code)).not.toContain("not-adopted")
        if (todos.length < items.length) expect(aside).toEqual([text])
      }),
      { numRuns: rounds(40) },
    )
  })
})

describe("a list that was edited by hand while it had a journal", () => {
  const begun = async (contents: readonly string[]) => {
    const home = temporaryFolder()
    const path = join(home, "todos", "s-agent-main.json")
    const problems: Problem[] = []
    const open = () =>
      openTracker({ store: createFileStore({ home }), session: "s", onProblem: (problem) => problems.push(problem) })
    const tracker = await open()
    await tracker.set(
      person,
      contents.map((content) => ({ content })),
    )
    const edit = (change: (items: Record<string, unknown>[]) => unknown): string => {
      const items = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>[]
      change(items)
      writeFileSync(path, JSON.stringify(items))
      return readFileSync(path, "utf8")
    }
    const aside = (): string[] =>
      namesIn(join(home, "todos")).flatMap((name) =>
        name.includes(".bad-") ? [readFileSync(join(home, "todos", name), "utf8")] : [],
      )
    const published = (): string[] =>
      (JSON.parse(readFileSync(path, "utf8")) as { content: string }[]).map(({ content }) => content)
    return { home, path, problems, open, tracker, edit, aside, published }
  }

  test.each([
    ["a new item", (items: object[]) => items.push({ content: "Mine", status: "pending" }), 3],
    ["other words", (items: object[]) => Object.assign(items[0] ?? {}, { content: "Mine" }), 2],
    ["another status", (items: object[]) => Object.assign(items[0] ?? {}, { status: "completed" }), 2],
  ])("is kept aside for %s, and reported, before the next change", async (_what, change, all) => {
    const { tracker, edit, aside, open, problems, published } = await begun(["Read", "Write"])
    await tracker.close()
    const text = edit(change)
    const next = await open()
    await next.edit(person, () => edits.add("Rest"))
    await next.close()
    expect(aside()).toEqual([text])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(
      new RegExp(`1 of its ${all} items were changed outside Headway\\. It was kept as .*\\.bad-`),
    )
    expect(published()).toEqual(["Read", "Write", "Rest"])
  })

  test("is kept aside by a process that had the plan open, and by one that only reads", async () => {
    const { tracker, edit, aside, open } = await begun(["Read", "Write"])
    const first = edit((items) => items.push({ content: "Mine", status: "pending" }))
    await tracker.edit(person, () => edits.add("Rest"))
    expect(aside()).toEqual([first])
    const second = edit((items) => items.push({ content: "Mine too", status: "pending" }))
    await (await open()).close()
    expect(aside().toSorted()).toEqual([first, second].toSorted())
  })

  test("is kept aside though it is large", async () => {
    const { tracker, edit, aside } = await begun(Array.from({ length: 600 }, (_, index) => `Todo ${index}`))
    await tracker.close()
    const text = edit((items) => items.push({ content: "Mine", status: "pending" }))
    await tracker.edit(person, (plan) => edits.done(plan.todos[0] as Todo))
    await tracker.close()
    expect(aside()).toEqual([text])
  })

  test("is not confused with one that a crash or another process left behind", async () => {
    const { path, tracker, open, aside, problems, published } = await begun(["Read", "Write"])
    const early = readFileSync(path, "utf8")
    const other = await open()
    for (const [todo, status] of [
      ["1", "in_progress"],
      ["1", "completed"],
      ["2", "in_progress"],
    ] as const) {
      await other.edit(person, () => [{ type: "todo-changed", id: todo, from: {}, to: { status } }])
      await tracker.edit(person, () => edits.add(`After ${todo} ${status}`))
    }
    await tracker.edit(person, (plan) => edits.remove(plan.todos[0] as Todo))
    await tracker.close()
    writeFileSync(path, early)
    await (await open()).close()
    expect([aside(), problems]).toEqual([[], []])
    expect(published()).toHaveLength(4)
  })
})

test("another program's list with odd fields is shown", async () => {
  const home = homeWithList('[{"content":"Read","status":"done","notes":"x","id":"a"},{"content":"Write","phase":{}}]')
  const { entries } = await createRootStore({ root: home }).load({ session: "s", agent: "main" })
  const tracker = await openTracker({ store: createRootStore({ root: home }), session: "s" })
  expect(entries).toHaveLength(1)
  expect(tracker.plan.todos).toMatchObject([
    { content: "Read", status: "completed", extra: { notes: "x", nativeId: "a" } },
    { content: "Write", status: "pending", extra: { phase: {} } },
  ])
})
