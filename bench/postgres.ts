/** Plans in PostgreSQL: commits beside pgbench on the same server, a change seen elsewhere, long listings and long logs. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import postgresDriver from "postgres"
import { findDialect, openTracker } from "../dist/lib/index.js"
import { type Cursor, openStore, type Store } from "../dist/lib/stores/index.js"
import { postgresPrograms, programIn } from "../test/stores/postgres/programs.ts"
import { initServer, removeServer, type Server, startServer, superuser } from "../test/stores/postgres/server.ts"
import { median, milliseconds, percentile, type Row } from "./measure.ts"

const seconds = Number(process.env.HEADWAY_BENCH_SECONDS ?? 2)
const rounds = 5
const plans = Number(process.env.HEADWAY_BENCH_PLANS ?? 10_000)
const entries = Number(process.env.HEADWAY_BENCH_ENTRIES ?? 1_000_000)

const at = "2030-01-01T00:00:00.000Z"

/** A change as an agent makes it most often: a todo is done. */
const entryOf = (id: string) => ({
  v: 1 as const,
  id,
  at,
  by: { kind: "agent" as const, id: "main" },
  via: { dialect: "headway", tool: "todo" },
  events: [
    {
      type: "todo-changed" as const,
      id: "1",
      from: { status: "pending" as const },
      to: { status: "completed" as const },
    },
  ],
})

const timed = async (action: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await action()
  return performance.now() - started
}

const headway = findDialect("headway")

/** The first look makes the tables. */
const prepareDatabase = async (server: Server): Promise<void> => {
  const store = await openStore(server.url())
  await store.list()
  await store.close()
}

export const postgres = async (): Promise<Row[]> => {
  const server = await startServer(
    initServer({ isDurable: true, settings: { shared_buffers: "256MB", max_wal_size: "4GB" } }),
  )
  const sql = postgresDriver(server.url(), { max: 1, fetch_types: false, onnotice: () => {} })
  try {
    await prepareDatabase(server)
    const rows: Row[] = []
    for (const connections of [1, 8, 32]) rows.push(await appending(server, sql, connections))
    rows.push(await crossing(server))
    rows.push(...(await growing(server, sql)))
    rows.push(...(await listing(server, sql)))
    return rows
  } finally {
    await sql.end()
    await removeServer(server)
  }
}

/** Rounds by turns: the ratio is that of the middle one, in which both had the same disk and the same neighbours. */
const appending = async (server: Server, sql: postgresDriver.Sql, connections: number): Promise<Row> => {
  await sql`create table if not exists public.bare (id bigserial primary key, entry text not null)`
  const script = join(server.folder, "insert.sql")
  writeFileSync(script, `insert into public.bare (entry) values ('${JSON.stringify(entryOf("e-0"))}');\n`)
  // A process that has run for a while has compiled what it runs; pgbench comes compiled.
  await appendsPerSecond(server, connections)
  const pairs: { bare: number; own: number }[] = []
  while (pairs.length < rounds) {
    const bare = barePerSecond(server, script, connections)
    const own = await appendsPerSecond(server, connections)
    // On a very busy machine a round of pgbench may be over before all its connections are there.
    if (Number.isFinite(bare)) pairs.push({ bare, own })
  }
  const ratio = median(pairs.map(({ bare, own }) => bare / own))
  const [bare, own] = [median(pairs.map((pair) => pair.bare)), median(pairs.map((pair) => pair.own))]
  return {
    what: `commits a second, ${connections} connection${connections > 1 ? "s" : ""}`,
    figure: `${own.toFixed(0)}; pgbench ${bare.toFixed(0)}, ours ${(1 / ratio).toFixed(2)} of it`,
    ratio,
    limit: 1.67,
  }
}

