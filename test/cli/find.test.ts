/** `headway find`: sessions of all agents and kept plans, by what they say. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import Database from "libsql"
import { expect, test } from "vitest"
import { findForBoard } from "../../src/cli/find/find-sessions.ts"
import { createOpened } from "../../src/cli/opened.ts"
import { ioAt } from "../board/live-board.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { claudeSession, codexSession } from "./agent-sessions.ts"
import { atHome } from "./run-cli.ts"

const claude = "11111111-2222-4333-8444-555555555555"
const codex = "01a1e08b-9d72-7a13-b8f2-1d8b7c1f0a11"

const withSessions = async () => {
  const home = temporaryFolder()
  const cwd = join(home, "shop")
  mkdirSync(join(cwd, ".git"), { recursive: true })
  const at = "2030-01-01T10:00:00Z"
  claudeSession(home, { session: claude, cwd, at, prompt: "Repair the login\nwith the telephone", todos: ["Read"] })
  codexSession(home, { session: codex, cwd, at: "2030-01-01T11:00:00Z", steps: ["Look for the telephone number"] })
  const { run } = atHome({ home, cwd, now: "2030-01-01T13:00:00Z" })
  await run(["write", "--new", "--session", "mine"], { input: '{"todos":["Call by telephone"]}' })
  return { home, run }
}

test("N10 sessions of every agent and our own plans are found, with where", async () => {
  const { run } = await withSessions()
  const { code, out, err } = await run(["find", "TELEPHONE"])
  expect([code, err]).toEqual([0, ""])
  expect(out).toBe(
    [
      "mine  -  Headway  ~/shop  0s",
      "  todo: Call by telephone",
      "01a1e08b  -  Codex  ~/shop  2h",
      "  todo: Look for the telephone number",
      "11111111  Repair the login  Claude Code  ~/shop  3h",
      "  prompt: with the telephone",
      "",
    ].join("\n"),
  )
})

test("with --session only that session is searched", async () => {
  const { run } = await withSessions()
  const found = await run(["find", "telephone", "--session", codex.slice(0, 8)])
  expect(found.out).toBe("01a1e08b  -  Codex  ~/shop  2h\n  todo: Look for the telephone number\n")
  expect(await run(["find", "login", "--session", "mine"])).toMatchObject({ code: 1, out: "" })
  const { code, err } = await run(["find", "telephone", "--session", "yours"])
  expect([code, err]).toEqual([1, expect.stringContaining('There is no session "yours" here.')])
})

test("an id is printed as long as needed to tell the session apart from all others, also from those not found", async () => {
  const { home, run } = await withSessions()
  const cwd = join(home, "shop")
  codexSession(home, { session: `${codex.slice(0, -1)}2`, cwd, at: "2030-01-01T11:00:00Z", steps: ["Something else"] })
  const [id = ""] = (await run(["find", "number"])).out.split(" ")
  expect((await run(["show", id])).out).toContain("Look for the telephone number")
})

test("what is found in the title is marked there, and the line fits the screen", async () => {
  const { run } = await withSessions()
  expect((await run(["find", "repair"])).out).toBe("11111111  Repair the login  Claude Code  ~/shop  3h\n")
  const coloured = (await run(["find", "repair"], { env: { FORCE_COLOR: "1" } })).out
  expect(coloured).toMatch(/^11111111 {2}\u001b\S*Repair\u001b/)
  await run(["name", "01a1", "A report on the telephone numbers of the whole house and its attic"])
  const { out } = await run(["find", "attic"], { columns: 60 })
  expect(out).toMatch(/^01a1e08b {2}A report on the telephone number… {2}Codex {2}shop {2}2h\n {2}title: .*attic\n$/)
  expect((await run(["find", "telephone"], { columns: 40 })).out.split("\n").every((line) => line.length <= 40)).toBe(
    true,
  )
})

test("as JSON a result is the row of a listing with its matching lines", async () => {
  const { run } = await withSessions()
  const found = JSON.parse((await run(["find", "number", "look", "--json"])).out)
  expect(found).toMatchObject([{ session: codex, agentType: "openai-codex", found: [{ in: "todo" }] }])
  expect(found[0]).not.toHaveProperty("list")
})

test("an edit by hand is found at once, and no match is reported with exit code 1", async () => {
  const { run } = await withSessions()
  expect(await run(["find", "zebra"])).toEqual({ code: 1, out: "", err: 'headway: no session contains "zebra"\n' })
  await run(["todo", "add", "Feed the zebra", "--session", "01a1"])
  expect((await run(["find", "zebra"])).out).toContain("todo: Feed the zebra")
  expect((await run(["find"])).code).toBe(2)
})

test("a person's name for a session is found, and only as many as asked for are shown", async () => {
  const { run } = await withSessions()
  await run(["name", "01a1", "Quarterly report"])
  expect((await run(["find", "quarterly"])).out).toContain("Quarterly report")
  const { out, err } = await run(["find", "telephone", "--limit", "1", "--json"])
  expect(JSON.parse(out)).toHaveLength(1)
  expect(err).toContain("2 more are not shown")
})

test("the board finds rows by their keys", async () => {
  const { home } = await withSessions()
  const find = findForBoard({ io: ioAt(home), values: {}, words: [], behind: [], opened: createOpened() })
  expect(await find("number telephone")).toEqual([
    { key: JSON.stringify([codex, "main"]), text: "Look for the telephone number" },
  ])
})

test("the todos of a thousand sessions in one database are searched at once, not session by session", async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, ".local/share/kilo"), { recursive: true })
  const database = new Database(join(home, ".local/share/kilo/kilo.db"))
  database.exec(`
    create table session (id text primary key, parent_id, title, directory, version, agent, time_created, time_updated);
    create table todo (session_id, content, status, priority, position, time_updated);
    create table part (id text, session_id, message_id, data, time_updated);
    create table message (id, session_id, time_created, time_updated, data);
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000)
      insert into session select 's' || i, null, 'Title ' || i, '/', '1', null, i, i from n;
    insert into todo select id, 'Todo of ' || title, 'pending', 'high', 0, 5 from session;`)
  database.close()
  const { code, out } = await atHome({ home, now: "2030-01-01T13:00:00Z" }).run(["find", "todo", "of", "title", "777"])
  expect([code, out]).toEqual([0, expect.stringContaining("  todo: Todo of Title 777")])
})
