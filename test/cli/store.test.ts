/** `headway store`: where plans are kept, copies between stores, and what is wrong with one. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { schemaVersion } from "../../src/stores/postgres/schema.ts"
import { freshDatabase } from "../stores/postgres/one-server.ts"
import { atHome } from "./run-cli.ts"

/** On a busy machine a database takes its time. */
const patientDatabase = async (): Promise<string> => `${await freshDatabase()}?connect_timeout=60`

const list = '{"todos":[{"content":"Read"},{"content":"Write"}]}'

/** A database that cannot be reached: its port is the one that no program listens on. */
const away = "postgres://anna@127.0.0.1:1/plans"

test("without a database it prints the home and the number of its plans", async () => {
  const { run, home } = atHome()
  await run(["write", "--new", "--session", "s"], { input: list })
  expect((await run(["store"])).out).toBe(`store  file:${home}/.headway\nplans  1\n`)
  expect(JSON.parse((await run(["store", "status", "--json"])).out)).toEqual({
    store: `file:${home}/.headway`,
    reachable: true,
    plans: 1,
  })
})

test("a new database has no tables, gets them, and reports it", async () => {
  const url = await patientDatabase()
  const { run } = atHome({ env: { HEADWAY_STORE: url } })
  const before = await run(["store"])
  expect(before.out).toMatch(/schema\s+none yet: "headway store migrate" makes its tables/)
  expect((await run(["store", "migrate"])).out).toContain(`has schema ${schemaVersion} now`)
  expect((await run(["store", "migrate"])).out).toContain(`already has schema ${schemaVersion}`)
  const status = await run(["store", "--json"])
  expect(status.code).toBe(0)
  expect(JSON.parse(status.out)).toMatchObject({
    reachable: true,
    schema: schemaVersion,
    plans: 0,
    mayWrite: true,
    delivery: { undelivered: 0, refused: 0 },
  })
  expect(before.out + status.out).not.toContain("sesame")
  const script = (await run(["store", "roles"])).out
  expect(script).toContain('create role "headway_reader" login')
})

test("an unreachable database is reported, with what was kept here meanwhile", async () => {
  const { run } = atHome({ env: { HEADWAY_STORE: away } })
  expect(await run(["write", "--new", "--session", "s"], { input: list })).toMatchObject({ code: 0 })
  expect((await run(["show", "--session", "s"])).out).toContain("Write")
  expect((await run(["list", "--own"])).err).toContain("1 change is kept here and not delivered yet")
  const status = await run(["store"])
  expect(status.code).toBe(1)
  expect(status.out).toMatch(/reachable\s+no: postgres:\/\/anna@127\.0\.0\.1:1\/plans cannot be reached/)
  expect(status.out).toMatch(/undelivered\s+1 change, .*not reachable since 2030-01-01T00:00:00\.000Z/)
  const doctor = await run(["doctor"])
  expect(doctor.out + doctor.err).toContain("not delivered yet")
})

test("a plan that cannot be copied does not count as one that was there", async () => {
  const { run, home } = atHome()
  for (const session of ["one", "two"]) await run(["write", "--new", "--session", session], { input: list })
  mkdirSync(join(home, "copy/journal/one-agent-main.jsonl"), { recursive: true, mode: 0o700 })
  const { code, out } = await run(["store", "copy", "file:", `file:${home}/copy`])
  expect({ code, out }).toEqual({
    code: 1,
    out: "1 of 2 plans copied, 1 entries; 0 were there already, 1 could not be copied\n",
  })
})

test("plans are copied to a database and back, once, and compared", async () => {
  const url = await patientDatabase()
  const { run, home } = atHome()
  await run(["write", "--new", "--session", "one"], { input: list })
  await run(["todo", "done", "Read", "--session", "one"])
  await run(["write", "--new", "--session", "two"], { input: list })
  const there = await run(["store", "copy", "file:", url])
  expect(there).toMatchObject({ code: 0, out: "2 of 2 plans copied, 3 entries; 0 were there already\n" })
  expect(there.err).toContain("2 plans are the same in both")
  expect((await run(["store", "copy", "file:", url])).out).toContain("0 of 2 plans copied, 0 entries; 2 were")
  await run(["todo", "done", "Write", "--session", "one"])
  expect((await run(["store", "copy", "file:", url])).out).toContain("1 of 2 plans copied, 1 entries; 1 were")
  const back = JSON.parse((await run(["store", "copy", url, "file:back", "--json"])).out)
  expect(back).toMatchObject({ plans: 2, entries: 4, differ: [] })
  expect(back.from).not.toContain("sesame")
  // On its way each entry of the person gets the seal by which it counts as theirs again.
  const journals = (folder: string) =>
    readdirSync(join(folder, "journal")).map((name) =>
      readFileSync(join(folder, "journal", name), "utf8").replace(/,"seal":"[^"]*"/g, ""),
    )
  expect(journals(join(home, "back")).toSorted()).toEqual(journals(join(home, ".headway")).toSorted())
  expect(await run(["store", "check", "--store", url])).toMatchObject({ code: 0, out: "" })
})

