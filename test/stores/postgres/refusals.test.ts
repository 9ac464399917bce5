/** What a database or the way to it refuses is said in a sentence, and nothing is written by halves. */
import { chownSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { afterAll, describe, expect, test } from "vitest"
import { selfSigned } from "../../../src/cli/serve/self-signed.ts"
import { readAddress } from "../../../src/stores/postgres/address.ts"
import {
  createPostgresStore,
  inspectDatabase,
  migrateDatabase,
  roleScript,
} from "../../../src/stores/postgres/index.ts"
import { migrate } from "../../../src/stores/postgres/migrate.ts"
import { migrations, schemaVersion } from "../../../src/stores/postgres/schema.ts"
import type { PlanKey, Store } from "../../../src/stores/store.ts"
import { runCli } from "../../cli/run-cli.ts"
import { entryOf } from "../../contracts/store.ts"
import { freshDatabase } from "./one-server.ts"
import { serverUser } from "./programs.ts"
import { freePort, initServer, removeServer, type Server, startServer, superuser } from "./server.ts"

const key: PlanKey = { session: "s", agent: "main" }

const opened: Store[] = []
const servers: Server[] = []
afterAll(async () => {
  await Promise.all(opened.map((store) => store.close()))
  await Promise.all(servers.map(removeServer))
})

const storeAt = (url: string): Store => {
  const store = createPostgresStore({ url })
  opened.push(store)
  return store
}

const asUser = (url: string, user: string, password: string): string =>
  url.replace(/\/\/.*@/, `//${user}:${encodeURIComponent(password)}@`)

const databaseIn = (url: string): string => new URL(url).pathname.slice(1)

const run = async (url: string, text: string): Promise<postgres.RowList<postgres.Row[]>> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await sql.unsafe(text)
  } finally {
    await sql.end()
  }
}

describe("a user who is not let in", () => {
  test("has a wrong password: it is reported as one, and not printed", async () => {
    const url = asUser(await freshDatabase(), superuser.name, "wrong-secret")
    const error = await storeAt(url)
      .load(key)
      .catch((cause) => cause)
    expect(error).toMatchObject({ code: "store-refused" })
    expect(error.message).toContain(`did not accept the password of the user ${superuser.name}`)
    expect(error.message).not.toContain("wrong-secret")
    expect(storeAt(url).name).not.toContain("wrong-secret")
  })

  test("names a missing database: it is named, with how to create it", async () => {
    const url = (await freshDatabase()).replace(/[^/]+$/, "not_there")
    await expect(storeAt(url).append(key, entryOf("e", ["Read"]))).rejects.toMatchObject({
      code: "store-refused",
      message: expect.stringContaining("createdb not_there"),
    })
  })

  test("names a missing server: it is unreachable, not broken", async () => {
    const url = `postgres://ada:secret@127.0.0.1:${await freePort()}/plans`
    const store = storeAt(url)
    for (const ask of [() => store.load(key), () => store.list(), () => store.watch(() => {})]) {
      const error: Error = await (ask() as Promise<unknown>).then(
        () => new Error(),
        (cause) => cause,
      )
      expect(error).toMatchObject({ code: "store-away" })
      expect(error.message).toContain("cannot be reached")
      expect(error.message).not.toContain("secret")
    }
  })
})

