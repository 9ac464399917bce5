/** Sessions that were made to harm their reader: each is skipped with a sentence, and every other one is still found. */

import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import Database from "libsql"
import { describe, expect, test } from "vitest"
import type { Problem } from "../../src/plan/index.ts"
import { type DiscoveredSession, type DiscoverOptions, discover } from "../../src/sessions/discover.ts"
import { readTables } from "../../src/sessions/packed/database.ts"
import { sources } from "../agents/loaded.ts"
import { observeBytes } from "../contracts/stream.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { makePipe } from "../streams/pipes.ts"
import { memoryIndex } from "./memory-index.ts"

const now = new Date("2026-11-15T19:00:00Z")

const look = async (home: string, options: Partial<DiscoverOptions> = {}) => {
  const problems: Problem[] = []
  const sessions = await discover({
    sources,
    env: {},
    home,
    now,
    onProblem: (problem) => problems.push(problem),
    ...options,
  })
  return { sessions, problems: problems.map(({ message }) => message.replaceAll(home, "~")) }
}

const write = (path: string, content: string | Uint8Array): string => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return path
}

/** A line of Claude Code's that says a list. */
const claudeLine = (session: string, todo: string, more: object = {}): string =>
  `${JSON.stringify({
    parentUuid: null,
    isSidechain: false,
    type: "assistant",
    uuid: "1",
    sessionId: session,
    version: "2.1.0",
    timestamp: "2026-11-15T18:00:00Z",
    message: {
      role: "assistant",
      content: [
        {
          type: "tool_use",
          id: `call-${todo}`,
          name: "TodoWrite",
          input: { todos: [{ content: todo, status: "pending" }] },
        },
      ],
    },
    ...more,
  })}\n`

const claudeFile = (home: string, session: string): string => join(home, ".claude/projects/-p", `${session}.jsonl`)

/** A home with one harmless session, called "good". */
const goodHome = (): string => {
  const home = temporaryFolder()
  write(claudeFile(home, "good"), claudeLine("good", "Stay"))
  return home
}

const contents = (sessions: readonly DiscoveredSession[]): Record<string, string[]> =>
  Object.fromEntries(sessions.map(({ session, plan }) => [session, plan?.todos.map(({ content }) => content) ?? []]))

const good = { good: ["Stay"] }

const rollout = "rollout-2026-11-15T10-00-00-00000000-0000-4000-8000-00000000000"
const packed = (home: string, number = 1): string =>
  join(home, ".codex/sessions/2026/11/15", `${rollout}${number}.jsonl.zst`)

describe("pipes and devices", () => {
  test("in the place of any file are not sessions, and are not awaited", async () => {
    const home = goodHome()
    const places = [
      ".claude/projects/-p/pipe.jsonl",
      ".claude/todos/s-agent-s.json",
      ".claude/tasks/list/1.json",
      ".gemini/projects.json",
      ".gemini/tmp/p/s/tracker/1.json",
      ".gemini/tmp/p/chats/session-1.jsonl",
      ".qwen/todos/s.json",
      `.codex/sessions/2026/11/15/${rollout}1.jsonl.zst`,
      ".local/share/opencode/opencode.db",
    ]
    for (const place of places) makePipe(join(home, place))
    symlinkSync("/dev/zero", join(home, ".claude/projects/-p/zero.jsonl"))
    symlinkSync("/dev/zero", join(home, ".claude/tasks/list/2.json"))
    const { sessions, problems } = await look(home)
    expect(contents(sessions.filter(({ summary }) => summary?.todos))).toEqual(good)
    expect(problems.toSorted()).toEqual([
      "~/.claude/tasks/list: 1.json was skipped: it is a pipe and not a regular file. (2 times)",
      "~/.gemini/projects.json could not be read: it is a pipe and not a regular file",
      "~/.gemini/tmp/p/s/tracker: 1.json was skipped: it is a pipe and not a regular file.",
    ])
  })

  test("next to a database are not opened", async () => {
    const home = goodHome()
    const path = database(home, [row("ses", "Rest")])
    makePipe(`${path}-wal`)
    makePipe(`${path}-shm`)
    expect(contents((await look(home)).sessions)).toEqual({ ...good, ses: ["Rest"] })
  })
})

