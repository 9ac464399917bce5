/** What may happen between many processes and one database, done with real processes and a real server. */
import { randomUUID } from "node:crypto"
import postgres from "postgres"
import { afterAll, describe, expect, test, vi } from "vitest"
import { edits, type Problem } from "../../../src/plan/index.ts"
import { createPostgresStore } from "../../../src/stores/postgres/index.ts"
import type { PlanKey } from "../../../src/stores/store.ts"
import { openTracker } from "../../../src/tracker/open-tracker.ts"
import { entryOf } from "../../contracts/store.ts"
import { rounds } from "../../rounds.ts"
import { freshDatabase } from "./one-server.ts"
import { begin, expectNothingLost, startProcess, valuesOf } from "./processes.ts"
import { initServer, removeServer, type Server, startServer, stopServer } from "./server.ts"

const waitOptions = { timeout: 120_000, interval: 20 }
const key: PlanKey = { session: "team", agent: "main" }

const servers: Server[] = []
afterAll(async () => {
  await Promise.all(servers.map(removeServer))
})

const durableServer = async (): Promise<Server> => {
  const server = await startServer(initServer({ isDurable: true }))
  servers.push(server)
  return server
}

describe("many processes", { timeout: 300_000 }, () => {
  test("processes with many writes each on one plan lose nothing and agree on one order", async () => {
    const writes = rounds(100, 25)
    const url = `${await freshDatabase()}?connections=1`
    const names = Array.from({ length: rounds(16, 8) }, (_, index) => `w${index}`)
    const writers = await Promise.all(
      names.map((name) => startProcess("append", url, key.session, name, String(writes))),
    )
    await begin(writers)
    for (const { ended } of writers) expect(await ended).toEqual([0, null])
    expect(await expectNothingLost(url, key, writers)).toHaveLength(names.length * writes)
  })

  test("plans are swept while others write to them: acknowledged entries stay", async () => {
    const url = `${await freshDatabase()}?connections=1`
    const plans = 15
    const writers = await Promise.all(
      ["w1", "w2", "w3"].map((name) => startProcess("begin", url, "s", name, String(plans))),
    )
    const sweepers = await Promise.all(["g1", "g2"].map((name) => startProcess("sweep", url, "s", name)))
    await begin([...writers, ...sweepers])
    for (const { ended } of writers) expect(await ended).toEqual([0, null])
    for (const { child } of sweepers) child.stdin?.end()
    for (const { ended } of sweepers) expect(await ended).toEqual([0, null])
    expect(sweepers.flatMap((one) => valuesOf(one, "problem"))).toEqual([])
    const acknowledged = writers.flatMap((one) => valuesOf<[plan: number, content: string]>(one, "acknowledged"))
    expect(acknowledged).toHaveLength(plans * writers.length)
    const store = createPostgresStore({ url })
    for (let number = 0; number < plans; number += 1) {
      const { plan } = await openTracker({ store, session: `s${number}` })
      const contents = plan.todos.map(({ content }) => content)
      expect(contents).toEqual(
        expect.arrayContaining(acknowledged.flatMap(([one, content]) => (one === number ? [content] : []))),
      )
      expect(new Set(contents).size).toBe(contents.length)
    }
    await store.close()
  })

  test("a process that sleeps through many changes has all of them when it wakes", async () => {
    const changes = rounds(1_000, 250)
    const url = await freshDatabase()
    const sleeper = await startProcess("follow", url, key.session, "sleeper")
    await begin([sleeper])
    await vi.waitFor(() => expect(valuesOf(sleeper, "following")).toHaveLength(1), waitOptions)
    sleeper.child.kill("SIGSTOP")
    const store = createPostgresStore({ url })
    let { cursor } = await store.append(key, entryOf("first", ["todo 0"], key))
    for (let number = 1; number < changes; number += 1)
      ({ cursor } = await store.append(key, entryOf(randomUUID(), [`todo ${number}`]), cursor))
    sleeper.child.kill("SIGCONT")
    await vi.waitFor(() => expect(valuesOf<string[]>(sleeper, "plan").at(-1)).toHaveLength(changes), waitOptions)
    expect(valuesOf<string[]>(sleeper, "plan").at(-1)?.at(-1)).toBe(`todo ${changes - 1}`)
    sleeper.child.stdin?.end()
    expect(await sleeper.ended).toEqual([0, null])
    await store.close()
  })
})

