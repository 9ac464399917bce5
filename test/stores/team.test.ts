/** Processes on several machines with one database: claims are decided by its log, and nothing is lost while it is away. */
import { once } from "node:events"
import postgres from "postgres"
import { afterAll, expect, test, vi } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { type Entry, replay } from "../../src/plan/index.ts"
import { createDeliveredStore, type DeliveredStore } from "../../src/stores/delivered/delivered-store.ts"
import { deliveryFolder } from "../../src/stores/delivered/folder.ts"
import { openStore } from "../../src/stores/index.ts"
import { createPostgresStore } from "../../src/stores/postgres/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { entryOf } from "../contracts/store.ts"
import { rounds } from "../rounds.ts"
import { acknowledgedBy, bundle, startWriter, type Writer } from "./faults.ts"
import { freshDatabase } from "./postgres/one-server.ts"
import { initServer, removeServer, type Server, startServer, stopServer } from "./postgres/server.ts"
import { temporaryFolder } from "./temporary.ts"

const key = { session: "shared", agent: "main" }
const waitOptions = { timeout: 300_000, interval: 50 }

const started = new Set<Writer>()

const start = (...words: Parameters<typeof startWriter>): Writer => {
  const worker = startWriter(...words)
  started.add(worker)
  return worker
}

afterAll(() => {
  for (const { child } of started) child.kill("SIGKILL")
})

const begin = async (workers: readonly Writer[]): Promise<void> => {
  await vi.waitFor(() => {
    for (const { messages } of workers) expect(messages[0]?.[0]).toBe("ready")
  }, waitOptions)
  for (const { child } of workers) child.stdin?.write("go\n")
}

const entriesIn = async (url: string): Promise<Entry[]> => {
  const store = createPostgresStore({ url })
  const { entries } = await store.load(key)
  await store.close()
  return entries
}

const saidBy = (workers: readonly Writer[], wanted: string): string[] =>
  workers.flatMap(({ messages }) => messages.flatMap(([word, value]) => (word === wanted ? [String(value)] : [])))

test("a claim that failed because another user keeps the plan locked does not count later", async () => {
  const url = await freshDatabase()
  const remote = createPostgresStore({ url })
  await remote.append(key, entryOf("first", ["Read"], key))
  const home = temporaryFolder()
  const store = createDeliveredStore({
    name: "elsewhere",
    folder: deliveryFolder(home, "elsewhere"),
    person: home,
    open: async () => createPostgresStore({ url }),
    timeout: 400,
  })
  await store.append(key, entryOf("second", ["Write"]))
  await vi.waitFor(() => store.deliver(), waitOptions)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  const claimed: Entry = { ...entryOf("c", []), events: [{ type: "todo-claimed", id: "1", owner: "a", minutes: 30 }] }
  await sql.begin(async (transaction) => {
    await transaction`select from headway.plans for update`
    await expect(store.append(key, claimed)).rejects.toThrow()
  })
  await sql.end()
  // Whoever waits for a row gets it in turn: had the claim gone on waiting, it would come first.
  await remote.append(key, entryOf("third", ["Test"]))
  await remote.close()
  await store.close()
  expect((await entriesIn(url)).map(({ id }) => id)).toEqual(["first", "second", "third"])
})

test("workers on two machines claim many todos, each of them once", async () => {
  const url = `${await freshDatabase()}?connect_timeout=60&connections=2`
  const store = createPostgresStore({ url })
  const tracker = await openTracker({ store, ...key })
  const todos = Array.from({ length: rounds(200, 50) }, (_, index) => ({ content: `Part ${index + 1} of the work` }))
  await tracker.write({ tool: "todo", input: { todos } }, dialects.headway)
  await tracker.close()
  await store.close()
  const program = await bundle("./team-worker.ts", temporaryFolder())
  const homes = [temporaryFolder(), temporaryFolder()]
  const workers = Array.from({ length: rounds(16, 6) }, (_, index) =>
    start(program, ["work", url, homes[index % 2] ?? "", `w${index}`]),
  )
  const ended = workers.map(({ child }) => once(child, "close"))
  await begin(workers)
  for (const end of ended) expect(await end).toEqual([0, null])
  const wanted = todos.map(({ content }) => content).toSorted()
  expect(saidBy(workers, "did").toSorted()).toEqual(wanted)
  // The log says the same: each was finished by one entry, and that by the worker who held it.
  const finished = replay(await entriesIn(url)).happenings.flatMap(({ events, names }) =>
    events.flatMap((event) =>
      event.type === "todo-changed" && event.to.status === "completed" ? [names.get(event.id) ?? ""] : [],
    ),
  )
  expect(finished.toSorted()).toEqual(wanted)
}, 600_000)

let server: Server | undefined
afterAll(async () => {
  if (server) await removeServer(server)
})

test("a database that is killed under load and comes back has all acknowledged entries, once and in order", async () => {
  server = await startServer(initServer({ isDurable: true }))
  const { folder, port } = server
  const url = `${server.url()}?connect_timeout=60&connections=2`
  const program = await bundle("./team-worker.ts", temporaryFolder())
  const homes = [temporaryFolder(), temporaryFolder()]
  const writers = Array.from({ length: 4 }, (_, index) =>
    start(program, ["write", url, homes[index % 2] ?? "", `w${index}`]),
  )
  const ended = writers.map(({ child }) => once(child, "close"))
  await begin(writers)
  const more = async (count: number): Promise<void> => {
    const before = writers.map((one) => acknowledgedBy(one).length)
    await vi.waitFor(() => {
      for (const [index, one] of writers.entries())
        expect(acknowledgedBy(one).length).toBeGreaterThanOrEqual((before[index] ?? 0) + count)
    }, waitOptions)
  }
  await more(rounds(20, 8))
  await stopServer(server, "SIGKILL")
  // Work goes on without it.
  await more(rounds(20, 8))
  // One of them does not live to see it again: what it was told is kept lies in its home.
  writers[0]?.child.kill("SIGKILL")
  // On a busy machine the processes of the one that was killed take a while to go.
  await vi.waitFor(async () => {
    server = await startServer(folder, { port })
  }, waitOptions)
  for (const one of writers.slice(1)) one.child.stdin?.write("stop\n")
  await Promise.all(ended)
  for (const home of homes) {
    const store = (await openStore(url, { delivery: { person: home } })) as DeliveredStore
    await vi.waitFor(() => store.deliver(), waitOptions)
    expect(await store.state()).toMatchObject({ undelivered: 0, refused: 0 })
    await store.close()
  }
  const ids = (await entriesIn(url)).map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const [index, writer] of writers.entries()) {
    const own = ids.filter((id) => id.startsWith(`w${index}-`))
    const acknowledged = acknowledgedBy(writer)
    expect(own.slice(0, acknowledged.length)).toEqual(acknowledged)
    // A process that was killed may have written one more than it messages.
    expect(own.length - acknowledged.length).toBeLessThanOrEqual(index === 0 ? 1 : 0)
  }
}, 600_000)
