/** One database for several machines: what commands and hooks show of each other's plans through it. */
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import postgres from "postgres"
import { expect, test } from "vitest"
import { freshDatabase } from "../stores/postgres/one-server.ts"
import { superuser } from "../stores/postgres/server.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"

const list = '{"todos":[{"content":"Read"},{"content":"Write"}]}'

/** Two persons at their own machines. On a busy machine the database takes its time. */
const team = async () => {
  const url = `${await freshDatabase()}?connect_timeout=60`
  const machine = (person: string) => atHome({ home: temporaryFolder(), env: { HEADWAY_STORE: url, USER: person } })
  return { url, anna: machine("anna"), bob: machine("bob") }
}

test("what one person writes the other sees and edits", async () => {
  const { anna, bob } = await team()
  expect(await anna.run(["write", "--new", "--session", "shop"], { input: list })).toMatchObject({ code: 0 })
  expect((await bob.run(["show", "--session", "shop"])).out).toContain("Read")
  expect(await bob.run(["todo", "add", "Test", "--session", "shop"])).toMatchObject({ code: 0 })
  expect((await anna.run(["show", "--session", "shop"])).out).toContain("Test")
  const [plan] = JSON.parse((await bob.run(["list", "--own", "--json"])).out)
  expect(plan).toMatchObject({ session: "shop", todos: 3, person: "anna", machine: hostname() })
  expect(existsSync(join(anna.home, ".headway", "journal"))).toBe(false)
})

test("history, listing and filters show who works where, under the names they chose", async () => {
  const { anna, bob } = await team()
  mkdirSync(join(bob.home, ".headway"), { mode: 0o700 })
  writeFileSync(join(bob.home, ".headway", "settings.json"), '{"who":"Bob@build-3"}')
  await anna.run(["write", "--new", "--session", "of-anna"], { input: list })
  await bob.run(["write", "--new", "--session", "of-bob"], { input: list })
  await bob.run(["todo", "done", "Read", "--session", "of-anna"])
  const listed = (await anna.run(["list", "--own"])).out
  expect(listed).toContain(`of anna@${hostname()}`)
  expect(listed).toContain("of Bob@build-3")
  const sessions = async (...words: string[]): Promise<string[]> =>
    JSON.parse((await anna.run(["list", "--own", "--json", ...words])).out).map(
      (one: { session: string }) => one.session,
    )
  expect(await sessions("--person", "Bob")).toEqual(["of-bob"])
  expect(await sessions("--machine", hostname())).toEqual(["of-anna"])
  expect(await sessions("--person", "carl")).toEqual([])
  const history = (await anna.run(["history", "--session", "of-anna"])).out
  expect(history).toContain(`agent main (anna@${hostname()})`)
  expect(history).toContain("person bob (Bob@build-3)")
  // Each takes back what they did themselves.
  expect((await anna.run(["todo", "undo", "--session", "of-anna"])).code).toBe(1)
  expect((await bob.run(["todo", "undo", "--session", "of-anna"])).code).toBe(0)
})

test("a project has one name on all machines", async () => {
  const { anna, bob } = await team()
  const clone = (home: string, folder: string, origin: string): string => {
    const root = join(home, folder)
    mkdirSync(join(root, ".git"), { recursive: true })
    writeFileSync(join(root, ".git", "config"), `[core]\n[remote "origin"]\n\turl = ${origin}\n`)
    return root
  }
  const here = clone(anna.home, "work/shop", "git@github.com:acme/shop.git")
  const there = clone(bob.home, "src/my-shop", "https://bob:secret@github.com/acme/shop")
  await anna.run(["write"], { input: list, cwd: here })
  expect((await bob.run(["show"], { cwd: there })).out).toContain("Read")
  const [plan] = JSON.parse((await bob.run(["list", "--own", "--json", "--in", "shop"])).out)
  expect(plan).toMatchObject({ project: "github.com/acme/shop" })
  mkdirSync(join(there, "src"))
  for (const folder of [".", there, "./src"])
    expect((await bob.run(["list", "--in", folder], { cwd: there })).out).toContain("Read")
  const other = await bob.run(["list", "--in", "..", "--person", "carl"], { cwd: there })
  expect(other).toMatchObject({ out: "", err: "headway: No plan matches --in .. --person carl.\n" })
})

