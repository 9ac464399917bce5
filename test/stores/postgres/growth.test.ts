/** Long logs, many plans and what is thrown away: only what is needed is read, and room is given back. */
import { randomUUID } from "node:crypto"
import postgres from "postgres"
import { afterAll, describe, expect, test } from "vitest"
import { dialects } from "../../../src/dialects/index.ts"
import { createPostgresStore, migrateDatabase } from "../../../src/stores/postgres/index.ts"
import type { Cursor, PlanKey, Store } from "../../../src/stores/store.ts"
import { openTracker } from "../../../src/tracker/open-tracker.ts"
import { entryOf } from "../../contracts/store.ts"
import { freshDatabase } from "./one-server.ts"

const key: PlanKey = { session: "s", agent: "main" }
const opened: Store[] = []
const clients: postgres.Sql[] = []
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()))
  await Promise.all(clients.map((sql) => sql.end()))
})

const storeAt = (url: string): Store => {
  const store = createPostgresStore({ url })
  opened.push(store)
  return store
}

const clientAt = (url: string): postgres.Sql => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  clients.push(sql)
  return sql
}

describe("a long log", () => {
  test("with an entry longer than any that Headway writes is read without it, and hides no other", async () => {
    const url = await freshDatabase()
    const store = storeAt(url)
    for (const id of ["first", "long", "last"]) await store.append(key, entryOf(id, ["Read"]))
    const sql = clientAt(url)
    await sql`update headway.entries set entry = replace(entry, '"Read"', '"' || repeat('a', 70000000) || '"') where seq = 2`
    const { entries, problems } = await store.load(key)
    expect(entries.map(({ id }) => id)).toEqual(["first", "last"])
    expect(problems.map(({ code }) => code)).toEqual(["unreadable-entries"])
  })

  test.each([
    ["a summary", { title: "a".repeat(2_000_000) }],
    ["a title", { title: "a".repeat(900_000) }],
    ["a todo in its summary", { current: "a".repeat(900_000) }],
    ["a next todo in its summary", { upcoming: { kind: "next", content: "a".repeat(900_000) } }],
    ["a name of a person in its summary", { person: "a".repeat(900_000) }],
  ])("with %s longer than any that Headway writes gets a new one", async (_, changed) => {
    const url = await freshDatabase()
    const store = storeAt(url)
    await store.append(key, entryOf("first", ["Read"], key))
    const [plan] = (await store.list()).plans
    const text = JSON.stringify({ ...plan, ...changed })
    const sql = clientAt(url)
    await sql`insert into headway.summaries select id, last, pg_current_xact_id(), null, '', 0, ${text} from headway.plans
      on conflict (plan) do update set summary = excluded.summary, seq = excluded.seq`
    expect((await storeAt(url).list()).plans).toEqual([plan])
  })

  test("of many megabytes is read whole, part by part", async () => {
    const url = await freshDatabase()
    const store = storeAt(url)
    const ids = Array.from({ length: 12 }, (_, index) => `e${index}`)
    for (const id of ids) await store.append(key, entryOf(id, ["Read"]))
    const sql = clientAt(url)
    await sql`update headway.entries set entry = replace(entry, '"Read"', '"' || repeat('a', 8000000) || '"')`
    expect((await store.load(key)).entries.map(({ id }) => id)).toEqual(ids)
  })

  test("is opened from the snapshot and what came after, and gives the same plan", async () => {
    const url = await freshDatabase()
    const writer = await openTracker({ store: storeAt(url), session: "s" })
    for (let number = 0; number < 400; number += 1)
      await writer.write(
        { tool: "todo", input: { todos: [{ id: "1", content: "Read", description: `${number} ${"x".repeat(400)}` }] } },
        dialects.headway,
      )
    const store = storeAt(url)
    const asked: (Cursor | undefined)[] = []
    const read: number[] = []
    const watched: Store = {
      ...store,
      async load(plan, from) {
        asked.push(from)
        const loaded = await store.load(plan, from)
        read.push(loaded.entries.length)
        return loaded
      },
    }
    const reader = await openTracker({ store: watched, session: "s" })
    expect(asked[0]).toMatchObject({ seq: expect.any(Number) })
    expect(Math.max(...read)).toBeLessThan(300)
    expect(reader.plan).toEqual(writer.plan)
    expect(reader.ledger.entries).toBe(writer.ledger.entries)
    // One that is damaged is not believed, and none is needed.
    const sql = clientAt(url)
    expect(await sql`update headway.snapshots set state = '{"plan":3}'`).toMatchObject({ count: 1 })
    expect((await openTracker({ store: storeAt(url), session: "s" })).plan).toEqual(writer.plan)
    // Nor one that is longer than any that Headway writes.
    await sql`update headway.snapshots set state = '{"plan":{"todos":[],"phases":[]},"x":"' || repeat('a', 70000000) || '"}'`
    expect(await storeAt(url).readSnapshot?.({ session: "s", agent: "main" })).toBeUndefined()
    await sql`delete from headway.summaries`
    expect((await storeAt(url).list()).plans).toMatchObject([{ session: "s", todos: 1 }])
    await sql`delete from headway.snapshots`
    expect((await openTracker({ store: storeAt(url), session: "s" })).plan).toEqual(writer.plan)
  })

  test("has an entry once, however often it comes; many are added at once", async () => {
    const store = storeAt(await freshDatabase())
    const entries = Array.from({ length: 5_000 }, (_, index) => entryOf(`e${index}`, [`todo ${index}`]))
    const first = await store.appendAll?.(key, entries.slice(0, 4_000))
    expect(first?.entries).toHaveLength(4_000)
    const second = await store.appendAll?.(key, entries, first?.cursor)
    expect(second?.entries.map(({ id }) => id)).toEqual(entries.slice(4_000).map(({ id }) => id))
    const again = await store.append(key, entryOf("e17", ["Another text"]), second?.cursor)
    expect(again).toMatchObject({ entries: [], hadEntry: true, cursor: second?.cursor })
    expect((await store.load(key)).entries).toEqual(entries)
  })

  test("with an invalid row, or one removed by hand, is reported, and the rest is read", async () => {
    const url = await freshDatabase()
    const store = storeAt(url)
    for (const id of ["a", "b", "c", "d"]) await store.append(key, entryOf(id, [id]))
    const sql = clientAt(url)
    await sql`update headway.entries set entry = 'no entry' where seq = 2`
    await sql`delete from headway.entries where seq = 3`
    const { entries, problems } = await store.load(key)
    expect(entries.map(({ id }) => id)).toEqual(["a", "d"])
    expect(problems.map(({ code }) => code)).toEqual(["unreadable-entries", "missing-entries"])
    expect((await store.append(key, entryOf("e", ["e"]))).entries.map(({ id }) => id)).toEqual(["a", "d", "e"])
  })
})

