/** Changes that wait for a database, when another store is used or copied: they are delivered first, or named. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import postgres from "postgres"
import { afterEach, expect, test, vi } from "vitest"
import { freshDatabase } from "../stores/postgres/one-server.ts"
import { superuser } from "../stores/postgres/server.ts"
import { atHome } from "./run-cli.ts"

const list = '{"todos":[{"content":"Read"},{"content":"Write"}]}'
const away = "postgres://anna@127.0.0.1:1/plans"

afterEach(() => {
  vi.unstubAllEnvs()
})

const setPassword = (password: string): void => {
  vi.stubEnv("PGPASSWORD", password)
}

/** A database, as the settings have it: the password is in the environment. */
const database = async () => {
  const whole = await freshDatabase()
  const sql = async (text: string): Promise<void> => {
    const client = postgres(whole, { max: 1, onnotice: () => {} })
    await client.unsafe(text)
    await client.end()
  }
  const plain = whole.replace(/:[^:@/]*@/, "@")
  const as = (user: string): string => `${plain.replace(/\/\/.*@/, `//${user}@`)}?connect_timeout=60`
  return { url: as(superuser.name), as, sql, name: new URL(whole).pathname.slice(1) }
}

/** A person whose one change waits for the database, because their password was wrong. */
const withWaiting = async (url: string) => {
  const person = atHome()
  setPassword(superuser.password)
  await person.run(["store", "use", url])
  await person.run(["write", "--new", "--session", "shop"], { input: list })
  setPassword("wrong")
  expect(await person.run(["todo", "add", "Test", "--session", "shop"])).toMatchObject({ code: 0 })
  return person
}

test("a store with waiting changes stays in use until they are delivered, unless they are to be left", async () => {
  const { run, home } = atHome()
  await run(["store", "use", away])
  await run(["write", "--new", "--session", "s"], { input: list })
  await run(["todo", "add", "Test", "--session", "s"])
  for (const other of ["file:", "postgres://anna@localhost:1/plans"]) {
    const refused = await run(["store", "use", other])
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      /The store was not changed\. 2 changes wait in \S+stores\S+, not delivered: postgres:\S+ cannot/,
    )
    expect(refused.err).toContain("--leave-waiting")
  }
  expect(readFileSync(join(home, ".headway", "settings.json"), "utf8")).toContain(away)
  // The same store, with another parameter.
  expect((await run(["store", "use", `${away}?connect_timeout=1`])).code).toBe(0)
  const left = await run(["store", "use", "file:", "--leave-waiting"])
  expect(left.code).toBe(0)
  expect(left.err).toContain(`they stay there until "headway store deliver --store ${away}" delivers them`)
})

test("changes that wait for a store that is no longer used are listed by store and doctor", async () => {
  const { run, home } = atHome()
  await run(["write", "--new", "--session", "s", "--store", away], { input: list })
  const text = `1 change for ${away} in ${join(home, ".headway", "stores")}`
  expect((await run(["store"])).out).toContain(text)
  const { waiting } = JSON.parse((await run(["store", "--json"])).out)
  expect(waiting).toMatchObject([{ store: away, undelivered: 1, since: "2030-01-01T00:00:00.000Z" }])
  const doctor = await run(["doctor", "--look", "--json"])
  expect(doctor.code).toBe(1)
  expect(JSON.parse(doctor.out).store).toContainEqual({
    name: "undelivered",
    ok: false,
    note: expect.stringContaining(text),
  })
  expect(JSON.parse((await run(["store", "--store", away, "--json"])).out)).not.toHaveProperty("waiting")
})

test("another store is used once the waiting changes are delivered", async () => {
  const { url } = await database()
  const { run } = await withWaiting(url)
  expect((await run(["store", "use", "file:"])).err).toContain("1 change waits")
  setPassword(superuser.password)
  const used = await run(["store", "use", "file:"])
  expect(used).toMatchObject({ code: 0, err: expect.stringContaining("1 change delivered") })
  expect((await run(["store"])).out).not.toContain("waiting")
  expect((await atHome().run(["show", "--session", "shop", "--store", url])).out).toContain("Test")
})

test("the status of a reachable store says why the last attempt to deliver has failed", async () => {
  const { url } = await database()
  const { run } = await withWaiting(url)
  setPassword(superuser.password)
  expect((await run(["store"])).out).toMatch(/1 change, .* old; the last attempt failed: .*did not accept the password/)
})

