/** How often a change asks the database, counted on the wire, and what a writer decides when others were faster. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server } from "node:net"
import postgres from "postgres"
import { afterAll, describe, expect, test } from "vitest"
import { edits, HeadwayError, type Plan } from "../../../src/plan/index.ts"
import { holdInMemory } from "../../../src/stores/index.ts"
import { readAddress } from "../../../src/stores/postgres/address.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import { migrate } from "../../../src/stores/postgres/migrate.ts"
import { migrations } from "../../../src/stores/postgres/schema.ts"
import type { Cursor, PlanKey, Store } from "../../../src/stores/store.ts"
import type { Tracker } from "../../../src/tracker/tracker.ts"
import { entryOf } from "../../contracts/store.ts"
import { agent, contentsOf, open, patch, pending, person, todoWrite } from "../../tracker/open.ts"
import { freshDatabase } from "./one-server.ts"

const key: PlanKey = { session: "s", agent: "main" }

const opened: Store[] = []
const listening: Server[] = []
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()))
  for (const server of listening) server.close()
})

const storeAt = (url: string): Store => {
  const store = createPostgresStore({ url })
  opened.push(store)
  return store
}

/** What is told to watchers and to listings follows a change later, and no writer waits for it. */
const asides = ["pg_notify", "headway_changes", "keep_summaries", "progress"]

/** A database behind a wire on which requests are counted. */
const countedDatabase = async (): Promise<{ url: string; counted: string; requests: () => number }> => {
  const url = await freshDatabase()
  const { port } = readAddress(url)
  let count = 0
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1")
    client.on("data", (chunk) => {
      if (!asides.some((word) => chunk.includes(word))) count += 1
      upstream.write(chunk)
    })
    upstream.pipe(client)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on("error", () => {}).on("close", () => other.destroy())
  }).listen(0, "127.0.0.1")
  listening.push(server)
  await once(server, "listening")
  const counted = `${url.replace(`:${port}/`, `:${(server.address() as AddressInfo).port}/`)}?connections=1`
  return { url, counted, requests: () => count }
}

/** A tracker whose statements are all prepared, and one of another process. */
const twoTrackers = async () => {
  const { url, counted, requests } = await countedDatabase()
  const ours = await open({ store: storeAt(counted) })
  const theirs = await open({ store: storeAt(url) })
  await ours.edit(agent, () => edits.add("First"))
  await theirs.edit(agent, () => edits.add("Second"))
  await ours.edit(agent, () => edits.add("Third"))
  await ours.refresh()
  const counting = async (action: () => Promise<unknown>): Promise<number> => {
    const before = requests()
    await action()
    return requests() - before
  }
  return { ours, theirs, counting }
}

describe("round trips", () => {
  test("are one for a change whose writer has read everything, and two where another was faster", async () => {
    const { ours, theirs, counting } = await twoTrackers()
    expect(await counting(() => ours.edit(agent, () => edits.add("Fourth")))).toBe(1)
    expect(await counting(() => patch(ours, [{ content: "Fifth" }]))).toBe(1)
    await theirs.edit(agent, () => edits.add("Sixth"))
    expect(await counting(() => ours.edit(agent, () => edits.add("Seventh")))).toBe(2)
    await theirs.edit(agent, () => edits.add("Eighth"))
    expect(await counting(() => patch(ours, [{ content: "Ninth" }]))).toBe(2)
    await theirs.refresh()
    expect(contentsOf(theirs)).toEqual(contentsOf(ours))
    expect(contentsOf(ours)).toHaveLength(9)
  })

  test("are one where there is nothing to write: what others wrote is read, and decided on", async () => {
    const { ours, theirs, counting } = await twoTrackers()
    await theirs.edit(agent, () => edits.add("Fourth"))
    expect(await counting(() => ours.edit(agent, () => []))).toBe(1)
    expect(contentsOf(ours)).toContain("Fourth")
  })
})

