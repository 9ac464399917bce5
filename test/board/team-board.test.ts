/** Boards of two machines with one database: each shows what the other changes, and one who may only look is told so. */
import postgres from "postgres"
import { expect, test, vi } from "vitest"
import { type Board, openBoard } from "../../src/board/board.ts"
import { checklist } from "../../src/cli/edit/checklist-edit.ts"
import { dialects } from "../../src/dialects/index.ts"
import type { Entry } from "../../src/plan/index.ts"
import type { DeliveredStore } from "../../src/stores/delivered/delivered-store.ts"
import { openStore } from "../../src/stores/index.ts"
import type { Store } from "../../src/stores/store.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { freshDatabase } from "../stores/postgres/one-server.ts"
import { readerOf } from "../stores/postgres/reader.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const waitOptions = { timeout: 120_000, interval: 20 }

const machine = async (
  url: string,
  person: string,
): Promise<{ store: Store; board: Board; close(): Promise<void> }> => {
  const home = temporaryFolder()
  const writer = { person, machine: `${person}-laptop` }
  const store = await openStore(url, { delivery: { person: home, writer } })
  const board = await openBoard({
    store,
    places: { home, env: {}, sources: {} },
    now: () => new Date("2030-01-01T00:00:00Z"),
    person: { kind: "person", id: person },
    viewer: writer,
    checklist,
    keepText: () => "",
    log: () => {},
    shows: "own",
  })
  const close = async (): Promise<void> => {
    await board.close()
    await store.close()
  }
  return { store, board, close }
}

const contentsOn = async ({ board }: { board: Board }, session: string): Promise<string[]> => {
  const row = board.rows.find((one) => one.session === session)
  const { plan } = row ? await board.read(row.key) : {}
  return plan?.todos.map(({ content, status }) => `${content} ${status}`) ?? []
}

test("what changes on one machine is seen on the other, in both directions", async () => {
  const url = `${await freshDatabase()}?connect_timeout=60`
  const [anna, bob] = [await machine(url, "anna"), await machine(url, "bob")]
  const tracker = await openTracker({ store: anna.store, session: "shop", now: () => new Date("2030-01-01T00:00:00Z") })
  await tracker.write({ tool: "todo", input: { todos: [{ content: "Read" }] } }, dialects.headway)
  await vi.waitFor(async () => expect(await contentsOn(bob, "shop")).toEqual(["Read pending"]), waitOptions)
  const [row] = bob.board.rows
  expect(row).toMatchObject({ session: "shop", who: "anna@anna-laptop" })
  const key = row?.key ?? ""
  const { plan } = await bob.board.read(key)
  expect(await bob.board.edit(key, { kind: "toggle", todo: "1" }, plan)).toMatchObject({ outcome: "changed" })
  await vi.waitFor(async () => expect(await contentsOn(anna, "shop")).toEqual(["Read completed"]), waitOptions)
  await vi.waitFor(() => expect(anna.board.rows[0]?.progress.percent).toBe(100), waitOptions)
  const { entries } = await anna.board.history(key)
  expect(entries.map(({ name }) => name)).toEqual(["headway", "bob@bob-laptop"])
  expect((await bob.board.history(key)).entries.map(({ name }) => name)).toEqual(["headway (anna@anna-laptop)", "You"])
  await tracker.close()
  await anna.close()
  await bob.close()
})

