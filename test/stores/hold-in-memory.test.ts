/** A store that has no room: the plan goes on in memory, nothing is acknowledged that is not so, and all of it is written later. */
import { rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, onTestFinished, test } from "vitest"
import { mountSmallDisk } from "../../attack/mounts.ts"
import { dialects } from "../../src/dialects/index.ts"
import { fold, HeadwayError, type Problem } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { holdInMemory } from "../../src/stores/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import type { Store } from "../../src/stores/store.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { contentsOf, open, patch, pending, person, todoWrite } from "../tracker/open.ts"
import { temporaryFolder } from "./temporary.ts"

const key = { session: "s", agent: "main" }

/** A store on a disk that can be filled and freed. */
const onDisk = (under: Store = createMemoryStore()) => {
  const disk = { isFull: false, appended: 0 }
  const store: Store = {
    ...under,
    load: (...given) => under.load(...given),
    async append(...given) {
      if (disk.isFull) throw new HeadwayError("store-full", "The disk is full.")
      disk.appended += 1
      return under.append(...given)
    },
  }
  return { disk, under, store }
}

const opened = async () => {
  const { disk, under, store } = onDisk()
  const problems: Problem[] = []
  const held = holdInMemory(store)
  const tracker = await open({ store: held, onProblem: (problem) => problems.push(problem) })
  const written = async (): Promise<string[]> => contentsOf({ plan: fold((await under.load(key)).entries).plan })
  return { disk, under, held, tracker, problems, written }
}

describe("while the store is full", () => {
  test("a call is accepted, and the model and the person are told that it is only in memory", async () => {
    const { disk, tracker, problems, written } = await opened()
    await todoWrite(tracker, pending("a"))
    disk.isFull = true
    const { ok, text, plan } = await todoWrite(tracker, pending("a", "b"))
    expect([ok, plan.todos.length, tracker.unwritten]).toEqual([true, 2, 1])
    expect(text).toContain("only in memory")
    await todoWrite(tracker, pending("a", "b", "c"))
    expect(contentsOf(tracker)).toEqual(["a", "b", "c"])
    expect(problems.map(({ code }) => code)).toEqual(["kept-in-memory"])
    expect(await written()).toEqual(["a"])
  })

  test("a plan begins in memory, too", async () => {
    const { disk, tracker, written } = await opened()
    disk.isFull = true
    await todoWrite(tracker, pending("a"))
    expect([contentsOf(tracker), await written()]).toEqual([["a"], []])
    disk.isFull = false
    await tracker.refresh()
    expect([await written(), tracker.unwritten]).toEqual([["a"], 0])
  })

  test("O8 the result of oh-my-pi names where the list is stored", async () => {
    const store = onDisk(Object.assign(createMemoryStore(), { isPersistent: true }))
    const tracker = await open({ store: holdInMemory(store.store) })
    const add = (item: string) =>
      tracker.write({ tool: "todo", input: { op: "append", phase: "A", items: [item] } }, dialects["oh-my-pi"])
    expect((await add("a")).data).toMatchObject({ storage: "session" })
    store.disk.isFull = true
    expect((await add("b")).data).toMatchObject({ storage: "memory" })
  })

  test("a claim is refused: another process could be given the same todo", async () => {
    const { disk, tracker } = await opened()
    await patch(tracker, pending("a"))
    disk.isFull = true
    await expect(tracker.claim("1", "worker")).rejects.toThrow("The disk is full.")
    await expect(patch(tracker, [{ id: "1", owner: "worker" }])).rejects.toThrow("The disk is full.")
    expect(tracker.plan.todos[0]?.owner).toBeUndefined()
  })

  test("a store without this refuses the change, as before", async () => {
    const { disk, store } = onDisk()
    const tracker = await open({ store })
    disk.isFull = true
    await expect(todoWrite(tracker, pending("a"))).rejects.toThrow("The disk is full.")
    expect(contentsOf(tracker)).toEqual([])
  })

  test("another error still fails", async () => {
    const store = holdInMemory({
      ...createMemoryStore(),
      append: async () => Promise.reject(new HeadwayError("not-trusted", "It is only read.")),
    })
    await expect(todoWrite(await open({ store }), pending("a"))).rejects.toThrow("only read")
  })

  test("a plan does not move to another session", async () => {
    const { disk, tracker } = await opened()
    await todoWrite(tracker, pending("a"))
    disk.isFull = true
    await expect(tracker.moveTo("other")).rejects.toThrow("no room")
  })
})

