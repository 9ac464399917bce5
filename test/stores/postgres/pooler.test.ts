/** Through a pooler that keeps no session: nothing is prepared, no notification is heard, and all works. */
import { afterAll, describe, expect, test, vi } from "vitest"
import { edits } from "../../../src/plan/index.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import type { PlanKey, Store } from "../../../src/stores/store.ts"
import { openTracker } from "../../../src/tracker/open-tracker.ts"
import { entryOf } from "../../contracts/store.ts"
import { freshDatabase } from "./one-server.ts"
import { type Pooler, startPooler } from "./pooler.ts"

const key: PlanKey = { session: "s", agent: "main" }
const opened: Store[] = []
const poolers: Pooler[] = []
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()))
  await Promise.all(poolers.map(({ stop }) => stop()))
})

const pooled = async (): Promise<string> => {
  const url = new URL(await freshDatabase())
  const pooler = await startPooler(Number(url.port), 3)
  poolers.push(pooler)
  url.port = String(pooler.port)
  return url.href
}

const storeAt = (url: string): Store => {
  const store = createPostgresStore({ url, everyUnheard: 50, everyHeard: 3_600_000 })
  opened.push(store)
  return store
}

// Installing it may be part of the first.
describe("a transaction pooler", { timeout: 300_000 }, () => {
  test("twelve clients on three connections write to one plan and to their own, and lose nothing", async () => {
    const url = await pooled()
    const stores = Array.from({ length: 12 }, () => storeAt(`${url}?connections=1`))
    await Promise.all(
      stores.map(async (store, who) => {
        for (let number = 0; number < 10; number += 1) {
          await store.append(key, entryOf(`${who}-${number}`, ["Read"]))
          await store.append({ session: `own-${who}`, agent: "main" }, entryOf(`own-${number}`, ["Write"]))
        }
      }),
    )
    expect(new Set((await storeAt(url).load(key)).entries.map(({ id }) => id)).size).toBe(120)
    expect((await storeAt(url).list()).plans).toHaveLength(13)
  })

  test("a watcher without notifications polls", async () => {
    const url = await pooled()
    const changedKeys: (PlanKey | undefined)[] = []
    const watching = storeAt(url)
    await watching.watch((changed) => changedKeys.push(changed))
    const tracker = await openTracker({ store: storeAt(url), session: "s" })
    await tracker.edit({ kind: "person", id: "ada" }, () => edits.add("Read"))
    await vi.waitFor(() => expect(changedKeys).toContainEqual(key), { timeout: 50_000, interval: 20 })
    changedKeys.length = 0
    await storeAt(url).remove(key)
    await vi.waitFor(() => expect(changedKeys).toContainEqual(key), { timeout: 50_000, interval: 20 })
    await tracker.close()
  })
})