describe("files that are too long", () => {
  test("a transcript of ten gigabytes that is one hole is skipped", async () => {
    const home = goodHome()
    truncateSync(write(claudeFile(home, "hole"), ""), 10 * 2 ** 30)
    truncateSync(write(claudeFile(home, "smaller"), claudeLine("smaller", "Begin")), 2 * 2 ** 30)
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual(good)
    expect(problems).toEqual([
      "~/.claude/projects/-p/hole.jsonl was skipped: it is larger than 4 GiB, the most that is read.",
      "~/.claude/projects/-p/smaller.jsonl was skipped: it is a sparse file with almost no data, which no real session is.",
    ])
  })

  test("a list next to a session that is longer than any list is skipped", async () => {
    const home = goodHome()
    truncateSync(write(join(home, ".claude/todos/s-agent-s.json"), "[]"), 20 << 20)
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual(good)
    expect(problems).toEqual([expect.stringMatching(/s-agent-s\.json was skipped: it is larger than 16 MiB/)])
  })

  test("a folder of very many tasks is read in part", async () => {
    const home = goodHome()
    for (let id = 1; id <= 2_001; id += 1)
      write(join(home, `.claude/tasks/list/${id}.json`), JSON.stringify({ id: String(id), subject: `Task ${id}` }))
    const { sessions, problems } = await look(home)
    expect(sessions.find(({ session }) => session === "list")?.summary?.todos).toBe(2_000)
    expect(problems).toEqual(["~/.claude/tasks/list: Only 2000 of 2001 tasks were read, the most of one list."])
  })
})

/** A frame of Zstandard: what is said of its window, and its blocks as they are. */
const frame = (window: number, ...blocks: [type: number, length: number, bytes: readonly number[]][]): Buffer => {
  const parts = blocks.map(([type, length, bytes], index) => {
    const header = (length << 3) | (type << 1) | (index === blocks.length - 1 ? 1 : 0)
    return Buffer.from([header & 255, (header >> 8) & 255, header >> 16, ...bytes])
  })
  return Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, window]), ...parts])
}

describe("compressed files", () => {
  test("one that grows out of proportion is skipped", async () => {
    const home = goodHome()
    const repeated = Array.from({ length: 18_000 }, (): [number, number, number[]] => [1, 128 << 10, [97]])
    const bytes = frame(0x38, ...repeated)
    expect(bytes.length).toBeLessThan(73_000)
    write(packed(home), bytes)
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual(good)
    expect(problems).toEqual([
      `~/.codex/sessions/2026/11/15/${rollout}1.jsonl.zst was skipped: it would unpack to more than 34 MiB, the most that is read.`,
    ])
  })

  test("many that unpack to huge lists are kept only as far as there is memory, and hide no other", async () => {
    const home = goodHome()
    const bytes = (text: string): [number, number, number[]] => [0, text.length, [...Buffer.from(text)]]
    const line = (payload: object): string =>
      `${JSON.stringify({ timestamp: "2026-11-15T18:00:00Z", type: "response_item", payload })}\n`
    const call = { type: "function_call", name: "update_plan", call_id: "1", arguments: '{"plan":[HERE]}' }
    const [before = "", behind = ""] = line(call).split("HERE")
    const steps = Array.from({ length: 400 }, (_, at) => [
      bytes(`${at === 0 ? "" : ","}{\\"step\\":\\"`),
      [1, 19_990, [97]] as [number, number, number[]],
      bytes(`${at}\\"}`),
    ])
    const huge = frame(0x58, bytes(before), ...steps.flat(), bytes(behind))
    for (let number = 0; number < 10; number += 1) write(packed(home, number), huge)
    const index = memoryIndex().index
    const { sessions, problems } = await look(home, { index })
    expect(contents(sessions)).toMatchObject(good)
    const refused = problems.filter((message) => message.endsWith("it has more lists than Headway keeps."))
    expect(refused).toHaveLength(2)
    expect(index.load()?.size).toBeLessThan(70 << 20)
    expect((await look(home, { index })).problems).toEqual(problems)
  })

  test("one that asks for gigabytes of memory is skipped", async () => {
    const home = goodHome()
    write(packed(home), frame(0xa8, [0, 1, [97]]))
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual(good)
    expect(problems).toEqual([expect.stringContaining("was skipped: it asks for 2048 MiB of memory at once.")])
  })

  /** Twenty-five bytes that say: copy 131 thousand bytes, 98 thousand times, in one block. */
  const endless = frame(0x38, [2, 10, [0, 255, 255, 255, 0x54, 0, 0, 52, 1, 1]])

  test("one that would keep its reader busy for hours is ended, and not read again while it stays the same", async () => {
    const home = goodHome()
    const index = memoryIndex().index
    write(packed(home), endless)
    const { sessions, problems } = await look(home, { index, silenceLimit: 500 })
    expect(contents(sessions)).toEqual(good)
    expect(problems).toEqual([
      expect.stringContaining("1.jsonl.zst was skipped: reading it took more than 0.5 seconds."),
    ])
    expect((await look(home, { index, silenceLimit: 1 })).problems).toEqual(problems)
  })

  test("of many such files a scan tries only a few, and the next scan others", async () => {
    const home = goodHome()
    const index = memoryIndex().index
    for (const number of [1, 2, 3, 4]) write(packed(home, number), endless)
    const first = await look(home, { index, silenceLimit: 300 })
    expect(contents(first.sessions)).toEqual(good)
    expect(first.problems.filter((message) => message.includes("try this one again next time"))).toHaveLength(2)
    const second = await look(home, { index, silenceLimit: 300 })
    expect(second.problems.filter((message) => message.includes("took more than"))).toHaveLength(4)
  })
})

