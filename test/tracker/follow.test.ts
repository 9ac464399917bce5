/** What one process writes, another sees as it happens. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { expect, test, vi } from "vitest"
import { edits, type Problem } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { Store } from "../../src/stores/store.ts"
import type { Change, Tracker } from "../../src/tracker/tracker.ts"
import { bundle } from "../stores/faults.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { agent, contentsOf, open, patch, pending, person, todoWrite } from "./open.ts"

/** Another process, or the system, may be slow to tell. */
const waitOptions = { timeout: 30_000, interval: 10 }

const collect = (tracker: Tracker): Change[] => {
  const seen: Change[] = []
  tracker.subscribe((change) => seen.push(change))
  return seen
}

test.each([
  ["memory", () => createMemoryStore()],
  ["file", () => createFileStore({ home: temporaryFolder() })],
] as const)("a tracker follows another over the %s store", async (_, create) => {
  const store = create()
  const [writer, reader] = [await open({ store }), await open({ store })]
  const seen = collect(reader)
  const stop = await reader.follow()
  await todoWrite(writer, pending("Read", "Write"))
  await vi.waitFor(() => expect(seen).toHaveLength(1), waitOptions)
  await writer.edit(person, ({ todos }) => todos.slice(0, 1).flatMap(edits.done))
  await vi.waitFor(() => expect(seen).toHaveLength(2), waitOptions)
  expect(seen.map(({ entry }) => entry.by.kind)).toEqual(["agent", "person"])
  expect(reader.plan).toEqual(writer.plan)
  await stop()
  await todoWrite(writer, pending("Rest"))
  await reader.close()
  await writer.close()
  expect(seen).toHaveLength(2)
})

test("a tracker follows other processes, entry by entry, in one order", async () => {
  const home = temporaryFolder()
  const program = await bundle("./writer.ts", temporaryFolder())
  const reader = await open({ store: createFileStore({ home }) })
  await todoWrite(reader, pending("Read"))
  const seen = collect(reader)
  const stop = await reader.follow()
  const children = ["a", "b"].map((name) =>
    spawn(process.execPath, [program, home, "s", name, "add", "3"], { stdio: ["pipe", "ignore", "inherit"] }),
  )
  for (const child of children) child.stdin.write("go\n")
  await Promise.all(children.map((child) => once(child, "close")))
  await vi.waitFor(() => expect(seen).toHaveLength(6), waitOptions)
  const order = (await reader.entries()).slice(1).map(({ id }) => id)
  expect(seen.map(({ entry }) => entry.id)).toEqual(order)
  expect(order.filter((id) => id.startsWith("a"))).toEqual(["a-1", "a-2", "a-3"])
  expect(reader.plan.todos).toHaveLength(7)
  await stop()
  await reader.close()
})

/** A store that takes real time for everything, as one over a network does. */
const slowly = (store: Store): Store => {
  const later = () => new Promise((resolve) => setImmediate(resolve))
  return {
    ...store,
    load: async (key, from) => {
      const loaded = await store.load(key, from)
      await later()
      return loaded
    },
    append: async (key, entry, from) => {
      await later()
      return store.append(key, entry, from)
    },
    publish: async (key, plan, change) => {
      await later()
      return store.publish?.(key, plan, change)
    },
  }
}

test("over a slow store no entry is folded twice, in any order of reading, writing and publishing", async () => {
  const store = slowly(createFileStore({ home: temporaryFolder() }))
  const [one, other] = [await open({ store }), await open({ store })]
  const stop = await one.follow()
  await todoWrite(
    one,
    pending(...Array.from({ length: 600 }, (_, index) => `Todo number ${index} ${"x".repeat(index % 7)}`)),
  )
  for (let count = 0; count < 40; count += 1) {
    await Promise.all([
      one.edit(agent, () => edits.add(`One ${count}`)),
      other.edit(agent, () => edits.add(`Other ${count}`)),
      one.refresh(),
    ])
  }
  await Promise.all([one.refresh(), other.refresh()])
  expect(one.plan.todos).toHaveLength(680)
  expect(other.plan).toEqual(one.plan)
  await stop()
  await Promise.all([one.close(), other.close()])
  const published = await open({ store })
  expect(contentsOf(published)).toEqual(contentsOf(one))
  await published.close()
})

test("a process with many plans open gets no warning", async () => {
  const home = temporaryFolder()
  const warnings: Error[] = []
  const onWarning = (warning: Error): void => void warnings.push(warning)
  process.on("warning", onWarning)
  const store = createFileStore({ home })
  const problems: Problem[] = []
  const trackers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      open({ store, session: `s${index}`, onProblem: (problem) => problems.push(problem) }),
    ),
  )
  for (const tracker of trackers) await patch(tracker, pending("Read"))
  const again = await Promise.all(trackers.map(({ key }) => open({ store, session: key.session })))
  await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([...trackers, ...again].map((tracker) => tracker.close()))
  process.off("warning", onWarning)
  expect(warnings).toEqual([])
  expect(problems).toEqual([])
})