describe("roles", () => {
  test("the script makes a writer and a reader, and can be run twice", async () => {
    const url = await freshDatabase()
    await migrateDatabase(url)
    const suffix = databaseIn(url).slice(2)
    const [writer, reader] = [`writer_${suffix}`, `reader_${suffix}`]
    const script = roleScript({ database: databaseIn(url), writer, reader })
    await run(url, script)
    await run(url, script)
    await run(
      url,
      `alter role ${writer} password 'w'; alter role ${reader} password 'r'; create role stranger_${suffix} login password 'x'`,
    )

    const writing = storeAt(asUser(url, writer, "w"))
    const reading = storeAt(asUser(url, reader, "r"))
    const { cursor } = await writing.append(key, entryOf("e", ["Read"], key))
    expect((await reading.load(key)).entries).toHaveLength(1)
    expect((await reading.list()).plans).toMatchObject([{ session: "s", upcoming: { kind: "next", content: "Read" } }])
    for (const asked of [
      () => reading.append(key, entryOf("f", ["Write"]), cursor),
      () => reading.remove(key),
      () => reading.sweep(() => true),
    ])
      await expect(asked()).rejects.toMatchObject({
        code: "read-only",
        message: expect.stringContaining(`can be read but not changed by the user ${reader}`),
      })
    expect((await reading.load(key, cursor)).entries).toEqual([])
    await expect(inspectDatabase(asUser(url, `stranger_${suffix}`, "x"))).rejects.toMatchObject({
      code: "store-refused",
      message: expect.stringContaining(`does not let the user stranger_${suffix} see the plans`),
    })
    expect(await inspectDatabase(asUser(url, reader, "r"))).toMatchObject({
      schema: schemaVersion,
      plans: 1,
      isWriter: false,
    })
    expect(await inspectDatabase(asUser(url, writer, "w"))).toMatchObject({
      schema: schemaVersion,
      plans: 1,
      isWriter: true,
    })

    // A writer cannot go round the functions.
    for (const text of [
      "delete from headway.entries",
      "update headway.plans set last = 0",
      "drop schema headway cascade",
      // These are called by the other functions alone: with them an entry could be made to stand on the number of another.
      "select headway.begin_plan(gen_random_uuid(), 's', 'main', -1)",
      "select headway.make_room(9000000000000000000)",
    ])
      await expect(run(asUser(url, writer, "w"), text)).rejects.toMatchObject({ code: "42501" })
    await expect(storeAt(asUser(url, `stranger_${suffix}`, "x")).load(key)).rejects.toMatchObject({
      code: "store-refused",
    })
    expect((await writing.sweep(() => true)).removed).toHaveLength(1)
  })

  test("a reader cannot call a function that a later migration brings", async () => {
    const url = await freshDatabase()
    await migrateDatabase(url)
    const suffix = databaseIn(url).slice(2)
    const [writer, reader] = [`later_writer_${suffix}`, `later_reader_${suffix}`]
    await run(url, roleScript({ database: databaseIn(url), writer, reader }))
    await run(url, `alter role ${writer} password 'w'; alter role ${reader} password 'r'`)
    const body = "language sql security definer as 'select 1'"
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const later = {
      version: schemaVersion + 1,
      needs: 1,
      sql: (schema: string) => `create function ${schema}.later() returns integer ${body}`,
    }
    await migrate(sql, readAddress(url), [...migrations, later])
    await sql.end()
    const text = "select headway.later() as found"
    expect(await run(asUser(url, writer, "w"), text)).toMatchObject([{ found: 1 }])
    await expect(run(asUser(url, reader, "r"), text)).rejects.toMatchObject({ code: "42501" })
  })

  test("a plan whose entries are counted wrongly accepts none, and reports that", async () => {
    const url = await freshDatabase()
    const store = storeAt(url)
    const { cursor } = await store.append(key, entryOf("e", ["Read"], key))
    for (const last of ["0", "9223372036854775807"]) {
      await run(url, `update headway.plans set last = ${last}`)
      for (const ask of [
        () => store.append(key, entryOf("f", ["Write"]), cursor),
        () => store.appendAll?.(key, [entryOf("f", ["Write"])], cursor),
      ])
        await expect(ask()).rejects.toMatchObject({ code: "plan-stuck", message: expect.stringContaining("wrongly") })
    }
    await run(url, "update headway.plans set last = 1")
    await store.append(key, entryOf("f", ["Write"]), cursor)
    expect((await store.append(key, entryOf("f", ["Write"]), cursor)).hadEntry).toBe(true)
    expect((await store.load(key)).entries.map(({ id }) => id)).toEqual(["e", "f"])
  })

  test("a name that would end the statement is refused or quoted", () => {
    expect(() => roleScript({ database: "a$b" })).toThrow("plain text")
    expect(roleScript({ database: 'x"; drop table y; --' })).toContain('on database "x""; drop table y; --" to')
  })
})