type Row = { session: Record<string, unknown>; todo: Record<string, unknown> }

const row = (id: string, content: string, time: unknown = 1_700_000_000_000): Row => ({
  session: { id, title: "t", directory: "/p", version: "1", time_updated: time },
  todo: { session_id: id, content, status: "pending", priority: "high", position: 0, time_updated: time },
})

const tables = [
  "create table session (id text primary key, parent_id text, title text, directory text, version text, time_updated)",
  "create table todo (session_id text, content text, status text, priority text, position integer, time_updated)",
]

const database = (
  home: string,
  rows: readonly Row[],
  schema: readonly string[] = tables,
  name = "opencode.db",
): string => {
  const path = join(home, ".local/share/opencode", name)
  mkdirSync(dirname(path), { recursive: true })
  const opened = new Database(path)
  for (const statement of schema) opened.exec(statement)
  const insert = (table: string, fields: Record<string, unknown>) => {
    const names = Object.keys(fields)
    const values = names.map(() => "?").join(", ")
    opened.prepare(`insert into ${table} (${names.join(", ")}) values (${values})`).run(...Object.values(fields))
  }
  for (const { session, todo } of rows) {
    insert("session", session)
    insert("todo", todo)
  }
  opened.close()
  return path
}

const endlessQuery = "with recursive numbers(n) as (select 1 union all select n + 1 from numbers)"

