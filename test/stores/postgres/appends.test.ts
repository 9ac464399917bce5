/** Entries of many plans that one process writes at once: they go together, and each is told for itself. */
import postgres from "postgres"
import { afterAll, expect, test } from "vitest"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import type { Cursor, PlanKey, Store } from "../../../src/stores/store.ts"
import { entryOf } from "../../contracts/store.ts"
import { freshDatabase } from "./one-server.ts"

const opened: Store[] = []
afterAll(async () => void (await Promise.all(opened.map((store) => store.close()))))

const storeAt = (url: string): Store => {
  const store = createPostgresStore({ url })
  opened.push(store)
  return store
}

const keys: PlanKey[] = Array.from({ length: 40 }, (_, index) => ({ session: `s${index}\n"`, agent: "main" }))
const idsIn = async (store: Store, key: PlanKey): Promise<string[]> =>
  (await store.load(key)).entries.map(({ id }) => id)

test("two processes that write forty plans at once have every entry once, in the order of each plan", async () => {
  const url = await freshDatabase()
  const stores = [storeAt(url), storeAt(url)]
  await Promise.all(
    stores.flatMap((store, writer) =>
      // The other way round in the second one: they would lock each other out without one order for all.
      (writer === 0 ? keys : keys.toReversed()).map(async (key) => {
        let cursor: Cursor | undefined
        for (let count = 0; count < 5; count += 1) {
          const id = `${writer}-${count}`
          const loaded = await store.append(key, entryOf(id, ["Read"]), cursor)
          expect(loaded.entries.map((entry) => entry.id)).toContain(id)
          cursor = loaded.cursor
        }
      }),
    ),
  )
  for (const key of keys) {
    const ids = await idsIn(storeAt(url), key)
    expect(ids).toHaveLength(10)
    for (const writer of ["0", "1"])
      expect(ids.filter((id) => id.startsWith(`${writer}-`))).toEqual([0, 1, 2, 3, 4].map((n) => `${writer}-${n}`))
  }
})

test("plans that are written at once share transactions", async () => {
  const url = await freshDatabase()
  const store = storeAt(url)
  for (const key of keys) await store.append(key, entryOf("first", ["Read"]))
  await Promise.all(keys.map((key) => store.append(key, entryOf("second", ["Write"]))))
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const [row] = await sql`select count(distinct changed::text)::int as transactions from headway.plans`
  await sql.end()
  expect(row?.transactions).toBeLessThan(keys.length / 2)
})

test("a locked plan does not delay the other plans of a process", async () => {
  const url = await freshDatabase()
  const store = storeAt(url)
  const [locked = keys[0] as PlanKey, ...others] = keys.slice(0, 12)
  for (const key of [locked, ...others]) await store.append(key, entryOf("first", ["Read"]))
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const waits = await sql.begin(async (transaction) => {
    await transaction`select from headway.plans where session = ${JSON.stringify(locked.session).slice(1, -1)} for update`
    const held = store.append(locked, entryOf("second", ["Write"]))
    await Promise.all(others.map((key) => store.append(key, entryOf("second", ["Write"]))))
    return { held }
  })
  await waits.held
  await sql.end()
  for (const key of [locked, ...others]) expect(await idsIn(store, key)).toEqual(["first", "second"])
})

test("an entry that exists already and one whose log is gone are reported as such, and the others are written", async () => {
  const store = storeAt(await freshDatabase())
  const [doubled = keys[0] as PlanKey, removed = keys[0] as PlanKey, ...others] = keys
  const cursors = new Map<PlanKey, Cursor>()
  for (const key of keys) cursors.set(key, (await store.append(key, entryOf("first", ["Read"]))).cursor)
  await store.remove(removed)
  const write = (key: PlanKey, id: string) => store.append(key, entryOf(id, ["Write"]), cursors.get(key))
  const [had, gone, ...written] = await Promise.all([
    write(doubled, "first"),
    write(removed, "second"),
    ...others.map((key) => write(key, "second")),
  ])
  expect(had).toMatchObject({ hadEntry: true, entries: [] })
  expect(gone).toMatchObject({ restarted: true, entries: [] })
  expect(await idsIn(store, doubled)).toEqual(["first"])
  expect(await idsIn(store, removed)).toEqual([])
  for (const { entries } of written) expect(entries.map(({ id }) => id)).toEqual(["second"])
  for (const key of others) expect(await idsIn(store, key)).toEqual(["first", "second"])
})