describe("schemas", () => {
  test("clients that begin at once create the tables once", async () => {
    const url = await freshDatabase()
    const stores = Array.from({ length: 6 }, () => storeAt(`${url}?connections=1`))
    await Promise.all(stores.map((store, index) => store.append(key, entryOf(`e${index}`, ["Read"]))))
    expect((await storeAt(url).load(key)).entries).toHaveLength(6)
    expect(await migrateDatabase(url)).toEqual({ from: schemaVersion, to: schemaVersion })
  })

  test("a schema that needs a newer Headway is refused with a sentence; one that only has more is used", async () => {
    const url = await freshDatabase()
    const old = storeAt(url)
    await old.append(key, entryOf("e1", ["Read"]))
    // Has been in use before, and asks again each time instead of from time to time.
    const running = createPostgresStore({ url, greetEvery: 0 })
    opened.push(running)
    await running.load(key)
    const sql = postgres(url, { max: 1, onnotice: () => {} })
    const address = readAddress(url)
    // What a later version may bring: a column more, which clients of today do not look at.
    const [now, next, last] = [schemaVersion, schemaVersion + 1, schemaVersion + 2]
    const more = {
      version: next,
      needs: 1,
      sql: (schema: string) => `alter table ${schema}.plans add column note text`,
    }
    expect(await migrate(sql, address, [...migrations, more])).toEqual({ from: now, to: next })
    await old.append(key, entryOf("e2", ["Write"]))
    expect((await storeAt(url).load(key)).entries).toHaveLength(2)
    // What is newer stays: an older client that is told to migrate changes nothing.
    expect(await migrateDatabase(url)).toEqual({ from: next, to: next })
    const other = { version: last, needs: last, sql: () => "select 1" }
    expect(await migrate(sql, address, [...migrations, more, other])).toEqual({ from: next, to: last })
    await sql.end()
    const late = storeAt(url)
    for (const ask of [
      () => running.append(key, entryOf("e3", ["Rest"])),
      () => running.load(key),
      () => late.load(key),
      () => late.append(key, entryOf("e3", ["Rest"])),
      () => migrateDatabase(url),
    ])
      await expect(ask()).rejects.toMatchObject({
        code: "newer-schema",
        message: expect.stringContaining("Update Headway"),
      })
    expect(await inspectDatabase(url)).toMatchObject({ schema: last, known: now })
  })

  test("a database of the first schema is written to as it is, and upgraded by two at once during writes", async () => {
    const url = await freshDatabase()
    const address = readAddress(url)
    const clients = [1, 2].map(() => postgres(url, { max: 1, onnotice: () => {} }))
    const [first, second] = clients as [postgres.Sql, postgres.Sql]
    expect(await migrate(first, address, migrations.slice(0, 1))).toEqual({ from: 0, to: 1 })
    const writer = `upgraded_${databaseIn(url).slice(2)}`
    await run(url, roleScript({ database: databaseIn(url), writer, reader: `${writer}_reader` }))
    await run(url, `alter role ${writer} password 'w'`)
    const keys = Array.from({ length: 12 }, (_, index) => ({ session: `s${index}`, agent: "main" }))
    const upgrade = migrateDatabase(asUser(url, writer, "w"))
    await expect(upgrade).rejects.toThrow(
      `has schema 1, and the user ${writer} may not upgrade it. Run "headway store migrate"`,
    )
    const store = storeAt(asUser(url, writer, "w"))
    const write = (id: string) => Promise.all(keys.map((one) => store.append(one, entryOf(id, ["Read"]))))
    await write("old-1")
    await write("old-2")
    const [upgraded] = await Promise.all([
      Promise.all([migrate(first, address), migrate(second, address)]),
      write("meanwhile"),
    ])
    expect(upgraded).toContainEqual({ from: 1, to: schemaVersion })
    expect(upgraded).toContainEqual({ from: schemaVersion, to: schemaVersion })
    await Promise.all(clients.map((client) => client.end()))
    await write("new-1")
    await write("old-1")
    const reader = storeAt(url)
    for (const one of keys)
      expect((await reader.load(one)).entries.map(({ id }) => id)).toEqual([
        ...["old-1", "old-2", "meanwhile", "new-1"],
      ])
  })

  test("tables without a numeric version are refused with a sentence, and `store` prints no NaN", async () => {
    const url = await freshDatabase()
    await storeAt(url).append(key, entryOf("e1", ["Read"]))
    for (const column of ["version", "needs"]) await run(url, `alter table headway.about alter ${column} type text`)
    await run(url, "update headway.about set version = 'nonsense', needs = 'nonsense'")
    const late = storeAt(url)
    for (const ask of [() => late.load(key), () => migrateDatabase(url), () => inspectDatabase(url)])
      await expect(ask()).rejects.toMatchObject({
        code: "unknown-schema",
        message: expect.stringContaining("does not say which version its tables have"),
      })
    expect(await runCli(["store", "--store", url])).toMatchObject({ code: 1, out: expect.not.stringContaining("NaN") })
  })

  test("a migration that fails leaves everything as it was", async () => {
    const url = await freshDatabase()
    await storeAt(url).append(key, entryOf("e1", ["Read"]))
    const sql = postgres(url, { max: 1 })
    const broken = {
      version: schemaVersion + 1,
      needs: schemaVersion + 1,
      sql: (schema: string) => `drop table ${schema}.summaries; select * from nowhere`,
    }
    await expect(migrate(sql, readAddress(url), [...migrations, broken])).rejects.toThrow("nowhere")
    await sql.end()
    expect((await storeAt(url).list()).plans).toHaveLength(1)
    expect(await inspectDatabase(url)).toMatchObject({ schema: schemaVersion })
  })

  test("a connection that is cut during a migration is only an error, and the tables are made with the next one", async () => {
    const url = await freshDatabase()
    const address = readAddress(url)
    const other = postgres(url, { max: 2, onnotice: () => {} })
    const lock = await other.reserve()
    await lock`select pg_advisory_lock(1214603351, hashtext(${address.schema}))`
    const appended = storeAt(url).append(key, entryOf("e1", ["Read"]))
    const cut: number[] = [0]
    while (cut.length < 3) {
      const ended = await other<{ pid: number }[]>`select pid, pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'headway' and wait_event = 'advisory' and pid <> all (${cut})`
      cut.push(...ended.map(({ pid }) => pid))
    }
    // It is tried twice.
    await expect(appended).rejects.toMatchObject({ code: "store-away" })
    lock.release()
    await other.end()
    await storeAt(url).append(key, entryOf("e1", ["Read"]))
    expect((await storeAt(url).list()).plans).toHaveLength(1)
  })

  test("a user who may not create tables is told who can; an empty database is only read", async () => {
    const url = await freshDatabase()
    const user = `guest_${databaseIn(url).slice(2)}`
    await run(url, `create role ${user} login password 'g'`)
    expect(await inspectDatabase(url)).toMatchObject({ schema: undefined, plans: 0 })
    await expect(storeAt(asUser(url, user, "g")).load(key)).rejects.toMatchObject({
      code: "no-schema",
      message: expect.stringContaining('Run "headway store migrate" as the owner'),
    })
    expect(await inspectDatabase(url)).toMatchObject({ schema: undefined })
  })
})