describe("databases", () => {
  test("absurd times count as none, and only for their own row", async () => {
    const home = goodHome()
    const times = [1e300, -1e300, -5, "soon", Number.MAX_SAFE_INTEGER, 8.7e15, 253_402_300_800_000, null]
    database(home, [...times.map((time, at) => row(`ses${at}`, `Todo ${at}`, time)), row("sane", "Rest")])
    const { sessions, problems } = await look(home)
    expect(problems).toEqual([])
    expect(Object.keys(contents(sessions)).toSorted()).toEqual(["good", "sane", ...times.map((_, at) => `ses${at}`)])
    const planned = sessions.flatMap(({ agentType, planned }) => (agentType === "opencode" && planned ? planned : []))
    expect(planned).toEqual(["2023-11-14T22:13:20.000Z"])
  })

  test.each<[string, string[]]>([
    [
      "a view that never ends in the place of the sessions",
      [`create view session as ${endlessQuery} select n as id from numbers`, tables[1] ?? ""],
    ],
    [
      "a view that never ends in the place of the todos",
      [tables[0] ?? "", `create view todo as ${endlessQuery} select n as session_id from numbers`],
    ],
    ["a virtual table", ["create virtual table session using fts5(id)", tables[1] ?? ""]],
    [
      "a view beside a table that calls it a table",
      [
        "create view session as select 'ses-view' as id",
        tables[1] ?? "",
        "create table pragma_table_list (schema, name, type)",
        "insert into pragma_table_list values ('main', 'session', 'table'), ('main', 'todo', 'table')",
      ],
    ],
    [
      "a table whose ids are computed",
      [
        "create table session (x, id text generated always as (hex(zeroblob(40000000))))",
        tables[1] ?? "",
        "insert into session (x) values (1)",
      ],
    ],
  ])("%s is not read", async (_, schema) => {
    const home = goodHome()
    database(home, [], schema)
    database(home, [row("ses", "Rest")], tables, "other.db")
    const { sessions, problems } = await look(home)
    expect([contents(sessions), problems]).toEqual([{ ...good, ses: ["Rest"] }, []])
  })

  test("a view under the name of a table is recognised", async () => {
    const home = goodHome()
    const path = database(home, [], [tables[1] ?? "", "create table session (id)", "create table other (id)"])
    const opened = new Database(path)
    opened.exec("pragma writable_schema = on")
    opened.exec(
      `update sqlite_schema set sql = 'create view session as ${endlessQuery} select n as id from numbers', rootpage = 0 where name = 'other'`,
    )
    opened.exec("update sqlite_schema set sql = 'create table other (id)' where name = 'session'")
    opened.close()
    expect(contents((await look(home, { silenceLimit: 3_000 })).sessions)).toEqual(good)
  })

  test.each([
    ["is not there", ""],
    ["has other columns", "create table message (id text primary key)"],
    ["is a view", `create view message as ${endlessQuery} select n as id, n as data from numbers`],
    ["has no row ids", "create table message (id text primary key, data text) without rowid"],
  ])("rows that depend on another table are left out where that one %s", async (_, schema) => {
    const path = database(temporaryFolder(), [])
    const opened = new Database(path)
    opened.exec(schema)
    opened.exec("create table part (message_id text, data text)")
    opened.exec("insert into part values ('m', 'text')")
    opened.close()
    const where = { holding: { column: "data", any: ["user"] } }
    const of = { column: "message_id", rows: { table: "message", id: "id", where } }
    const read: unknown[] = []
    const wanted = { session: ["id"], prompt: { table: "part", columns: ["data"], where: { of } } }
    for await (const { table, rows } of readTables(path, wanted)) read.push([table, rows])
    expect(read).toEqual([["session", []]])
  })

  test.each(["UTF-8", "UTF-16le", "UTF-16be"])(
    "bytes that are not text hide no other session in %s",
    async (encoding) => {
      const home = goodHome()
      const schema = [`pragma encoding = '${encoding}'`, ...tables]
      const opened = new Database(database(home, [row("ses", "Rest → done")], schema))
      opened.exec("update session set title = cast(x'ff3b' as text)")
      // Half of a pair, as a model can write it and some drivers keep it, and a zero.
      opened.exec("insert into todo values ('ses', 'Half ' || char(55357), 'pending', 'high', 1, 1)")
      opened.exec("insert into todo values ('ses', 'Zero' || char(0) || ' tail', 'pending', 'high', 2, 1)")
      opened.close()
      const { sessions, problems } = await look(home)
      expect(problems).toEqual([])
      const [first, half, zero] = contents(sessions).ses ?? []
      expect([first, half?.slice(0, 5), zero]).toEqual(["Rest → done", "Half ", "Zero"])
    },
  )

  test("a text that is too long is left out, and its neighbours are read", async () => {
    const home = goodHome()
    database(home, [row("ses", "x".repeat(5 << 20)), row("sane", "Rest")])
    const { sessions } = await look(home)
    expect(contents(sessions)).toEqual({ ...good, ses: [], sane: ["Rest"] })
  })

  test("texts that would take many times their length in memory count by that size", async () => {
    const path = database(temporaryFolder(), [])
    const opened = new Database(path)
    const insert = opened.prepare("insert into session (id, title) values (?, ?)")
    for (let id = 0; id < 400; id += 1) insert.run(String(id), `[${"{},".repeat(20_000)}{}]`)
    opened.close()
    const reading = async () => {
      for await (const _ of readTables(path, { session: ["id", "title"] }));
    }
    await expect(reading()).rejects.toMatchObject({ code: "too-large" })
  })

  test("bytes that are not text are not fetched, however many there are", async () => {
    const path = database(temporaryFolder(), [])
    const opened = new Database(path)
    opened.exec("insert into session (id, title) values ('ses', zeroblob(60000))")
    opened.exec("insert into todo (session_id, content, position) values ('ses', zeroblob(60000), zeroblob(60000))")
    opened.close()
    const wanted = { session: ["id", "title"], todo: ["session_id", "content", "position"] }
    const read: unknown[] = []
    for await (const { rows } of readTables(path, wanted)) read.push(rows)
    expect(read).toEqual([[{ id: "ses", title: null }], [{ session_id: "ses", content: null, position: null }]])
  })

  test("whatever bytes are damaged, the others are found", async () => {
    const home = goodHome()
    const path = database(
      home,
      Array.from({ length: 200 }, (_, at) => row(`ses${at}`, `Todo ${at}`)),
    )
    const bytes = readFileSync(path)
    for (let round = 0; round < 6; round += 1) {
      const damaged = Buffer.from(bytes)
      for (let at = 20 + round; at < damaged.length; at += 97 + round * 61) damaged[at] = (at * 31 + round) & 255
      writeFileSync(path, damaged)
      const { sessions } = await look(home, { silenceLimit: 1_000 })
      expect(contents(sessions)).toMatchObject(good)
    }
  })

  test("a trigger is not run and the file stays as it is", async () => {
    const home = goodHome()
    const path = database(
      home,
      [row("ses", "Rest")],
      [...tables, "create trigger t after insert on todo begin delete from session where id = 'nothing'; end"],
    )
    const before = readFileSync(path)
    expect(contents((await look(home)).sessions)).toEqual({ ...good, ses: ["Rest"] })
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(dirname(path))).toEqual(["opencode.db"])
  })

  test("thousands of sessions, each the child of the one before, are one session with its sub-agents", async () => {
    const home = temporaryFolder()
    const count = 3_000
    const path = database(home, [], tables)
    const opened = new Database(path)
    opened.exec("begin")
    const insert = opened.prepare("insert into session (id, parent_id) values (?, ?)")
    for (let at = 0; at < count; at += 1) insert.run(`ses${at}`, at === 0 ? null : `ses${at - 1}`)
    opened.exec("commit")
    opened.close()
    const { sessions } = await look(home)
    expect(sessions).toHaveLength(count)
    expect(new Set(sessions.map(({ session }) => session))).toEqual(new Set(["ses0"]))
  })
})