describe("a writer that is behind", () => {
  const behind = async (): Promise<{ ours: Tracker; theirs: Tracker }> => {
    const url = await freshDatabase()
    const ours = await open({ store: storeAt(url) })
    await todoWrite(ours, pending("Read", "Write"))
    return { ours, theirs: await open({ store: storeAt(url) }) }
  }

  test("decides on the plan with the changes of others, whatever it decided before", async () => {
    const { ours, theirs } = await behind()
    await theirs.edit(person, () => edits.add("Publish"))
    const seen: string[][] = []
    await ours.edit(person, (plan: Plan) => {
      seen.push(plan.todos.map(({ content }) => content))
      return edits.add(`After ${plan.todos.length}`)
    })
    expect(seen).toEqual([
      ["Read", "Write"],
      ["Read", "Write", "Publish"],
    ])
    expect(contentsOf(ours)).toEqual(["Read", "Write", "Publish", "After 3"])
  })

  test("does not fail for a todo that it has not read yet, and fails for one that does not exist", async () => {
    const { ours, theirs } = await behind()
    await theirs.edit(person, () => edits.add("Publish"))
    const done = (content: string) =>
      ours.edit(person, ({ todos }) => {
        const todo = todos.find((one) => one.content === content)
        if (!todo) throw new Error(`there is no ${content}`)
        return edits.done(todo)
      })
    expect(await done("Publish")).toHaveLength(1)
    await expect(done("Sleep")).rejects.toThrow("there is no Sleep")
  })

  test("reads what others wrote, with any characters and bytes", async () => {
    const { ours, theirs } = await behind()
    // All that ends a line for some program; the id of an actor is kept as it came.
    for (const id of ["a\u2028b", "\u2029", "\u0085\u0000\r\n"]) {
      await theirs.edit({ kind: "person", id }, ({ todos }) => edits.add(`Theirs ${todos.length}`))
      const { text, plan } = await patch(ours, [{ id: "1", status: "completed" }, { content: `Ours of ${id.length}` }])
      expect(text).not.toContain("the list is empty")
      expect(plan.todos[0]).toMatchObject({ content: "Read", status: "completed" })
    }
    expect(
      (await ours.entries()).flatMap(({ events }) => events).filter(({ type }) => type === "plan-opened"),
    ).toHaveLength(1)
  })

  test("decodes a call of an agent for the current plan, and applies it once", async () => {
    const { ours, theirs } = await behind()
    await patch(theirs, [{ id: "1", status: "completed" }])
    const written = await patch(ours, [{ id: "1", status: "completed" }, { content: "Publish" }])
    expect(written.events.map(({ type }) => type)).toEqual(["todo-added"])
    await todoWrite(ours, pending("Read", "Write", "Publish", "Rest"), "call-1")
    await theirs.refresh()
    await todoWrite(theirs, pending("Read", "Write", "Publish", "Rest"), "call-1")
    expect(await ours.entries()).toHaveLength(4)
  })

  test("begins its plan anew where it was removed, and continues one that another has begun", async () => {
    const url = await freshDatabase()
    const [store, other] = [storeAt(url), storeAt(url)]
    const ours = await open({ store })
    await ours.edit(person, () => edits.add("Read"))
    await other.remove(key)
    await ours.edit(person, (plan) => edits.add(`After ${plan.todos.length}`))
    expect(contentsOf(ours)).toEqual(["After 0"])
    await other.remove(key)
    const theirs = await open({ store: other })
    await theirs.edit(person, () => edits.add("Theirs"))
    await ours.edit(person, (plan) => edits.add(`After ${plan.todos.length}`))
    expect(contentsOf(ours)).toEqual(["Theirs", "After 1"])
  })

  test("reads the log again in a database that was restored from a backup", async () => {
    const url = await freshDatabase()
    const [store, other] = [storeAt(url), storeAt(url)]
    const first = await store.append(key, entryOf("first", ["Read"], key))
    const lost = await store.append(key, entryOf("lost", ["Write"]), first.cursor)
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await sql`delete from headway.entries where seq = 2`
    await sql`update headway.plans set last = 1`
    await sql.end()
    await other.append(key, entryOf("other", ["Rest"]), first.cursor)
    const next = await store.appendNext?.(key, entryOf("next", ["Publish"]), lost.cursor)
    expect(next).toMatchObject({ restarted: true, isReplaced: true })
    expect(next?.entries.map(({ id }) => id)).toEqual(["first", "other"])
  })

  test("writes the current ones of many plans at once, and reads what came in the others", async () => {
    const url = await freshDatabase()
    const [store, other] = [storeAt(url), storeAt(url)]
    const keys = Array.from({ length: 12 }, (_, index) => ({ session: `s${index}`, agent: "main" }))
    const cursors = new Map<PlanKey, Cursor>()
    for (const one of keys.slice(0, 9)) cursors.set(one, (await store.append(one, entryOf("first", ["Read"]))).cursor)
    // Three that are current, three behind, three removed and three that were never begun, of which one is by now.
    for (const one of keys.slice(3, 6)) await other.append(one, entryOf("theirs", ["a\nb"]))
    for (const one of keys.slice(6, 9)) await other.remove(one)
    for (const one of keys.slice(9, 10)) await other.append(one, entryOf("theirs", ["Begin"]))
    const also: PlanKey = { session: "also", agent: "main" }
    const [beside, ...told] = await Promise.all([
      store.append(also, entryOf("ours", ["Write"])),
      ...keys.map((one) => store.appendNext?.(one, entryOf("ours", ["Write"]), cursors.get(one))),
    ])
    expect(beside.entries.map(({ id }) => id)).toEqual(["ours"])
    const ids = told.map((loaded) => loaded?.entries.map(({ id }) => id))
    const times = (count: number, value: string[]) => Array.from({ length: count }, () => value)
    expect(ids).toEqual([
      ...times(3, ["ours"]),
      ...times(3, ["theirs"]),
      ...times(3, []),
      ["theirs"],
      ...times(2, ["ours"]),
    ])
    expect(told.slice(6, 9).every((loaded) => loaded?.restarted)).toBe(true)
    for (const [index, one] of keys.entries()) {
      const last = (await other.load(one)).entries.at(-1)?.id
      expect(last).toBe(ids[index]?.at(-1))
    }
  })

  test("reads what does not fit in one reply afterwards", async () => {
    const url = await freshDatabase()
    const [store, other] = [storeAt(url), storeAt(url)]
    const { cursor } = await store.append(key, entryOf("first", ["Read"], key))
    const many = Array.from({ length: 150 }, (_, index) => entryOf(`e${index}`, ["Write"]))
    await other.appendAll?.(key, many)
    expect((await store.appendNext?.(key, entryOf("next", ["Rest"]), cursor))?.entries).toEqual(many)
    expect((await store.append(key, entryOf("last", ["Rest"]), cursor)).entries.map(({ id }) => id)).toEqual([
      ...many.map(({ id }) => id),
      "last",
    ])
  })

  test("reads before each change in a database that was not migrated yet", async () => {
    const url = await freshDatabase()
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await migrate(sql, readAddress(url), migrations.slice(0, 2))
    await sql.end()
    const ours = await open({ store: storeAt(url) })
    const theirs = await open({ store: storeAt(url) })
    for (let round = 0; round < 3; round += 1)
      for (const tracker of [ours, theirs])
        await tracker.edit(person, ({ todos }) => edits.add(`After ${todos.length}`))
    expect(contentsOf(theirs)).toEqual([0, 1, 2, 3, 4, 5].map((count) => `After ${count}`))
  })

  test("continues in a database that is restored from a backup of an older schema while it runs", async () => {
    const url = await freshDatabase()
    const ours = await open({ store: storeAt(url) })
    const add = () => ours.edit(person, ({ todos }) => edits.add(`After ${todos.length}`))
    await add()
    await add()
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    await sql`drop schema headway cascade`
    await migrate(sql, readAddress(url), migrations.slice(0, 2))
    await sql.end()
    await add()
    await add()
    expect(contentsOf(ours)).toEqual(["After 0", "After 1"])
    expect((await open({ store: storeAt(url) })).plan.todos).toHaveLength(2)
  })

  test("decides again on what was held in memory while the store was full", async () => {
    const under = storeAt(await freshDatabase())
    let isFull = false
    const store = holdInMemory({
      ...under,
      async append(...values) {
        if (isFull) throw new HeadwayError("store-full", "There is no room.")
        return under.append(...values)
      },
      async appendNext(...values) {
        if (isFull) throw new HeadwayError("store-full", "There is no room.")
        return (under.appendNext ?? under.append)(...values)
      },
    })
    const tracker = await open({ store })
    const add = () => tracker.edit(person, ({ todos }) => edits.add(`After ${todos.length}`))
    await add()
    isFull = true
    await add()
    await add()
    expect(tracker.unwritten).toBe(2)
    isFull = false
    await add()
    expect(tracker.unwritten).toBe(0)
    expect((await open({ store: under })).plan.todos.map(({ content }) => content)).toEqual(
      [0, 1, 2, 3].map((count) => `After ${count}`),
    )
  })
})