test("waiting changes are delivered to another address only if the person says that the same database is there", async () => {
  const { url, as, sql, name } = await database()
  const old = `old_${name}`
  await sql(`create role ${old} superuser login password '${superuser.password}'`)
  const { run } = await withWaiting(as(old))
  await sql(`alter role ${old} nologin`)
  setPassword(superuser.password)
  const refused = await run(["store", "use", url])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("store deliver --from postgres://") })
  expect(await run(["store", "use", url, "--leave-waiting"])).toMatchObject({ code: 0 })
  expect(await run(["store", "deliver"])).toMatchObject({
    out: expect.stringContaining("0 changes delivered"),
    err: expect.stringContaining("waiting: 1 change for postgres://"),
  })
  expect((await run(["show", "--session", "shop"])).out).not.toContain("Test")
  const delivered = await run(["store", "deliver", "--from", as(old)])
  expect(delivered).toMatchObject({ code: 0, out: expect.stringContaining("1 change delivered") })
  expect((await run(["show", "--session", "shop"])).out).toContain("Test")
})

test("waiting changes are never delivered to a database that is not the one they were written for", async () => {
  const { as, sql, name } = await database()
  const old = `old_${name}`
  await sql(`create role ${old} superuser login password '${superuser.password}'`)
  const { run } = await withWaiting(as(old))
  await sql(`alter role ${old} nologin`)
  setPassword(superuser.password)
  const other = await database()
  await run(["store", "use", other.url, "--leave-waiting"])
  await run(["list", "--own"])
  const refused = await run(["store", "deliver", "--from", as(old)])
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("another database") })
})

test("a database that was replaced is named by doctor, and is not broken", async () => {
  const { url, sql } = await database()
  const { run } = atHome()
  setPassword(superuser.password)
  await run(["store", "use", url])
  await run(["write", "--new", "--session", "shop"], { input: list })
  await sql("update headway.about set place = gen_random_uuid()")
  await run(["list", "--own"])
  const { out } = await run(["doctor"])
  expect(out).toMatch(/plans: 1 plan, all readable; Since \S+ another database is at/)
  expect(out).not.toContain("BROKEN")
})

test("changes for an address at which no database ever was are delivered where the person says", async () => {
  const { url } = await database()
  const { run } = atHome()
  await run(["store", "use", away])
  await run(["write", "--new", "--session", "typo"], { input: list })
  setPassword(superuser.password)
  await run(["store", "use", url, "--leave-waiting"])
  await run(["list", "--own"])
  expect((await run(["store", "deliver", "--from", away])).out).toContain("1 change delivered")
  expect((await run(["show", "--session", "typo"])).out).toContain("Write")
})

test("a copy has the waiting changes of its source, or says that it does not", async () => {
  const { url, sql, name } = await database()
  const { run, home } = await withWaiting(url)
  setPassword(superuser.password)
  const setReading = (to: "on" | "off") =>
    sql(`begin read write; alter database ${name} set default_transaction_read_only = ${to}; commit`)
  await setReading("on")
  const part = await run(["store", "copy", url, "file:part"])
  expect(part).toMatchObject({ code: 1, err: expect.stringContaining("not in the copy: 1 change waits in") })
  await setReading("off")
  expect(await run(["store", "copy", url, "file:whole"])).toMatchObject({ code: 0 })
  expect((await run(["show", "--session", "shop", "--store", `file:${join(home, "whole")}`])).out).toContain("Test")
})

test("changes that a database has lost are shown, and removed from the home when the person says so", async () => {
  const { url, sql } = await database()
  const { run } = atHome()
  setPassword(superuser.password)
  await run(["store", "use", url])
  expect(await run(["store", "rejected"])).toMatchObject({ code: 0, out: expect.stringContaining("no changes") })
  await run(["write", "--new", "--session", "shop"], { input: list })
  await run(["todo", "add", "Test", "--session", "shop"])
  await run(["write", "--session", "shop"], { input: '{"todos":[{"id":"1","status":"completed"}]}' })
  // As after a backup from before them was restored.
  await sql("delete from headway.entries where seq > 1; update headway.plans set last = 1")
  await run(["show", "--session", "shop"])
  const checked = await run(["store", "check"])
  expect(checked.out).toMatch(/changes made here were rejected by the database: see "headway store rejected"/)
  const shown = await run(["store", "rejected"])
  expect(shown.out).toMatch(/^shop main\n/)
  expect(shown.out).toContain('added "Test"')
  expect(shown.out).toContain('1 "Read": now completed')
  expect(shown.err).toContain("store rejected --discard")
  const { rejected } = JSON.parse((await run(["store", "rejected", "--json"])).out)
  expect(rejected).toMatchObject([{ session: "shop", agent: "main" }])
  const discarded = await run(["store", "rejected", "--discard"])
  expect(discarded).toMatchObject({ code: 0, out: shown.out, err: expect.stringMatching(/\d changes discarded/) })
  expect((await run(["store", "rejected"])).out).toContain("rejected no changes")
  expect(await run(["store", "check"])).toMatchObject({ code: 0, out: "" })
  expect((await run(["store", "rejected", "--store", "file:"])).code).toBe(2)
})