const barePerSecond = ({ port }: Server, script: string, connections: number): number => {
  const words = ["-h", "127.0.0.1", "-p", String(port), "-U", superuser.name, "-n", "-M", "prepared", "-f", script]
  const output = execFileSync(
    programIn(postgresPrograms(), "pgbench"),
    [...words, "-c", String(connections), "-j", "1", "-T", String(seconds), "postgres"],
    { env: { ...process.env, PGPASSWORD: superuser.password }, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
  )
  return Number(/tps = ([\d.]+)/.exec(output)?.[1])
}

let written = 0

/** As many plans as connections, each written by one writer at a time, as agents do. */
const appendsPerSecond = async (server: Server, connections: number): Promise<number> => {
  const store = await openStore(`${server.url()}?connections=${connections}`)
  const keys = Array.from({ length: connections }, (_, index) => ({ session: `agent-${index}`, agent: "main" }))
  const cursors = await Promise.all(keys.map(async (key) => (await store.load(key)).cursor))
  let count = 0
  const started = performance.now()
  const ends = started + seconds * 1000
  await Promise.all(
    keys.map(async (key, index) => {
      let cursor: Cursor | undefined = cursors[index]
      while (performance.now() < ends) {
        written += 1
        cursor = (await store.append(key, entryOf(`e-${written}`), cursor)).cursor
        count += 1
      }
    }),
  )
  const perSecond = (count / (performance.now() - started)) * 1000
  await store.close()
  return perSecond
}

/** Writes todos that say when they were written, by the clock all processes share. */
const writer = (url: string): string => `
import { findDialect, openStore, openTracker } from ${JSON.stringify(pathToFileURL("dist/lib/index.js").href)}
const store = await openStore(${JSON.stringify(url)})
const tracker = await openTracker({ store, session: "crossing" })
for (let count = 0; count < 200; count += 1) {
  await new Promise((resolve) => setTimeout(resolve, 15 + Math.random() * 30))
  const content = String(process.hrtime.bigint())
  await tracker.write({ tool: "todo", input: { todos: [{ content }] } }, findDialect("headway"))
}
await tracker.close()
await store.close()
`

const crossing = async (server: Server): Promise<Row> => {
  const store = await openStore(server.url())
  const reader = await openTracker({ store, session: "crossing" })
  const times: number[] = []
  reader.subscribe(({ events }) => {
    for (const event of events)
      if (event.type === "todo-added") times.push(Number(process.hrtime.bigint() - BigInt(event.todo.content)) / 1e6)
  })
  const stop = await reader.follow()
  const child = spawn(process.execPath, ["--input-type=module", "-e", writer(server.url())], { stdio: "inherit" })
  await once(child, "exit")
  for (let wait = 0; wait < 100 && times.length < 200; wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  await stop()
  await reader.close()
  await store.close()
  const figure = `p50 ${milliseconds(median(times))}, p99 ${milliseconds(percentile(times, 0.99))}`
  return { what: `a change seen by another process, ${times.length} of 200`, figure }
}

/** Opening a plan and changing it, with a hundredth of the entries and with all. */
const growing = async (server: Server, sql: postgresDriver.Sql): Promise<Row[]> => {
  const names = { small: entries / 100, large: entries }
  for (const [session, count] of Object.entries(names)) await fill(server, sql, session, count)
  const times: Record<keyof typeof names, { open: number[]; write: number[] }> = {
    small: { open: [], write: [] },
    large: { open: [], write: [] },
  }
  for (let round = 0; round < 15; round += 1)
    for (const session of ["small", "large"] as const) {
      const store = await openStore(server.url())
      // The connection is the same for both, and no part of the plan.
      await store.position({ session: "none", agent: "main" })
      let tracker = await openTracker({ store, session: "none" })
      times[session].open.push(
        await timed(async () => {
          tracker = await openTracker({ store, session })
        }),
      )
      times[session].write.push(await timed(() => patch(tracker)))
      await tracker.close()
      await store.close()
    }
  const { small, large } = times
  const row = (what: string, one: number[], other: number[]): Row => ({
    what,
    figure: `${milliseconds(median(other))}, ${milliseconds(median(one))} at a hundredth`,
    ratio: median(other) / median(one),
    limit: 1.5,
  })
  const count = entries.toLocaleString("en")
  const [size] = await sql.unsafe(
    `select sum(pg_total_relation_size(inhrelid))::float8 / (select sum(last)::float8 from headway.plans) as bytes
     from pg_inherits where inhparent = 'headway.entries'::regclass`,
  )
  return [
    {
      what: "disk for an entry, indexes included",
      figure: `${Number(size?.bytes).toFixed(0)} bytes, ${JSON.stringify(entryOf("e-1")).length} of them text`,
    },
    row(`open a plan, ${count} entries`, small.open, large.open),
    row("append to it", small.write, large.write),
  ]
}

type Opened = Awaited<ReturnType<typeof openTracker>>

const patch = async (tracker: Opened): Promise<void> => {
  const [first] = tracker.plan.todos
  const status = first?.status === "completed" ? "pending" : "completed"
  const { events } = await tracker.write({ tool: "todo", input: { todos: [{ id: "1", status }] } }, headway)
  if (events.length !== 1) throw new Error("the patch changed nothing")
}

/** The entries are put in by the server itself; the plan is then opened and changed once, as its agent would. */
const fill = async (server: Server, sql: postgresDriver.Sql, session: string, count: number): Promise<void> => {
  const store: Store = await openStore(server.url())
  const begun = await openTracker({ store, session })
  const todos = Array.from({ length: 20 }, (_, index) => ({ content: `Migrate module number ${index + 1}` }))
  await begun.write({ tool: "todo", input: { todos } }, headway)
  const done = JSON.stringify(entryOf("e-$"))
  const undone = done.replace("pending", "-").replace("completed", "pending").replace('-"', 'completed"')
  await sql.unsafe(
    `insert into headway.entries
     select p.id, n, gen_random_uuid(), replace(case when n % 2 = 0 then '${done}' else '${undone}' end, 'e-$', 'e-' || n)
     from headway.plans p, generate_series(2, ${count}) n where p.session = '${session}'`,
  )
  await sql.unsafe(`update headway.plans set last = ${count} where session = '${session}'`)
  await sql.unsafe("vacuum analyze headway.entries")
  const tracker = await openTracker({ store, session })
  if (tracker.ledger.entries < count) throw new Error("entries are missing")
  await patch(tracker)
  await tracker.close()
  await store.close()
}

const listing = async (server: Server, sql: postgresDriver.Sql): Promise<Row[]> => {
  await sql`delete from headway.plans`
  await sql.unsafe(
    `insert into headway.plans (key, session, agent, last, changed)
     select gen_random_uuid(), 'session-' || n, 'main', 5, pg_current_xact_id() from generate_series(1, ${plans}) n`,
  )
  const summary = `json_build_object('session', session, 'agent', 'main', 'project', '/projects/' || id % 50, 'isFinished', false, 'todos', 5,
    'progress', json_build_object('completed', 2, 'total', 5, 'percent', 40), 'current', 'Migrating module number 3 to the new interface', 'updated', '${at}')::text`
  await sql.unsafe(
    `insert into headway.summaries select id, 5, pg_current_xact_id(), '/projects/' || id % 50, '${at}', 1893456000000, ${summary} from headway.plans`,
  )
  for (const table of ["plans", "summaries"]) await sql.unsafe(`vacuum analyze headway.${table}`)
  const counts = async (): Promise<unknown> => sql.unsafe("select count(*) from headway.plans", [], { prepare: true })
  // The least that any reader of them must do.
  const texts = async (): Promise<unknown> =>
    (await sql.unsafe("select summary from headway.summaries", [], { prepare: true })).map(({ summary: text }) =>
      JSON.parse(String(text)),
    )
  const times: Record<"count" | "texts" | "first" | "again", number[]> = { count: [], texts: [], first: [], again: [] }
  for (let round = 0; round < 15; round += 1) {
    const fresh = await openStore(server.url())
    await fresh.position({ session: "none", agent: "main" })
    times.count.push(await timed(counts))
    times.texts.push(await timed(texts))
    times.first.push(await timed(() => fresh.list()))
    for (let again = 0; again < 5; again += 1) times.again.push(await timed(() => fresh.list()))
    await fresh.close()
  }
  const [count, raw, first, again] = [times.count, times.texts, times.first, times.again].map(median) as [
    ...[number, number, number, number],
  ]
  const number = plans.toLocaleString("en")
  return [
    { what: `select count(*) of ${number} plans`, figure: milliseconds(count) },
    { what: "list them again in one process", figure: milliseconds(again), ratio: again / count, limit: 3 },
    { what: "list them for the first time", figure: milliseconds(first), ratio: first / count, limit: 3 },
    { what: "the same beside reading and parsing the texts", figure: milliseconds(raw), ratio: first / raw, limit: 3 },
  ]
}