describe("a server that fails", { timeout: 300_000 }, () => {
  test("that is killed during writes and started again loses, doubles or reorders nothing acknowledged", async () => {
    const server = await durableServer()
    const url = `${server.url()}?connections=1`
    const writers = await Promise.all(["a", "b", "c"].map((name) => startProcess("write", url, key.session, name)))
    await begin(writers)
    const count = (word: string): number => writers.reduce((sum, one) => sum + valuesOf(one, word).length, 0)
    // A writer that has not opened its plan yet cannot open it while the server is away.
    const haveBegun = (): boolean => writers.every((one) => valuesOf(one, "acknowledged").length > 0)
    await vi.waitFor(() => expect(haveBegun()).toBe(true), waitOptions)
    let now = server
    for (let round = 1; round <= 2; round += 1) {
      const [before, away] = [count("acknowledged"), count("away")]
      await vi.waitFor(() => expect(count("acknowledged")).toBeGreaterThan(before + 8), waitOptions)
      await stopServer(now, "SIGKILL")
      await vi.waitFor(() => expect(count("away")).toBeGreaterThan(away), waitOptions)
      now = await startServer(server.folder, { port: server.port })
    }
    servers.splice(servers.indexOf(server), 1, now)
    const before = count("acknowledged")
    await vi.waitFor(() => expect(count("acknowledged")).toBeGreaterThan(before + 8), waitOptions)
    for (const { child } of writers) child.stdin?.end()
    for (const { ended } of writers) expect(await ended).toEqual([0, null])
    await expectNothingLost(url, key, writers)
  })

  test("that cuts connections is connected to again, and writers notice nothing", async () => {
    const url = await freshDatabase()
    const [base = ""] = url.split("?")
    const sql = postgres(base, { max: 1 })
    const writers = await Promise.all(
      ["a", "b"].map((name) => startProcess("write", `${url}?connections=1`, key.session, name)),
    )
    await begin(writers)
    const count = (): number => writers.reduce((sum, one) => sum + valuesOf(one, "acknowledged").length, 0)
    let cut = 0
    for (let round = 1; round <= 6; round += 1) {
      const before = count()
      await vi.waitFor(() => expect(count()).toBeGreaterThan(before + 3), waitOptions)
      const rows = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'headway'`
      cut += rows.length
    }
    const before = count()
    await vi.waitFor(() => expect(count()).toBeGreaterThan(before + 3), waitOptions)
    for (const { child } of writers) child.stdin?.end()
    for (const { ended } of writers) expect(await ended).toEqual([0, null])
    expect(cut).toBeGreaterThan(5)
    await expectNothingLost(url, key, writers)
    await sql.end()
  })

  test("is reported by a watcher, and so are the changes when it is back", async () => {
    const server = await durableServer()
    const watching = createPostgresStore({ url: server.url(), everyUnheard: 100, everyHeard: 100 })
    const problems: Problem[] = []
    const changedKeys: (PlanKey | undefined)[] = []
    const stop = await watching.watch(
      (changed) => changedKeys.push(changed),
      (problem) => problems.push(problem),
    )
    await stopServer(server)
    await vi.waitFor(() => expect(problems.map(({ code }) => code)).toEqual(["not-watched"]), waitOptions)
    const again = await startServer(server.folder, { port: server.port })
    servers.splice(servers.indexOf(server), 1, again)
    const store = createPostgresStore({ url: server.url() })
    await store.append(key, entryOf("one", ["Read"], key))
    await vi.waitFor(() => expect(changedKeys).toContainEqual(key), waitOptions)
    expect(problems).toHaveLength(1)
    await stop()
    await Promise.all([store.close(), watching.close()])
  })

  test("does not stop a tracker, which continues with what others wrote", async () => {
    const server = await durableServer()
    const person = { kind: "person", id: "ada" } as const
    const store = createPostgresStore({ url: server.url() })
    const tracker = await openTracker({ store, session: "s" })
    await tracker.edit(person, () => edits.add("Before"))
    await stopServer(server, "SIGKILL")
    await expect(tracker.edit(person, () => edits.add("Lost"))).rejects.toMatchObject({ code: "store-away" })
    const again = await startServer(server.folder, { port: server.port })
    servers.splice(servers.indexOf(server), 1, again)
    await tracker.edit(person, () => edits.add("After"))
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Before", "After"])
    await tracker.close()
    await store.close()
  })
})
