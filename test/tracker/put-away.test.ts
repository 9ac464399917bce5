/** A list that its agent has finished: out of the agent's way, still in sight of a person, and whole when it goes on. */
import { describe, expect, test } from "vitest"
import { edits, type PlanEvent, planInSight, type Todo } from "../../src/plan/index.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { open, person, todoWrite } from "./open.ts"

const inSight = ({ plan, ledger }: Tracker) => planInSight(plan, ledger).todos

/** Two todos, of which a person has noted something on the first and reworded the second. */
const working = async (): Promise<Tracker> => {
  const tracker = await open()
  await todoWrite(tracker, [
    { content: "Read", status: "in_progress" },
    { content: "Fix", status: "pending" },
  ])
  await tracker.edit(person, ({ todos: [first, second] }) =>
    first && second ? [...edits.note(first, "see docs"), ...edits.reword(second, "Fix checkout only")] : [],
  )
  await tracker.tellAgent()
  return tracker
}

/** The same, both done. */
const finished = async (): Promise<Tracker> => {
  const tracker = await working()
  await todoWrite(tracker, done)
  return tracker
}

const done = [
  { content: "Read", status: "completed" },
  { content: "Fix", status: "completed" },
]
const first = { id: "1", content: "Read", status: "completed", notes: ["see docs"] }
const second = { id: "2", content: "Fix checkout only", status: "completed" }

describe("a finished list", () => {
  test("that its agent goes on with keeps ids, notes and a person's wording", async () => {
    const tracker = await finished()
    await todoWrite(tracker, [...done, { content: "Write the changelog", status: "in_progress" }])
    expect(tracker.plan.todos).toMatchObject([first, second, { id: "3", content: "Write the changelog" }])
    await todoWrite(tracker, [...done, { content: "Write the changelog", status: "completed" }])
    expect(inSight(tracker)).toMatchObject([first, second, { id: "3", status: "completed" }])
  })

  test("of which a new list has only one todo comes back with that one", async () => {
    const tracker = await finished()
    await todoWrite(tracker, [
      { content: "Deploy", status: "pending" },
      { content: "Fix", status: "in_progress" },
    ])
    expect(tracker.plan.todos).toMatchObject([
      { id: "3", content: "Deploy" },
      { id: "2", content: "Fix checkout only", status: "in_progress" },
    ])
  })

  test("that is sent again stays finished, and nothing is written", async () => {
    const tracker = await finished()
    const { length } = await tracker.entries()
    await todoWrite(tracker, done)
    expect(tracker.plan.todos).toEqual([])
    expect(inSight(tracker)).toMatchObject([first, second])
    expect(await tracker.entries()).toHaveLength(length)
  })

  test("is put away whole although the agent does not know of a note on one of its todos yet", async () => {
    const tracker = await working()
    await tracker.edit(person, ({ todos }) => todos.slice(0, 1).flatMap((todo) => edits.note(todo, "issue 14")))
    await todoWrite(tracker, done)
    expect(tracker.plan.todos).toEqual([])
    const noted = { ...first, notes: ["see docs", "issue 14"] }
    expect(inSight(tracker)).toMatchObject([noted, second])
    await todoWrite(tracker, [...done, { content: "Write the changelog", status: "in_progress" }])
    expect(tracker.plan.todos).toMatchObject([noted, second, { content: "Write the changelog" }])
  })

  test.each<[string, (todo: Todo) => PlanEvent[], object[]]>([
    ["reopened one of its todos", edits.reopen, [{ ...first, status: "pending" }, second]],
    ["added a todo", () => edits.add("Ask Ada"), [first, second, { content: "Ask Ada", status: "pending" }]],
  ])("is not put away, not even in part, if a person %s meanwhile (N3)", async (_, edit, expected) => {
    const tracker = await working()
    await todoWrite(tracker, [...done.slice(0, 1), { content: "Fix", status: "in_progress" }])
    await tracker.edit(person, ({ todos }) => todos.slice(0, 1).flatMap(edit))
    await todoWrite(tracker, done)
    expect(tracker.plan.todos).toMatchObject(expected)
  })

  test("comes back whole when a person adds a todo to it, and goes on so", async () => {
    const tracker = await finished()
    await tracker.edit(person, () => edits.add("Write the changelog"))
    const third = { id: "3", content: "Write the changelog" }
    expect(tracker.plan.todos).toMatchObject([first, second, third])
    await todoWrite(tracker, [...done, { content: "Write the changelog", status: "in_progress" }])
    expect(tracker.plan.todos).toMatchObject([first, second, { ...third, status: "in_progress" }])
  })

  test("is put away again, and not removed, when a person undoes their change to it", async () => {
    const tracker = await finished()
    await tracker.edit(person, () => edits.add("Ask Ada"))
    await tracker.tellAgent()
    await tracker.undo(person)
    const { text } = await todoWrite(tracker, [
      { content: "Deploy", status: "in_progress" },
      { content: "Fix", status: "pending" },
    ])
    expect(tracker.plan.todos).toMatchObject([{ content: "Deploy" }, { id: "2", content: "Fix checkout only" }])
    expect([...tracker.ledger.refused]).toEqual([])
    expect(text).not.toContain("Read")
  })

  test("gives way to another list", async () => {
    const tracker = await finished()
    await todoWrite(tracker, [{ content: "Deploy", status: "pending" }])
    expect(inSight(tracker)).toMatchObject([{ id: "3", content: "Deploy" }])
  })

  test.each<[string, (tracker: Tracker) => Promise<unknown>]>([
    [
      "changes one of its todos",
      (tracker) =>
        tracker.edit(person, ({ todos }) => todos.slice(0, 1).flatMap((todo) => edits.note(todo, "issue 14"))),
    ],
    ["adds a todo", (tracker) => tracker.edit(person, () => edits.add("Ask Ada"))],
  ])("is in sight as before once the person who %s has undone it", async (_, change) => {
    const tracker = await finished()
    const before = inSight(tracker)
    for (const isTold of [false, true]) {
      await change(tracker)
      expect(inSight(tracker)).not.toEqual(before)
      if (isTold) await tracker.tellAgent()
      await tracker.undo(person)
      expect(inSight(tracker)).toEqual(before)
    }
    await tracker.tellAgent()
    await todoWrite(tracker, [...done, { content: "Write the changelog", status: "in_progress" }])
    expect(tracker.plan.todos).toMatchObject([first, second, { content: "Write the changelog" }])
  })
})