describe("once there is space", () => {
  test("the next change writes all that was held, in its order", async () => {
    const { disk, under, tracker } = await opened()
    disk.isFull = true
    for (const count of [1, 2, 3]) await todoWrite(tracker, pending(...["a", "b", "c"].slice(0, count)))
    disk.isFull = false
    const { text } = await todoWrite(tracker, pending("a", "b", "c", "d"))
    expect(text).not.toContain("memory")
    const { entries } = await under.load(key)
    expect(entries).toHaveLength(4)
    expect(fold(entries).plan).toEqual(tracker.plan)
    expect(tracker.unwritten).toBe(0)
  })

  test("closing the plan writes it, and the store closes well", async () => {
    const { disk, tracker, held, written } = await opened()
    disk.isFull = true
    await todoWrite(tracker, pending("a"))
    disk.isFull = false
    await tracker.close()
    await held.close()
    expect(await written()).toEqual(["a"])
  })

  test("writing is tried again without a request", async () => {
    const { disk, under, store } = onDisk()
    const tracker = await open({ store: holdInMemory(store, { retryAfter: 1 }) })
    disk.isFull = true
    await todoWrite(tracker, pending("a"))
    const isWritten = new Promise<void>((resolve) => void under.watch(() => resolve()))
    disk.isFull = false
    await isWritten
    expect((await under.load(key)).entries).toHaveLength(1)
  })

  test("entries of others come before it, here as in the log, and are reported once", async () => {
    const { disk, under, tracker } = await opened()
    await patch(tracker, pending("a"))
    disk.isFull = true
    await patch(tracker, pending("mine"))
    // Another process found room for its own.
    const other = await open({ store: under })
    await other.edit(person, () => [{ type: "todo-added", todo: { id: "", content: "theirs", status: "pending" } }])
    const told: string[] = []
    tracker.subscribe(({ entry }) => told.push(entry.by.kind))
    await tracker.refresh()
    expect(contentsOf(tracker)).toEqual(["a", "theirs", "mine"])
    expect(told).toEqual(["person"])
    disk.isFull = false
    await patch(tracker, pending("last"))
    expect(fold((await under.load(key)).entries).plan).toEqual(tracker.plan)
    expect(contentsOf(tracker)).toEqual(["a", "theirs", "mine", "last"])
  })

  test("entries of others in between are seen where all is written at once", async () => {
    const { disk, under, tracker } = await opened()
    await patch(tracker, pending("a"))
    disk.isFull = true
    await patch(tracker, pending("mine"))
    const other = await open({ store: under })
    await patch(other, pending("theirs"))
    disk.isFull = false
    await patch(tracker, pending("last"))
    expect(fold((await under.load(key)).entries).plan).toEqual(tracker.plan)
    expect(contentsOf(tracker)).toEqual(["a", "theirs", "mine", "last"])
  })
})

test("a process that ends while the store is full reports how much is lost", async () => {
  const { disk, tracker, held } = await opened()
  disk.isFull = true
  await todoWrite(tracker, pending("a"))
  await tracker.close()
  await expect(held.close()).rejects.toThrow("1 change of the plan was only in memory and could not be written")
})

/** All but so many bytes of a disk. */
const fill = (folder: string, left: number): void => {
  const { bavail, bsize } = statfsSync(folder)
  writeFileSync(join(folder, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - left)))
}

const disk = mountSmallDisk(temporaryFolder(), 400)
afterAll(() => {
  if (typeof disk !== "string") disk.unmount()
})

describe.runIf(typeof disk !== "string")("on a real disk that is full", () => {
  test.each([0, 4096])("with %d bytes left, all is in the journal and in the list once there is room", async (left) => {
    if (typeof disk === "string") return
    onTestFinished(() => rmSync(join(disk.folder, "home"), { recursive: true, force: true }))
    const home = join(disk.folder, "home")
    const long = (name: string): string => `${name} ${"x".repeat(6000)}`
    const [store, other] = [createFileStore({ home }), createFileStore({ home })]
    // A disk with an open journal cannot be unmounted.
    onTestFinished(async () => void (await Promise.all([store.close(), other.close()])))
    const tracker = await openTracker({ store: holdInMemory(store), session: "s" })
    await todoWrite(tracker, pending("a"))
    fill(disk.folder, left)
    for (const names of [["b"], ["b", "c"]]) {
      expect((await todoWrite(tracker, pending("a", ...names.map(long)))).ok).toBe(true)
    }
    expect(tracker.unwritten).toBeGreaterThan(0)
    rmSync(join(disk.folder, "filler"))
    expect((await todoWrite(tracker, pending("a", long("b"), long("c"), "d"))).text).not.toContain("memory")
    await tracker.close()
    const again = await openTracker({ store: other, session: "s" })
    expect(again.plan).toEqual(tracker.plan)
    expect(contentsOf(again).map((text) => text[0])).toEqual(["a", "b", "c", "d"])
    const published = await other.readList?.(key)
    expect(published).toHaveLength(4)
    await again.close()
  })
})