test("of two databases that claim one session each keeps its own list", async () => {
  const home = temporaryFolder()
  const row = (todo: string) => [
    "insert into session (id) values ('good')",
    `insert into todo (session_id, content, position) values ('good', '${todo}', 0)`,
  ]
  const path = database(home, [], [...tables, ...row("Stay")])
  const other = database(temporaryFolder(), [], [...tables, ...row("Forged")])
  write(join(dirname(path), "zz.db"), readFileSync(other))
  const { sessions } = await look(home)
  expect(contents(sessions)).toEqual({ good: ["Stay"], "zz.db:good": ["Forged"] })
})

describe("a database of many sessions", () => {
  test("is read in part when there are very many, the newest ones first", async () => {
    const home = temporaryFolder()
    const opened = new Database(database(home, [], tables))
    opened.exec(
      `with recursive c(i) as (select 1 union all select i + 1 from c where i < 20200)
      insert into session (id, time_updated) select 's' || i, 1700000000000 + i from c`,
    )
    opened.close()
    const { sessions, problems } = await look(home)
    expect(sessions).toHaveLength(20_000)
    expect(sessions.map(({ session }) => session)).toContain("s20200")
    expect(problems.join()).toContain("the oldest ones were skipped")
  })

  test("has sessions without a list that are as old as their rows, not as new as the file", async () => {
    const home = temporaryFolder()
    const opened = new Database(database(home, [], tables))
    opened.exec("insert into session (id, time_updated) values ('old', 1700000000000)")
    opened.close()
    const { sessions } = await look(home, { now: new Date() })
    expect(sessions).toMatchObject([{ session: "old", updated: "2023-11-14T22:13:20.000Z", state: "idle" }])
  })
})

describe("times of files", () => {
  test("that no calendar has are long ago", async () => {
    const home = goodHome()
    const path = write(
      join(home, ".qwen/todos/far.json"),
      JSON.stringify({ todos: [{ id: "1", content: "Far", status: "pending" }] }),
    )
    utimesSync(path, 9e12, 9e12)
    const { sessions } = await look(home)
    expect(contents(sessions)).toEqual({ ...good, far: ["Far"] })
    for (const { updated } of sessions) expect(updated).toMatch(/^\d{4}-/)
  })
})

