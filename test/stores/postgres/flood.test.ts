/** Notifications that any user of a database can send: they never decide how much work a watcher does. */
import postgres from "postgres"
import { expect, test, vi } from "vitest"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import type { PlanKey } from "../../../src/stores/store.ts"
import { entryOf } from "../../contracts/store.ts"
import { freshDatabase } from "./one-server.ts"

test("a flood that names plans which are not there is left unread, and a change behind it is told", {
  timeout: 120_000,
}, async () => {
  const url = await freshDatabase()
  const store = createPostgresStore({ url, everyUnheard: 3_600_000, everyHeard: 3_600_000 })
  const told: (PlanKey | undefined)[] = []
  const key: PlanKey = { session: "real", agent: "main" }
  await store.watch((changed) => told.push(changed))
  await store.append(key, entryOf("first", ["Read"]))
  await vi.waitFor(() => expect(told).toContainEqual(key), { timeout: 50_000, interval: 20 })
  told.length = 0
  const sql = postgres(url, { max: 1 })
  const named = (number: number) =>
    JSON.stringify(Array.from({ length: 100 }, (_, at) => [`no-${number}-${at}`, "main"]))
  await sql.begin(async (each) => {
    for (let number = 0; number < 300; number += 1) await each`select pg_notify('headway_changes', ${named(number)})`
  })
  await sql.end()
  await store.append(key, entryOf("second", ["Write"]))
  await vi.waitFor(() => expect(told).toContainEqual(key), { timeout: 50_000, interval: 20 })
  expect(told.length).toBeLessThan(10_000)
  await store.close()
})
