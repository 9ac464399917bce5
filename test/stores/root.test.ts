/** Another program's lists are read as they lie there and never touched. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test, vi } from "vitest"
import { edits, type Problem } from "../../src/plan/index.ts"
import { createRootStore } from "../../src/stores/root.ts"
import type { PlanFilter } from "../../src/stores/store.ts"
import { openTracker, type Tracker } from "../../src/tracker/tracker.ts"
import { contentsUnder, temporaryFolder } from "./temporary.ts"

/** Another process, or the system, may be slow to tell. */
const waitOptions = { timeout: 30_000, interval: 10 }

const session = "0f6e2a52-7a43-4b8e-9a57-2f0a4f4d1c11"

const rootWith = (files: Record<string, string>): string => {
  const root = temporaryFolder()
  mkdirSync(join(root, "todos"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, "todos", name), text)
  return root
}

const item = (content: string, more: object = {}) => ({ content, status: "pending", activeForm: content, ...more })

const open = (root: string, agent = "main", problems: Problem[] = []): Promise<Tracker> =>
  openTracker({ store: createRootStore({ root }), session, agent, onProblem: (problem) => problems.push(problem) })

test("the main agent is called like its session there, and main here (C11)", async () => {
  const root = rootWith({
    [`${session}-agent-${session}.json`]: JSON.stringify([item("Read"), item("Write", { status: "in_progress" })]),
    [`${session}-agent-helper.json`]: JSON.stringify([item("Help")]),
  })
  expect((await open(root)).plan.todos.map(({ content }) => content)).toEqual(["Read", "Write"])
  expect((await open(root, "helper")).plan.todos).toMatchObject([{ content: "Help" }])
  const { plans } = await createRootStore({ root }).list()
  expect(plans.map(({ agent, todos }) => [agent, todos]).toSorted()).toEqual([
    ["helper", 1],
    ["main", 2],
  ])
})

test("all five statuses and further keys are read, and the ids are kept in addition to ours (C11)", async () => {
  const items = ["pending", "in_progress", "blocked", "completed", "cancelled"].map((status, index) =>
    item(status, { status, id: `n${index}`, priority: "high" }),
  )
  const { plan } = await open(rootWith({ [`${session}-agent-${session}.json`]: JSON.stringify(items) }))
  expect(plan.todos.map(({ status }) => status)).toEqual(items.map(({ status }) => status))
  expect(plan.todos[0]).toMatchObject({ id: "1", priority: "high", extra: { nativeId: "n0" } })
})

test("an invalid file is reported, reads as empty and is not changed (C12)", async () => {
  const root = rootWith({
    [`${session}-agent-${session}.json`]: "{ broken",
    [`${session}-agent-object.json`]: "{}",
    [`${session}-agent-mixed.json`]: JSON.stringify([
      item("Read"),
      null,
      { content: "" },
      { content: "x", status: "?" },
    ]),
    "notes.txt": "not a list",
    "noagent.json": "[]",
  })
  mkdirSync(join(root, "todos", `${session}-agent-folder.json`))
  const before = contentsUnder(root)
  for (const agent of ["main", "object", "folder"]) {
    const problems: Problem[] = []
    const tracker = await open(root, agent, problems)
    expect(tracker.plan.todos).toEqual([])
    expect(problems.map(({ code }) => code)).toEqual(["unreadable-list"])
    await tracker.close()
  }
  expect((await open(root, "mixed")).plan.todos.map(({ content }) => content)).toEqual(["Read"])
  const { plans, problems } = await createRootStore({ root }).list()
  expect(plans.map(({ agent }) => agent)).toEqual(["mixed"])
  expect(problems).toHaveLength(3)
  expect(contentsUnder(root)).toEqual(before)
})

test("a missing file, and a missing root, are empty lists (C12)", async () => {
  expect((await open(rootWith({}))).plan.todos).toEqual([])
  const nowhere = join(temporaryFolder(), "nowhere")
  expect((await open(nowhere)).plan.todos).toEqual([])
  expect(await createRootStore({ root: nowhere }).list()).toEqual({ plans: [], problems: [] })
})

test("nothing in it can be changed", async () => {
  const root = rootWith({ [`${session}-agent-${session}.json`]: JSON.stringify([item("Read")]) })
  const before = contentsUnder(root)
  const tracker = await open(root)
  await expect(tracker.edit({ kind: "person", id: "ada" }, () => edits.add("Write"))).rejects.toThrow(/only read/)
  await expect(createRootStore({ root }).remove({ session, agent: "main" })).rejects.toThrow(/only read/)
  await tracker.close()
  expect(contentsUnder(root)).toEqual(before)
})

test("a rewritten list is read again, and a follower is notified", async () => {
  const name = `${session}-agent-${session}.json`
  const root = rootWith({ [name]: JSON.stringify([item("Read")]) })
  const path = join(root, "todos", name)
  utimesSync(path, new Date(0), new Date("2020-01-01T00:00:00Z"))
  const tracker = await open(root)
  const stop = await tracker.follow()
  const seen: string[][] = []
  tracker.subscribe(({ plan }) => seen.push(plan.todos.map(({ content }) => content)))
  writeFileSync(path, JSON.stringify([item("Write")]))
  await vi.waitFor(() => expect(seen).toContainEqual(["Write"]), waitOptions)
  await stop()
})

test("one session is listed alone, the newest list first, and a list has a position that changes with it", async () => {
  const root = rootWith({
    "a-agent-a.json": '["Read"]',
    "a-agent-helper.json": '["Help"]',
    "b-agent-b.json": '["Rest"]',
  })
  const store = createRootStore({ root })
  for (const [index, name] of ["a-agent-helper", "b-agent-b", "a-agent-a"].entries())
    utimesSync(join(root, "todos", `${name}.json`), new Date(), new Date(Date.UTC(2030, 0, index + 1)))
  const named = async (filter: PlanFilter): Promise<string[]> =>
    (await store.list(filter)).plans.map((plan) => `${plan.session} ${plan.agent}`)
  expect(await named({})).toEqual(["a main", "b main", "a helper"])
  expect(await named({ session: "a" })).toEqual(["a main", "a helper"])
  expect(await named({ since: "2030-01-02T00:00:00Z", limit: 1 })).toEqual(["a main"])
  const before = await store.position({ session: "a", agent: "main" })
  utimesSync(join(root, "todos", "a-agent-a.json"), new Date(), new Date(Date.UTC(2031, 0)))
  expect(await store.position({ session: "a", agent: "main" })).not.toBe(before)
  expect(await store.position({ session: "none", agent: "main" })).toBeUndefined()
})