describe("lines", () => {
  test("nested a hundred thousand levels deep lose only themselves", async () => {
    const home = goodHome()
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
    const nested = claudeLine("deep", "Before").replace('"status":"pending"', `"status":"pending","more":${deep}`)
    write(claudeFile(home, "deep"), `${claudeLine("deep", "First")}${nested}${deep}\n`)
    write(join(home, ".claude/todos/list-agent-list.json"), `[{"content":"A","status":"pending","activeForm":${deep}}]`)
    const { sessions } = await look(home)
    expect(contents(sessions)).toMatchObject({ ...good, deep: ["First"] })
  })

  test("with more values than there is memory for are skipped without being parsed", async () => {
    const home = goodHome()
    const full = claudeLine("full", "Before").replace('"status":"pending"', `"more":${"[".repeat(2_000_000)}`)
    write(claudeFile(home, "full"), `${claudeLine("full", "First")}${full}`)
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual({ ...good, full: ["First"] })
    expect(problems).toEqual([
      "~/.claude/projects/-p/full.jsonl: A line holds more values than Headway reads, and was skipped.",
    ])
  })

  test("with too long a list are skipped, and the list before counts", async () => {
    const home = goodHome()
    const todos = Array.from({ length: 60_000 }, (_, at) => ({ content: `Todo ${at}`, status: "pending" }))
    const long = claudeLine("long", "x").replace(/"todos":\[.*?\]/, `"todos":${JSON.stringify(todos)}`)
    write(claudeFile(home, "long"), `${claudeLine("long", "Sane")}${long}`)
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual({ ...good, long: ["Sane"] })
    expect(problems).toEqual([
      expect.stringMatching(/long\.jsonl: A list is longer or more deeply nested than Headway reads/),
    ])
  })

  test("with names that every object has are read like others", async () => {
    const home = goodHome()
    for (const name of ["constructor", "__proto__", "toString"]) {
      const header = { sessionId: name, projectHash: "h", startTime: "2026-11-15T18:00:00Z", kind: "main" }
      write(join(home, ".gemini/tmp", name, "chats", "session-1.jsonl"), `${JSON.stringify(header)}\n`)
      write(claudeFile(home, name), claudeLine(name, `In ${name}`, { agentId: name }))
    }
    write(join(home, ".gemini/projects.json"), '{"projects":{"/p":"other","__proto__":{}}}')
    const { sessions } = await look(home)
    for (const name of ["constructor", "__proto__", "toString"]) {
      const found = sessions.filter(({ session }) => session === name || session === `google-gemini:${name}`)
      expect(found.map(({ agentType, project }) => [agentType, project])).toEqual([
        ["claude-code", "-p"],
        ["google-gemini", name],
      ])
      expect(found[0]?.plan?.todos.map(({ content }) => content)).toEqual([`In ${name}`])
    }
  })

  test("that all look like lists make a file be skipped", async () => {
    const home = goodHome()
    write(claudeFile(home, "many"), "TodoW\n".repeat(1_000_100))
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual(good)
    expect(problems).toEqual([
      "~/.claude/projects/-p/many.jsonl was skipped: it has more lines about lists than Headway reads.",
    ])
  })

  test("with too many agents make a file be read in part", async () => {
    const home = goodHome()
    const lines = Array.from({ length: 10_050 }, (_, at) =>
      claudeLine("many", "Todo", {
        version: "1.0.0",
        isSidechain: true,
        agentId: `agent${at}`,
        type: "user",
        message: { content: "Hi" },
      }),
    )
    write(claudeFile(home, "many"), `${claudeLine("many", "Mine", { version: "1.0.0" })}${lines.join("")}`)
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toMatchObject({ ...good, many: ["Mine"] })
    expect(problems.filter((message) => message.includes("More than 10000 agents"))).toHaveLength(1)
  })
})

describe("a reused id", () => {
  test.each(["1.0.0", "2.1.0"])(
    "does not hide the list that was written last, in files of version %s",
    async (version) => {
      const home = temporaryFolder()
      const lineWith = (todo: string) => claudeLine("good", todo, { version }).replace(/call-\w+/, "call_0")
      const lines = ["First", "Second", "First", "Last"].flatMap((todo) => [lineWith(todo), answered("call_0")])
      write(claudeFile(home, "good"), lines.join(""))
      const { sessions } = await look(home)
      expect(sessions.map(({ plan }) => plan?.todos.map(({ content }) => content))).toEqual([["Last"]])
    },
  )

  test("of a sub-agent that is called main does not make it the main agent", async () => {
    const stream = [
      { type: "system", subtype: "init", session_id: "s" },
      { type: "assistant", message: { content: [todoWrite("1", "Main work")] } },
      { type: "assistant", message: { content: [{ type: "tool_use", id: "main", name: "Task", input: {} }] } },
      { type: "assistant", parent_tool_use_id: "main", message: { content: [todoWrite("2", "Other work")] } },
    ]
    const observer = observeBytes(
      Buffer.from(stream.map((line) => JSON.stringify({ session_id: "s", uuid: "1", ...line })).join("\n")),
      65_536,
    )
    expect(observer.agents.get("main")?.plan?.todos.map(({ content }) => content)).toEqual(["Main work"])
    expect([...observer.agents.keys()]).toEqual(["main", "sub-agent main"])
  })
})