test("a person's edit made elsewhere reaches the agent here at its next turn", async () => {
  const { anna, bob } = await team()
  const hook = async (name: string, more: object = {}) =>
    (
      await anna.run(["hook", "claude-code"], {
        input: JSON.stringify({ session_id: "s", cwd: anna.home, hook_event_name: name, ...more }),
      })
    ).out
  const tool_input = { todos: [{ content: "Read", status: "in_progress", activeForm: "Reading" }] }
  await hook("PostToolUse", { tool_name: "TodoWrite", tool_input, tool_use_id: "t1" })
  expect((await bob.run(["todo", "add", "Ask Carol", "--session", "s"])).code).toBe(0)
  // What was read some seconds ago is new enough for a hook: those are over.
  for (const folder of readdirSync(join(anna.home, ".headway", "stores"))) {
    const marks = join(anna.home, ".headway", "stores", folder, "marks")
    for (const mark of readdirSync(marks)) utimesSync(join(marks, mark), new Date(0), new Date(0))
  }
  expect(await hook("UserPromptSubmit", { prompt: "go on" })).toContain("Ask Carol")
  expect(await hook("UserPromptSubmit", { prompt: "go on" })).toBe("")
})

test("a person with read-only access sees everything and is told why nothing can be changed", async () => {
  const { url, anna } = await team()
  await anna.run(["write", "--new", "--session", "shop"], { input: list })
  const { default: postgres } = await import("postgres")
  const sql = postgres(url.split("?")[0] ?? "", { max: 1, onnotice: () => {} })
  const script = (await anna.run(["store", "roles"])).out
  // Roles are for all databases of the server.
  const looker = `looker_${process.pid}`
  await sql.unsafe(script.replaceAll("headway_reader", looker).replaceAll("headway_writer", `keeper_${process.pid}`))
  await sql.unsafe(`alter role ${looker} password 'look'`)
  await sql.end()
  const looking = url.replace(/\/\/.*@/, `//${looker}:look@`)
  const carol = atHome({ home: temporaryFolder(), env: { HEADWAY_STORE: looking, USER: "carol" } })
  expect((await carol.run(["show", "--session", "shop"])).out).toContain("Read")
  expect((await carol.run(["store"])).out).toMatch(/may write\s+no/)
  const refused = await carol.run(["todo", "done", "Read", "--session", "shop"])
  expect(refused.code).toBe(1)
  expect(refused.err).toContain("may read plans but not change them")
  expect((await anna.run(["show", "--session", "shop", "--format", "json"])).out).not.toContain('"status": "completed"')
  expect(superuser.name).not.toBe("looker")
})

test("while a server only reads, as during a failover, changes are kept here, and delivered afterwards", async () => {
  const { url, anna, bob } = await team()
  await anna.run(["write", "--new", "--session", "shop"], { input: list })
  const database = new URL(url).pathname.slice(1)
  const sql = postgres(url.split("?")[0] ?? "", { max: 1, onnotice: () => {} })
  const setReading = (to: "on" | "off") =>
    sql.unsafe(`begin read write; alter database ${database} set default_transaction_read_only = ${to}; commit`)
  await setReading("on")
  expect(await anna.run(["todo", "add", "Test", "--session", "shop"])).toMatchObject({ code: 0 })
  const hook = { tool_name: "TodoWrite", tool_input: { todos: [{ content: "Plan", status: "pending" }] } }
  const event = { session_id: "of-hook", hook_event_name: "PostToolUse", tool_response: {}, tool_use_id: "t1", ...hook }
  expect(await anna.run(["hook", "claude-code"], { input: JSON.stringify(event) })).toMatchObject({ code: 0 })
  const status = (await anna.run(["store"])).out
  expect(status).toMatch(/may write\s+yes, but the server only reads for now/)
  expect(status).toMatch(/undelivered\s+2 changes/)
  await setReading("off")
  await sql.end()
  await anna.run(["list", "--own"], { now: "2030-01-01T00:02:00Z" })
  expect((await bob.run(["show", "--session", "shop"])).out).toContain("Test")
  expect((await bob.run(["show", "--session", "of-hook"])).out).toContain("Plan")
})

test("a corrected password is used at once when the store is viewed", async () => {
  const { url, anna } = await team()
  await anna.run(["write", "--new", "--session", "shop"], { input: list })
  const home = temporaryFolder()
  const at = (store: string) => atHome({ home, env: { HEADWAY_STORE: store, USER: "bob" } })
  const wrong = at(url.replace(/:[^:@/]*@/, ":wrong@"))
  expect((await wrong.run(["list", "--own"])).err).toContain("did not accept the password")
  const bob = at(url)
  expect((await bob.run(["store"])).out).toMatch(/undelivered\s+nothing\n/)
  const listed = await bob.run(["list", "--own"])
  expect(listed.out).toContain("shop")
  expect(listed.err).toBe("")
})

