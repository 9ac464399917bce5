/** A plan that mirrors a list seen in another program's session: every look counts once, and a person's edits outlive it. */
import { expect, test } from "vitest"
import { edits, findTarget, type Todo, todoById } from "../../src/plan/index.ts"
import { contentsOf, open, person } from "./open.ts"

const seen = (callId: string, ...todos: [content: string, status: Todo["status"]][]) => ({
  todos: todos.map(([content, status], index) => ({ id: String(index + 1), content, status })),
  phases: [],
  callId,
})

test("an observed list becomes the plan, by the agent (N1, N8)", async () => {
  const tracker = await open({ opened: { agentType: "claude-code" } })
  await tracker.mirror(seen("a", ["Read", "in_progress"], ["Write", "pending"]))
  expect(contentsOf(tracker)).toEqual(["Read", "Write"])
  await tracker.mirror(seen("b", ["Read", "completed"], ["Write", "in_progress"]))
  expect(tracker.plan.todos.map(({ id, status }) => [id, status])).toEqual([
    ["1", "completed"],
    ["2", "in_progress"],
  ])
  expect((await tracker.entries()).map(({ by, via }) => [by.kind, via?.dialect])).toEqual([
    ["agent", "observed"],
    ["agent", "observed"],
  ])
})

test("the same list again undoes no later change (N3)", async () => {
  const tracker = await open()
  const look = seen("a", ["Read", "in_progress"], ["Write", "pending"])
  await tracker.mirror(look)
  await tracker.edit(person, ({ todos }) => todos.flatMap((todo) => edits.done(todo)))
  await tracker.tellAgent()
  expect(await tracker.mirror(look)).toEqual([])
  expect(tracker.plan.todos.every(({ status }) => status === "completed")).toBe(true)
})

test("a person's edit outlives the next list (N3)", async () => {
  const tracker = await open()
  await tracker.mirror(seen("a", ["Read", "in_progress"], ["Write", "pending"], ["Publish", "pending"]))
  await tracker.edit(person, (plan) => {
    const publish = findTarget(plan, "Publish")
    return [...(publish.kind === "found" ? edits.remove(publish.todo) : []), ...edits.add("Ask Ada")]
  })
  await tracker.edit(person, (plan) => {
    const read = todoById(plan, "1")
    return read ? edits.done(read) : []
  })
  await tracker.mirror(seen("b", ["Read", "in_progress"], ["Write", "in_progress"], ["Publish", "pending"]))
  expect(tracker.plan.todos.map(({ content, status }) => [content, status])).toEqual([
    ["Read", "completed"],
    ["Write", "in_progress"],
    ["Ask Ada", "pending"],
  ])
})

test("a todo that a person added and finished goes only with a list of an agent that had it (N3)", async () => {
  const tracker = await open()
  await tracker.mirror(seen("a", ["Read", "in_progress"]))
  await tracker.edit(person, () => [...edits.add("Ask Ada"), ...edits.add("Tell Maria")])
  await tracker.mirror(seen("b", ["Read", "in_progress"], ["Tell Maria", "completed"]))
  await tracker.edit(person, ({ todos }) => todos.filter(({ content }) => content === "Ask Ada").flatMap(edits.done))
  await tracker.tellAgent()
  await tracker.mirror(seen("c", ["Read", "completed"]))
  expect(contentsOf(tracker)).toEqual(["Read", "Ask Ada"])
})

test("the entry of a list has the time its session gives it, unless that is none or has not come yet", async () => {
  const now = "2030-01-01T11:00:00.000Z"
  const tracker = await open({ now: () => new Date(now) })
  await tracker.mirror({ ...seen("a", ["Read", "pending"]), at: "2030-01-01T10:00:00.000Z" })
  await tracker.mirror({ ...seen("b", ["Read", "in_progress"]), at: "2031-01-01T00:00:00.000Z" })
  await tracker.mirror({ ...seen("c", ["Read", "completed"]), at: "soon" })
  expect((await tracker.entries()).map(({ at }) => at)).toEqual(["2030-01-01T10:00:00.000Z", now, now])
})

test("times that are none are not taken over", async () => {
  const tracker = await open({ now: () => new Date("2030-01-01T11:00:00.000Z") })
  const look = seen("a", ["Read", "completed"], ["Write", "in_progress"])
  await tracker.mirror({ ...look, times: { "1": { finished: "soon" }, "2": { started: "2030-01-01T10:30:00.000Z" } } })
  const sinceOf = (id: string) => tracker.ledger.todos.get(id)?.since
  expect([sinceOf("1"), sinceOf("2")]).toEqual(["2030-01-01T11:00:00.000Z", "2030-01-01T10:30:00.000Z"])
})