const todoWrite = (id: string, content: string) => ({
  ...{ type: "tool_use", id, name: "TodoWrite" },
  input: { todos: [{ content, status: "pending" }] },
})

const answered = (id: string): string =>
  `${JSON.stringify({
    ...{ parentUuid: "1", isSidechain: false, type: "user", sessionId: "good", timestamp: "2026-11-15T18:00:00Z" },
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "ok" }] },
    toolUseResult: { newTodos: [] },
  })}\n`

describe("a session that claims to be another one", () => {
  test("keeps its own name when the other has its own file", async () => {
    const home = goodHome()
    const path = write(claudeFile(home, "evil"), claudeLine("good", "Replace it"))
    utimesSync(path, 2e9, 2e9)
    expect(contents((await look(home)).sessions)).toEqual({ ...good, evil: ["Replace it"] })
  })

  test("as a sub-agent's file that is named main does not replace the session", async () => {
    const home = goodHome()
    const files = ["agent-main.jsonl", "good/subagents/agent-main.jsonl"]
    for (const name of files) {
      const path = write(join(home, ".claude/projects/-p", name), claudeLine("good", "Replace it"))
      utimesSync(path, 2e9, 2e9)
    }
    const { sessions, problems } = await look(home)
    expect(contents(sessions)).toEqual(good)
    expect(problems).toEqual(
      files.map((name) => `~/.claude/projects/-p/${name} was skipped: no sub-agent is named "main".`),
    )
  })

  test("of another agent gets that agent's name in front, and hides nothing", async () => {
    const home = goodHome()
    write(
      join(home, ".qwen/todos/good.json"),
      JSON.stringify({ todos: [{ id: "1", content: "Replace it", status: "pending" }] }),
    )
    expect(contents((await look(home)).sessions)).toEqual({ ...good, "qwen-code:good": ["Replace it"] })
  })

  test("of another project of the same agent gets that project's name in front, and hides nothing", async () => {
    const home = temporaryFolder()
    for (const [project, todo] of [
      ["a", "Stay"],
      ["b", "Forged"],
    ]) {
      const at = `2026-11-15T18:${todo === "Stay" ? "00" : "30"}:00Z`
      const toolCall = { id: `call-${todo}`, name: "write_todos", status: "success", timestamp: at }
      const args = { todos: [{ description: todo, status: "pending" }] }
      const record = { id: "1", type: "gemini", timestamp: at, toolCalls: [{ ...toolCall, args }] }
      const lines = [{ sessionId: "good", projectHash: "x" }, record].map((line) => JSON.stringify(line))
      write(join(home, `.gemini/tmp/${project}/chats/session-1.jsonl`), `${lines.join("\n")}\n`)
    }
    const { sessions } = await look(home)
    const found = sessions.map(({ session, plan }) => [session, plan?.todos[0]?.content]).toSorted()
    expect(found.map(([, todo]) => todo).toSorted()).toEqual(["Forged", "Stay"])
    expect(found.map(([session]) => session)).toContain("good")
  })

  test("as a sub-agent's file that names another sub-agent does not replace its list", async () => {
    const home = goodHome()
    const folder = join(home, ".claude/projects/-p/good/subagents")
    const side = (agentId: string) => ({ isSidechain: true, agentId })
    write(join(folder, "agent-a1.jsonl"), claudeLine("good", "Of a1", side("a1")))
    const path = write(
      join(folder, "agent-b2.jsonl"),
      claudeLine("good", "Of b2", side("b2")) + claudeLine("good", "Of b2 for a1", side("a1")),
    )
    utimesSync(path, 2e9, 2e9)
    const { sessions } = await look(home)
    const lists = sessions.map(({ agent, plan }) => [agent, plan?.todos.map(({ content }) => content)])
    expect(lists.toSorted()).toEqual([
      ["a1", ["Of a1"]],
      ["b2", ["Of b2"]],
      ["main", ["Stay"]],
    ])
  })
})