test("what is read while the store is away is shown with a sentence that it may be old", async () => {
  const { url, anna } = await team()
  await anna.run(["write", "--new", "--session", "shop"], { input: list })
  await anna.run(["check", "set", "true", "--session", "shop"])
  await anna.run(["list", "--own"])
  const away = { HEADWAY_STORE: url.replace(/:[^:@/]*@/, ":wrong@"), USER: "anna" }
  const commands = [
    ["show", "shop"],
    ["history", "--session", "shop"],
    ["check", "list", "--session", "shop"],
    ["todo", "add", "Ask", "--session", "shop"],
  ]
  for (const words of commands) {
    const { code, err } = await anna.run(words, { env: away })
    expect([words, code, err]).toEqual([words, 0, expect.stringContaining("has been unreachable since")])
  }
  expect((await anna.run(["statusline", "--session", "shop"], { env: away })).err).toBe("")
})

test("before its tables are made, it is not known whether a user may write", async () => {
  const { url } = await team()
  const { run } = atHome({ env: { HEADWAY_STORE: url } })
  expect((await run(["store"])).out).toMatch(/may write\s+not known: its tables are not made yet/)
})

test("set-up writes the store into the agent's configuration, without its password", async () => {
  const { url, anna } = await team()
  const setUp = await anna.run(["setup", "claude-code", "--store", url, "--dry-run"])
  expect(setUp.code).toBe(0)
  expect(setUp.out).toContain("--store")
  expect(setUp.out).toContain(`postgres://${superuser.name}@127.0.0.1`)
  expect(setUp.out + setUp.err).not.toContain("sesame")
})

test("gc removes a plan for all", async () => {
  const { anna, bob } = await team()
  await anna.run(["write", "--new", "--session", "old"], { input: list, now: "2029-01-01T00:00:00Z" })
  await bob.run(["show", "--session", "old"])
  expect((await anna.run(["gc", "--older-than", "30d", "--unfinished"])).out).toContain("removed old main")
  expect((await bob.run(["show", "--session", "old"])).code).toBe(1)
})

test("a database restored from a backup is read again, and what it has lost is kept here and named", async () => {
  const { url, anna, bob } = await team()
  const shown = async ({ run }: typeof anna): Promise<string> => (await run(["show", "--session", "shop"])).out
  await anna.run(["write", "--new", "--session", "shop"], { input: list })
  for (const todo of ["Lost", "Gone"]) await anna.run(["todo", "add", todo, "--session", "shop"])
  expect(await shown(anna)).toContain("Gone")
  const sql = postgres(url.replace(/\?.*/, ""), { max: 1, onnotice: () => {} })
  await sql`delete from headway.entries where seq > 1`
  await sql`update headway.plans set last = 1`
  await sql.end()
  for (const todo of ["Other", "Another"]) await bob.run(["todo", "add", todo, "--session", "shop"])
  const there = await shown(bob)
  expect(there).toContain("Another")
  expect(there).not.toContain("Lost")
  expect(await shown(anna)).toBe(there)
  await anna.run(["todo", "add", "After", "--session", "shop"])
  expect(await shown(bob)).toBe(await shown(anna))
  expect((await anna.run(["store"])).out).toMatch(/not taken +2 changes/)
})

test("checks of others verify nothing here, nor do their changes to one's own", async () => {
  const { url, anna, bob } = await team()
  const done = '{"todos":[{"content":"Fix login","status":"completed"}]}'
  const wordOf = async ({ run }: typeof anna, session: string): Promise<string | undefined> =>
    JSON.parse((await run(["show", "--json", "--session", session])).out).evidence?.todos[0]?.word
  for (const session of ["shop", "other"]) await anna.run(["write", "--new", "--session", session], { input: done })
  const check = async ({ run }: typeof anna): Promise<void> => {
    await run(["check", "set", "true", "--session", "shop"])
    expect((await run(["check", "--session", "shop"])).code).toBe(0)
  }
  await check(bob)
  expect(await wordOf(bob, "shop")).toBe("verified")
  expect(await wordOf(anna, "shop")).toBeUndefined()
  expect((await anna.run(["check", "list", "--session", "shop"])).out).not.toContain("true")
  await check(anna)
  expect(await wordOf(anna, "shop")).toBe("verified")
  // What was sealed for one plan is put into another.
  const sql = postgres(url.replace(/\?.*/, ""), { max: 1, onnotice: () => {} })
  await sql`insert into headway.entries select o.id, o.last + row_number() over (order by e.seq), e.id, e.entry
    from headway.entries e join headway.plans p on p.id = e.plan and p.session = 'shop', headway.plans o
    where o.session = 'other' and e.entry like '%"check-%'`
  await sql`update headway.plans p set last = (select max(seq) from headway.entries where plan = p.id)`
  await sql.end()
  expect((await anna.run(["history", "--session", "other"])).out).toContain("true")
  expect(await wordOf(anna, "other")).toBeUndefined()
})
