/** Several agents on one plan: a todo is taken with a lease, through the tool or the tracker. */
import { expect, test } from "vitest"
import { release } from "../../src/plan/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { createClock, open, patch } from "./open.ts"

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