test("what a teammate wrote is not the person's after a copy from the database, and verifies nothing", async () => {
  const url = await patientDatabase()
  const [bob, ada] = [atHome({ env: { USER: "bob", PATH: process.env.PATH ?? "" } }), atHome()]
  await bob.run(["write", "--new", "--session", "one", "--store", url], { input: list })
  for (const words of ["todo done 1", "check set 1 true", "check", "todo add Theirs"])
    await bob.run([...words.split(" "), "--session", "one", "--store", url])
  expect((await ada.run(["store", "copy", url, "file:"])).code).toBe(0)
  const { out } = await ada.run(["show", "--session", "one", "--json"])
  expect(out).toContain("Theirs")
  expect(out).not.toContain('"verified"')
  const told = await ada.run(["write", "--session", "one"], { input: '{"todos":[{"id":"2","status":"in_progress"}]}' })
  expect(told.out).toContain("on another machine, by a person of the team")
  expect(told.out).not.toContain("The person changed the plan by hand")
})

test("a plan that was changed in both stores is named after a copy", async () => {
  const url = await patientDatabase()
  const { run } = atHome()
  await run(["write", "--new", "--session", "one"], { input: list })
  await run(["store", "copy", "file:", url])
  await run(["todo", "add", "Theirs", "--session", "one", "--store", url])
  await run(["todo", "add", "Ours", "--session", "one"])
  const again = await run(["store", "copy", "file:", url])
  expect(again.code).toBe(1)
  expect(again.err).toContain("one main: the plan is different there: it was changed in both stores")
  const both = JSON.parse((await run(["show", "--session", "one", "--store", url, "--format", "json"])).out)
  expect(both.todos.map(({ content }: { content: string }) => content)).toEqual(["Read", "Write", "Theirs", "Ours"])
})

test("a check names what cannot be read", async () => {
  const { run, home } = atHome()
  await run(["write", "--new", "--session", "s"], { input: list })
  expect(await run(["store", "check"])).toMatchObject({ code: 0 })
  appendFileSync(join(home, ".headway", "journal", "s-agent-main.jsonl"), "not an entry\n")
  const found = await run(["store", "check", "--json"])
  expect(found.code).toBe(1)
  expect(JSON.parse(found.out).found).toMatchObject([{ session: "s", agent: "main" }])
})

test("a store is used from then on, and its password is not stored", async () => {
  const url = await patientDatabase()
  const { run, home } = atHome()
  const used = await run(["store", "use", url])
  expect(used.code).toBe(0)
  expect(used.err).toContain("The password was not saved")
  expect(used.err).not.toContain("cannot be used")
  expect(readFileSync(join(home, ".headway", "settings.json"), "utf8")).not.toContain("sesame")
  expect(used.out + used.err).not.toContain("sesame")
  expect((await run(["store", "use", "file:"])).out).toContain(`file:${home}/.headway from now on`)
  expect((await run(["store"])).out).toContain("file:")
  expect(await run(["store", "use", "redis://x"])).toMatchObject({ code: 2 })
})

test("after a change of the store the launcher stays silent for no plan of the old one", async () => {
  const { run, home } = atHome()
  const hook = async (tool: string, input: object): Promise<void> => {
    const event = { session_id: "s", cwd: home, hook_event_name: "PostToolUse", tool_name: tool, tool_input: input }
    await run(["hook", "claude-code"], { input: JSON.stringify(event), env: { HEADWAY_LAUNCHER: "1" } })
  }
  await hook("TodoWrite", { todos: [{ content: "Read", status: "in_progress" }] })
  await hook("Bash", { command: "ls" })
  const silent = join(home, ".headway", "aside", "silent")
  expect(readdirSync(silent)).toEqual(["s-agent-main"])
  await run(["store", "use", away])
  expect(readdirSync(silent)).toEqual([])
})

test("a store that cannot be reached is used all the same, and that is said at once", async () => {
  const { run } = atHome()
  const { code, err } = await run(["store", "use", away])
  expect(code).toBe(0)
  expect(err).toMatch(/It cannot be used right now: .+\. Until it can, changes are kept in your home\./)
})

test("a listing without a match says that the filters match nothing", async () => {
  const { run } = atHome()
  await run(["todo", "add", "Read", "--new", "--session", "s"])
  const { code, out, err } = await run(["list", "--own", "--person", "carol"])
  expect([code, out, err]).toEqual([0, "", expect.stringContaining("No plan matches --person carol.")])
})

test("an unknown word is wrong usage", async () => {
  const { run } = atHome()
  expect(await run(["store", "sell"])).toMatchObject({ code: 2 })
  expect(await run(["store", "check", "all"])).toMatchObject({ code: 2 })
  expect(await run(["store", "copy", "file:"])).toMatchObject({ code: 2 })
  expect(await run(["store", "copy", "file:none", "file:other"])).toMatchObject({ code: 1 })
  expect((await run(["store", "migrate"])).err).toContain("give --store postgres://")
})
