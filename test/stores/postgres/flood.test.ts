/** Notifications that any user of a database can send: they never decide how much work a watcher does. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer } from "node:net"
import postgres from "postgres"
import { expect, test, vi } from "vitest"
import { readAddress } from "../../../src/stores/postgres/address.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import type { PlanKey } from "../../../src/stores/store.ts"
import { entryOf } from "../../contracts/store.ts"
import { freshDatabase } from "./one-server.ts"

test("a flood of notifications about missing plans is left unread, and a change after it is reported", {
  timeout: 120_000,
}, async () => {
  const url = await freshDatabase()
  const store = createPostgresStore({ url, everyUnheard: 3_600_000, everyHeard: 3_600_000 })
  const changedKeys: (PlanKey | undefined)[] = []
  const key: PlanKey = { session: "real", agent: "main" }
  await store.watch((changed) => changedKeys.push(changed))
  await store.append(key, entryOf("first", ["Read"]))
  await vi.waitFor(() => expect(changedKeys).toContainEqual(key), { timeout: 50_000, interval: 20 })
  changedKeys.length = 0
  const sql = postgres(url, { max: 1 })
  const named = (number: number) =>
    JSON.stringify(Array.from({ length: 100 }, (_, at) => [`no-${number}-${at}`, "main"]))
  await sql.begin(async (each) => {
    for (let number = 0; number < 300; number += 1) await each`select pg_notify('headway_changes', ${named(number)})`
  })
  await sql.end()
  await store.append(key, entryOf("second", ["Write"]))
  await vi.waitFor(() => expect(changedKeys).toContainEqual(key), { timeout: 50_000, interval: 20 })
  expect(changedKeys.length).toBeLessThan(10_000)
  await store.close()
})

/** A wire to a database on which replies can be held back; what the one that listens gets is passed on, and told. */
const slowWire = async (url: string) => {
  const { port } = readAddress(url)
  const held: (() => void)[] = []
  const seen = { isHolding: false, notifications: 0 }
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1")
    let isEar = false
    client.on("data", (chunk) => {
      isEar ||= chunk.includes('listen "')
      upstream.write(chunk)
    })
    upstream.on("data", (chunk) => {
      if (!isEar && seen.isHolding) return held.push(() => client.write(chunk))
      if (isEar && chunk.includes(Buffer.from("any\0"))) seen.notifications += 1
      return client.write(chunk)
    })
    for (const socket of [client, upstream])
      socket.on("error", () => {}).on("close", () => [client, upstream].map((one) => one.destroy()))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const slow = url.replace(`:${port}/`, `:${(server.address() as AddressInfo).port}/`)
  const release = () => {
    seen.isHolding = false
    for (const pass of held.splice(0)) pass()
  }
  return { slow, held, seen, release, close: () => server.close() }
}

test("a change that is notified during a poll is found by the next one", async () => {
  const url = await freshDatabase()
  const { slow, held, seen, release, close } = await slowWire(url)
  const store = createPostgresStore({ url: slow, everyUnheard: 3_600_000, everyHeard: 3_600_000 })
  const changedKeys: (PlanKey | undefined)[] = []
  const key: PlanKey = { session: "real", agent: "main" }
  await store.watch((changed) => changedKeys.push(changed))
  await store.append(key, entryOf("first", ["Read"]))
  const waitOptions = { timeout: 50_000, interval: 5 }
  await vi.waitFor(() => expect(changedKeys).toContainEqual(key), waitOptions)
  const sql = postgres(url, { max: 1 })
  await sql`select pg_notify('headway_changes', 'any')`
  await vi.waitFor(() => expect(seen.notifications).toBe(1), waitOptions)
  await store.position(key)
  changedKeys.length = 0
  seen.isHolding = true
  await sql`select pg_notify('headway_changes', 'any')`
  // The database has replied: what comes now is not in it.
  await vi.waitFor(() => expect(held).not.toHaveLength(0), waitOptions)
  await sql`select headway.append(key, session, agent, gen_random_uuid(), '{}', 1) from headway.plans`
  await sql`select pg_notify('headway_changes', 'any')`
  await vi.waitFor(() => expect(seen.notifications).toBe(3), waitOptions)
  release()
  await vi.waitFor(() => expect(changedKeys).toContainEqual(key), { timeout: 5_000, interval: 5 })
  await sql.end()
  await store.close()
  close()
})