describe("a full disk", () => {
  test("is reported, no part of the entry is stored, and there is space again after a sweep", {
    timeout: 120_000,
  }, async () => {
    // A limit on the size of files, which PostgreSQL treats as a disk that is full: 24 MB, more than a piece of its own log.
    const server = await startServer(initServer(), { mostBytes: 24 << 20 })
    servers.push(server)
    const store = storeAt(server.url())
    const text = "x".repeat(1 << 20)
    const big = (id: string) => entryOf(id, [Array.from({ length: 4 }, () => incompressible(text.length)).join("")])
    let { cursor } = await store.append(key, entryOf("first", ["Read"], key))
    let written = 1
    const failure = await (async () => {
      for (; written < 40; written += 1) ({ cursor } = await store.append(key, big(`big-${written}`), cursor))
      return undefined
    })().catch((cause) => cause)
    expect(failure).toMatchObject({ code: "store-full", message: expect.stringContaining("no room left") })
    expect(failure.message).not.toContain("xxxx")
    const { entries } = await store.load(key)
    expect(entries).toHaveLength(written)
    expect(entries.at(-1)?.id).toBe(`big-${written - 1}`)
    // Small ones still fit in what is begun, or are refused whole.
    const after = await store.append(key, entryOf("small", ["Write"]), cursor).catch((cause) => cause.code)
    expect(["store-full", ["small"]]).toContainEqual(
      after.entries ? after.entries.map(({ id }: { id: string }) => id) : after,
    )
    await store.remove(key)
    await run(server.url(), "vacuum full headway.entries_0")
    expect((await store.append(key, entryOf("again", ["Again"]))).entries).toHaveLength(1)
  })
})

describe("TLS", () => {
  test("checks the certificate as configured by sslmode", async () => {
    const day = 86_400_000
    const validity = { from: new Date(Date.now() - day), until: new Date(Date.now() + day) }
    const { key: secret, cert } = selfSigned("localhost", ["localhost"], validity)
    const folder = initServer({ settings: { ssl: "on" } })
    const user = serverUser()
    for (const [name, content] of Object.entries({ "server.key": secret, "server.crt": cert })) {
      const path = join(folder, "data", name)
      writeFileSync(path, content, { mode: 0o600 })
      if (user) chownSync(path, user.uid, user.gid)
    }
    const server = await startServer(folder)
    servers.push(server)
    const root = join(folder, "root.crt")
    writeFileSync(root, cert)
    const named = server.url().replace("127.0.0.1", "localhost")
    for (const tried of [
      `${server.url()}?sslmode=require`,
      `${named}?sslmode=verify-full&sslrootcert=${root}`,
      `${server.url()}?sslmode=verify-ca&sslrootcert=${root}`,
    ])
      expect((await storeAt(tried).list()).plans).toEqual([])
    for (const tried of [`${named}?sslmode=verify-full`, `${server.url()}?sslmode=verify-full&sslrootcert=${root}`])
      await expect(storeAt(tried).list()).rejects.toMatchObject({
        code: "store-refused",
        message: expect.stringContaining("not secure"),
      })
  })
})

/** Text that the database cannot make shorter. */
const incompressible = (length: number): string => {
  const { randomBytes } = process.getBuiltinModule("node:crypto")
  return randomBytes(Math.ceil((length * 3) / 4))
    .toString("base64")
    .slice(0, length)
}