describe("many plans", () => {
  test("a repeated listing reads what changed, and always equals a new one", async () => {
    const url = await freshDatabase()
    const [old, writer] = [storeAt(url), storeAt(url)]
    const put = (session: string, id: string = randomUUID()): Promise<unknown> =>
      writer.append({ session, agent: "main" }, entryOf(id, [`${session} ${id}`]))
    const steps: (() => Promise<unknown>)[] = [
      () => Promise.all(Array.from({ length: 30 }, (_, index) => put(`s${index}`, "first"))),
      () => put("s3"),
      () => writer.remove({ session: "s4", agent: "main" }),
      async () => {
        await writer.remove({ session: "s5", agent: "main" })
        await put("s5")
        await put("new")
      },
      () => writer.sweep(({ session }) => session.startsWith("s1")),
    ]
    const sorted = async (store: Store) =>
      (await store.list()).plans.toSorted((one, other) => one.session.localeCompare(other.session))
    for (const step of steps) {
      await step()
      expect(await sorted(old)).toEqual(await sorted(storeAt(url)))
    }
    expect((await old.list()).plans.length).toBe(19)
  })

  test("entries are in partitions by plan; a partition whose plans are all gone is dropped", async () => {
    const url = await freshDatabase()
    await migrateDatabase(url)
    const sql = clientAt(url)
    await sql`update headway.about set partition_plans = 10`
    const store = storeAt(url)
    const put = (number: number): Promise<unknown> =>
      store.append({ session: `s${number}`, agent: "main" }, entryOf("e", ["Read"]))
    for (let number = 1; number <= 35; number += 1) await put(number)
    const parts = async (): Promise<string[]> =>
      (await sql`select relname from pg_class where relname ~ '^entries_\\d+$' and relkind = 'r' order by oid`).map(
        ({ relname }) => relname,
      )
    expect(await parts()).toEqual(["entries_0", "entries_10", "entries_20", "entries_30"])
    const isOld = (session: string): boolean => Number(session.slice(1)) < 25
    const { removed } = await store.sweep(({ session }) => isOld(session))
    expect(removed).toHaveLength(24)
    expect(await parts()).toEqual(["entries_20", "entries_30"])
    expect((await store.list()).plans).toHaveLength(11)
    expect((await store.load({ session: "s25", agent: "main" })).entries).toHaveLength(1)
    for (let number = 36; number <= 45; number += 1) await put(number)
    expect(await parts()).toEqual(["entries_20", "entries_30", "entries_40"])
    expect(await sql`select count(*)::int as left from headway.summaries where plan < 25`).toMatchObject([{ left: 0 }])
  })
})