test.each([{}, { from: { person: "anna", machine: "anna-laptop" } }])(
  "an edit that was not made on this machine is never shown as yours, whatever it says: %j",
  async (claim) => {
    const url = await freshDatabase()
    const anna = await machine(url, "anna")
    const tracker = await openTracker({ store: anna.store, session: "shop" })
    await tracker.write({ tool: "todo", input: { todos: [{ content: "Read" }] } }, dialects.headway)
    const other = await openStore(url)
    const key = { session: "shop", agent: "main" }
    const forged: Entry = {
      v: 1,
      id: "forged",
      at: "2030-01-01T00:00:00.000Z",
      by: { kind: "person", id: "anna" },
      events: [{ type: "todo-changed", id: "1", from: { content: "Read" }, to: { content: "Delete" } }],
      ...claim,
    }
    await vi.waitFor(async () => expect((await other.load(key)).entries).toHaveLength(1), waitOptions)
    await other.append(key, forged, (await other.load(key)).cursor)
    await vi.waitFor(async () => expect(await contentsOn(anna, "shop")).toEqual(["Delete pending"]), waitOptions)
    const { entries } = await anna.board.history(anna.board.rows[0]?.key ?? "")
    expect(entries.map(({ name }) => name)).toEqual(["headway", "anna (on another machine)"])
    for (const one of [tracker, other, anna]) await one.close()
  },
)

test("a person with read-only access sees all plans, is told why an edit fails, and has nothing left to deliver", async () => {
  const url = `${await freshDatabase()}?connect_timeout=60`
  const anna = await machine(url, "anna")
  const tracker = await openTracker({ store: anna.store, session: "shop", now: () => new Date("2030-01-01T00:00:00Z") })
  await tracker.write({ tool: "todo", input: { todos: [{ content: "Read" }] } }, dialects.headway)
  await vi.waitFor(async () => expect(await contentsOn(anna, "shop")).toEqual(["Read pending"]), waitOptions)
  await (anna.store as DeliveredStore).deliver()
  const carol = await machine(await readerOf(url), "carol")
  await vi.waitFor(async () => expect(await contentsOn(carol, "shop")).toEqual(["Read pending"]), waitOptions)
  const key = carol.board.rows[0]?.key ?? ""
  const { plan } = await carol.board.read(key)
  const refused = await carol.board.edit(key, { kind: "toggle", todo: "1" }, plan)
  expect(refused.outcome).not.toBe("changed")
  expect(refused.message).toContain("may read plans but not change them")
  expect(await contentsOn(carol, "shop")).toEqual(["Read pending"])
  expect(await (carol.store as DeliveredStore).state()).toMatchObject({ undelivered: 0 })
  // What others change she goes on seeing.
  await tracker.write({ tool: "todo", input: { todos: [{ id: "1", status: "completed" }] } }, dialects.headway)
  await (anna.store as DeliveredStore).deliver()
  await vi.waitFor(async () => expect(await contentsOn(carol, "shop")).toEqual(["Read completed"]), waitOptions)
  await tracker.close()
  await anna.close()
  await carol.close()
})

test("an open board says how many changes wait while the database is away, and stops saying so when it is back", async () => {
  const url = await freshDatabase()
  const { pathname } = new URL(url)
  const sql = postgres(url.replace(pathname, "/postgres"), { max: 1, onnotice: () => {} })
  const name = pathname.slice(1)
  const anna = await machine(url, "anna")
  const tracker = await openTracker({ store: anna.store, session: "shop", now: () => new Date("2030-01-01T00:00:00Z") })
  const write = (content: string) => tracker.write({ tool: "todo", input: { todos: [{ content }] } }, dialects.headway)
  await write("Read")
  await (anna.store as DeliveredStore).deliver()
  await vi.waitFor(() => expect(anna.board.rows).toHaveLength(1), waitOptions)
  await anna.board.read(anna.board.rows[0]?.key ?? "")
  expect(anna.board.notice).toBeUndefined()

  await sql.unsafe(`alter database "${name}" allow_connections false`)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
  await write("Write")
  await vi.waitFor(
    () => expect(anna.board.notice).toMatch(/^1 change is kept here .* has been unreachable since/),
    waitOptions,
  )
  await write("Test")
  await vi.waitFor(() => expect(anna.board.notice).toMatch(/^2 changes are kept here/), waitOptions)

  await sql.unsafe(`alter database "${name}" allow_connections true`)
  await vi.waitFor(() => expect(anna.board.notice).toBeUndefined(), waitOptions)
  for (const one of [tracker, anna]) await one.close()
  await sql.end()
})
