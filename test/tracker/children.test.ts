/** Sub-agents have lists of their own, linked to their parent's, and cannot touch it. */
import { expect, test } from "vitest"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { contentsOf, open, pending, person, todoWrite } from "./open.ts"

test("a sub-agent has its own id, list and depth (C27)", async () => {
  const tracker = await open({ opened: { project: "/p" } })
  await todoWrite(tracker, pending("Read", "Write"))
  const child = await tracker.child("helper", { agentType: "explore", todo: "1" })
  await todoWrite(child, pending("Look around"))
  const grandchild = await child.child("helper-of-helper")
  await todoWrite(grandchild, pending("Look closer"))
  expect([tracker, child, grandchild].map(({ depth, isSubAgent }) => [depth, isSubAgent])).toEqual([
    [0, false],
    [1, true],
    [2, true],
  ])
  expect([tracker, child, grandchild].map(({ key }) => key)).toEqual([
    { session: "s", agent: "main" },
    { session: "s", agent: "helper" },
    { session: "s", agent: "helper-of-helper" },
  ])
  expect([tracker, child, grandchild].map(contentsOf)).toEqual([["Read", "Write"], ["Look around"], ["Look closer"]])
  expect(child.ledger.opened).toMatchObject({
    agentType: "explore",
    project: "/p",
    parent: { agent: "main", todo: "1" },
  })
})

test("whatever a sub-agent does, the parent's state stays (C27)", async () => {
  const tracker = await open()
  await todoWrite(tracker, pending("Read"))
  const before = [structuredClone(tracker.plan), await tracker.entries()]
  const child = await tracker.child("helper")
  await todoWrite(child, pending("Read", "Write"))
  await child.clear(person)
  await child.undo(person)
  await child.moveTo("elsewhere")
  await tracker.refresh()
  expect([tracker.plan, await tracker.entries()]).toEqual(before)
})

test("a sub-agent cannot have the name of itself or of an ancestor (C27)", async () => {
  const tracker = await open()
  await todoWrite(tracker, pending("Read"))
  await expect(tracker.child("main")).rejects.toThrow('"main" is this agent or one above it')
  const child = await tracker.child("helper")
  await expect(child.child("main")).rejects.toThrow("above it")
  await expect(child.child("helper")).rejects.toThrow("above it")
})

test("a sub-agent is known as one when it is opened again (C27)", async () => {
  const store = createMemoryStore()
  const tracker = await open({ store })
  await todoWrite(await tracker.child("helper"), pending("Look"))
  const helper = await open({ store, agent: "helper" })
  expect([helper.isSubAgent, helper.depth]).toEqual([true, 1])
  expect((await open({ store })).isSubAgent).toBe(false)
  expect((await helper.child("helper-of-helper")).depth).toBe(2)
  await expect(helper.child("main")).rejects.toThrow("above it")
})

test("the parent sees its sub-agents' progress, each in one line (C27, C35)", async () => {
  const home = temporaryFolder()
  const tracker = await open({ store: createFileStore({ home }) })
  await todoWrite(tracker, pending("Read"))
  const one = await tracker.child("one", { todo: "1" })
  const two = await tracker.child("two")
  await todoWrite(one, [{ content: "Look", status: "completed" }, ...pending("Tell")])
  await todoWrite(two, [{ content: "Measure it", status: "in_progress" }])
  await todoWrite(await one.child("deep"), pending("Dig"))
  await todoWrite(await open({ store: createFileStore({ home }), session: "other" }), pending("Rest"))
  const children = await tracker.children()
  expect(children.toSorted((a, b) => a.agent.localeCompare(b.agent))).toMatchObject([
    {
      agent: "one",
      parent: { agent: "main", todo: "1" },
      progress: { completed: 1, total: 2, percent: 50 },
      upcoming: { kind: "next", content: "Tell" },
    },
    { agent: "two", progress: { completed: 0, total: 1 }, current: "Measuring it", isFinished: false },
  ])
  expect(children).toHaveLength(2)
  expect((await one.children()).map(({ agent }) => agent)).toEqual(["deep"])
})
