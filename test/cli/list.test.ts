/** `headway list` over everything on this machine, and `show` of what it found. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import Database from "libsql"
import { describe, expect, test } from "vitest"
import { filesUnder } from "../attack/inject.ts"
import { namesIn, temporaryFolder } from "../stores/temporary.ts"
import { atHome } from "./run-cli.ts"

const recorded = resolve("test/fixtures/streams")
const now = "2026-11-15T19:30:00Z"

/** A person who has run these recordings, and keeps a plan of their own. */
const withAgents = (...recordings: string[]) => {
  const home = temporaryFolder()
  for (const name of recordings) cpSync(join(recorded, name, "home"), home, { recursive: true })
  return atHome({ home, now })
}

const sessionsIn = (out: string) => JSON.parse(out) as Record<string, unknown>[]

describe("list", () => {
  test("shows waiting and working sessions first, then the rest by project, sub-agents under their parents", async () => {
    const { run } = withAgents("claude-2.1.197/subagents-todowrite", "codex-0.166.0/goal")
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}', now })
    const { code, out, err } = await run(["list"])
    expect([code, err]).toEqual([0, ""])
    const rows = out.split("\n").map((row) => row.trim().split(/\s{2,}/))
    expect(rows.slice(0, -1)).toEqual([
      ["SESSION", "AGENT", "STATE", "DONE", "AGE", "NOW"],
      ["Working"],
      ["mine", expect.stringMatching(/^Headway in /), "working", "0/1", "0s", "next: Rest"],
      [""],
      ["/home/user/project"],
      ["Do the demo work.", "Claude Code", "ended", "1/2", "35m", "Reporting"],
      ["└ general-purpose: Survey the repo", "Claude Code", "finished", "2/2", "35m", "finished"],
      ["└ general-purpose: Check the tests", "Claude Code", "ended", "0/1", "35m", "Finding tests"],
      ["Do the demo work.", "Codex", "finished", "-", "39m", "no plan"],
    ])
  })

  test("with --session has only the session it names, with its sub-agents, and with --agent only that agent", async () => {
    const { run } = withAgents("claude-2.1.197/subagents-todowrite", "codex-0.166.0/goal")
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}', now })
    const listed = async (...words: string[]) =>
      sessionsIn((await run(["list", "--json", ...words])).out).map(({ session, agent }) => `${session} ${agent}`)
    const all = await listed()
    const claude = all.filter((one) => one.startsWith("f53816a2"))
    expect([all.length, claude.length]).toEqual([5, 3])
    expect(await listed("--session", "f53816a2")).toEqual(claude)
    expect(await listed("--session", "f53816a2", "--agent", "main")).toEqual(
      claude.filter((one) => one.endsWith(" main")),
    )
    expect(await listed("--session", "mine")).toEqual(["mine main"])
    expect(await listed("--session", "Do the demo work.")).toEqual(all.filter((one) => one !== "mine main"))
    const text = (await run(["list", "--session", "mine"])).out
    expect(text).toContain("next: Rest")
    expect(text).not.toContain("Claude Code")
    const message = 'headway: There is no session "yours" here. See all with "headway list --all".\n'
    expect(await run(["list", "--session", "yours"])).toEqual({ code: 1, out: "", err: message })
    expect(await run(["list", "--json", "--session", "yours"])).toEqual({ code: 1, out: "", err: message })
  })

  test("does not show a session that dates itself ahead of now as working", async () => {
    const { home, run } = withAgents("claude-2.1.197/todowrite")
    const [path = ""] = filesUnder(join(home, ".claude/projects"))
    writeFileSync(
      path,
      readFileSync(path, "utf8").replaceAll(/"timestamp":"[^"]+"/g, '"timestamp":"2099-01-01T00:00:00Z"'),
    )
    utimesSync(path, new Date(now), new Date("2026-11-13T19:30:00Z"))
    expect(sessionsIn((await run(["list", "--json"])).out)).toMatchObject([
      { state: expect.stringMatching(/^(?:ended|finished)$/), updated: "2026-11-13T19:30:00.000Z" },
    ])
  })

  test("as JSON keeps the fields of own plans and adds what is known of sessions", async () => {
    const { home, run } = withAgents("claude-2.1.197/subagents-todowrite")
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}', now })
    const listed = sessionsIn((await run(["list", "--json"])).out)
    const path = join(home, ".claude/projects/-home-user-project/f53816a2-a98a-4e21-8afe-ab762e5ceecb")
    expect(listed).toMatchObject([
      { session: "mine", agent: "main", agentType: "headway", isOwn: true, state: "working", planTool: "present" },
      {
        session: "f53816a2-a98a-4e21-8afe-ab762e5ceecb",
        agent: "main",
        agentType: "claude-code",
        isOwn: false,
        project: "/home/user/project",
        progress: { completed: 1, total: 2, percent: 50 },
        current: "Reporting",
        isFinished: false,
        todos: 2,
        updated: "2026-11-15T18:54:55.333Z",
        path: `${path}.jsonl`,
        state: "ended",
        planTool: "present",
      },
      {
        agent: "abf7d66e28674ba19",
        parent: { agent: "main" },
        path: `${path}/subagents/agent-abf7d66e28674ba19.jsonl`,
      },
      { agent: "a3b22d34f61719c9b", parent: { agent: "main" }, isFinished: true },
    ])
    for (const one of listed) {
      for (const field of ["session", "agent", "progress", "isFinished", "todos", "updated", "agentType", "state"])
        expect(one).toHaveProperty(field)
    }
  })

  test("on a narrow screen only the names and states of sessions are left", async () => {
    const { run } = withAgents("claude-2.1.197/subagents-todowrite")
    const wide = (await run(["list", "--all"], { columns: 80 })).out.split("\n")
    expect(wide[0]).toMatch(/^ {2}SESSION +AGENT +STATE +DONE +AGE +NOW$/)
    const [heading, ...rows] = (await run(["list", "--all"], { columns: 40 })).out.split("\n")
    expect(heading).toMatch(/^ {2}SESSION +STATE +DONE +AGE$/)
    expect(rows.join("\n")).toMatch(/Do the demo work\. +ended +1\/2/)
    expect(rows.every((row) => row.length <= 40)).toBe(true)
  })

  test("in a pipe a very long name does not widen the rows of other sessions", async () => {
    const { home, run } = withAgents("claude-2.1.197/subagents-todowrite")
    const folder = join(home, ".gemini/tmp/p/chats")
    mkdirSync(folder, { recursive: true })
    for (const end of ["1", "2"]) {
      const sessionId = "A".repeat(50_000) + end + "A".repeat(50_000)
      const header = { sessionId, projectHash: "x", startTime: now, lastUpdated: now }
      writeFileSync(join(folder, `session-${end}.jsonl`), `${JSON.stringify(header)}\n`)
    }
    const { out } = await run(["list", "--all"])
    const rows = out.split("\n")
    expect(rows.filter((row) => row.includes("AAAA…"))).toHaveLength(2)
    expect(rows.filter((row) => row.length > 400)).toEqual([])
  })

  test("in a pipe a very long todo takes at most a page", async () => {
    const { run } = withAgents("claude-2.1.197/tasks")
    const input = JSON.stringify({ todos: [{ content: "a".repeat(20_000), status: "in_progress" }] })
    await run(["write", "--new", "--session", "mine"], { input, now })
    for (const words of [["list"], ["list", "--for-model"]]) {
      const rows = (await run(words)).out.split("\n")
      expect(rows.filter((row) => row.includes("aaaa…"))).toHaveLength(1)
      expect(rows.filter((row) => row.length > 2_500)).toEqual([])
    }
  })

  test("--own lists only what Headway keeps", async () => {
    const { run } = withAgents("claude-2.1.197/tasks")
    expect((await run(["list", "--own", "--json"])).out).toBe("[]\n")
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}', now })
    expect(sessionsIn((await run(["list", "--own", "--json"])).out)).toHaveLength(1)
  })

  test("only counts older sessions, unless asked for or configured otherwise", async () => {
    const { home, run } = withAgents("codex-0.166.0/goal")
    const late = { now: "2026-11-19T20:00:00Z" }
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}', ...late })
    const { out, err } = await run(["list"], late)
    expect([out.includes("mine"), out.includes("Codex")]).toEqual([true, false])
    expect(err).toBe("headway: 1 older session is not shown; --all shows it.\n")
    const all = await run(["list", "--all"], late)
    expect([all.out.includes("Codex"), all.err]).toEqual([true, ""])
    expect(sessionsIn((await run(["list", "--json"], late)).out)).toHaveLength(2)
    writeFileSync(join(home, ".headway/settings.json"), '{"board.foldAfterDays":30}')
    expect((await run(["list"], late)).out).toContain("Codex")
  })

  test("shows the newest session even where all are old", async () => {
    const { run } = withAgents("codex-0.166.0/goal")
    expect((await run(["list"], { now: "2027-12-24T00:00:00Z" })).out).toContain("Codex")
  })

  test("caches what it read, works without the cache, and writes nothing else", async () => {
    const { home, run } = withAgents("claude-2.1.197/tasks", "qwen-0.24.4/todos")
    const first = await run(["list", "--json"])
    const index = join(home, ".headway/cache/sessions.index")
    const text = readFileSync(index, "utf8")
    expect(await run(["list", "--json"])).toEqual(first)
    expect(readFileSync(index, "utf8")).toBe(text)
    for (const damage of [() => rmSync(index), () => writeFileSync(index, "garbage"), () => writeFileSync(index, "")]) {
      damage()
      expect(await run(["list", "--json"])).toEqual(first)
      expect(readFileSync(index, "utf8")).toBe(text)
    }
    expect(namesIn(join(home, ".headway")).filter((name) => name !== "tmp")).toEqual(["cache"])
  })

  test("follows the agents' own variables for their homes", async () => {
    const { home, run } = withAgents()
    const env = { CODEX_HOME: join(recorded, "codex-0.166.0/plan/home/.codex") }
    expect(sessionsIn((await run(["list", "--json"], { env })).out)).toMatchObject([{ agentType: "openai-codex" }])
    expect(existsSync(join(home, ".codex"))).toBe(false)
  })
})

describe("list --root", () => {
  test.each([
    ["a person's home", "claude-2.1.197/tasks/home", "claude-code"],
    ["an agent's folder", "claude-2.1.197/tasks/home/.claude", "claude-code"],
    ["an agent's folder", "codex-0.166.0/plan/home/.codex", "openai-codex"],
    ["an agent's folder", "gemini-0.61.0/tracker/home/.gemini", "google-gemini"],
    ["an agent's folder", "omp-18.2.3/todos/home/.omp", "oh-my-pi"],
    ["an agent's folder", "qwen-0.24.4/todos/home/.qwen", "qwen-code"],
  ])("reads %s, %s, and nothing else", async (_, folder, agentType) => {
    const { home, run } = withAgents("claude-1.0.60/todowrite")
    await run(["write", "--new", "--session", "mine"], { input: '{"todos":[{"content":"Rest"}]}', now })
    const { out } = await run(["list", "--json", "--root", join(recorded, folder)])
    expect(sessionsIn(out)).toMatchObject([{ agentType, isOwn: false }])
    expect(existsSync(join(home, ".headway/cache/sessions.index"))).toBe(false)
  })
})

describe("show", () => {
  test("finds a session of another agent by the beginning of its id", async () => {
    const { run } = withAgents("claude-2.1.197/subagents-todowrite")
    const shown = { code: 0, out: expect.stringContaining("Delegate the survey"), err: "" }
    expect(await run(["show", "--session", "f53816a2"])).toEqual(shown)
    expect(await run(["show", "--session", "f53816a2-a98a-4e21-8afe-ab762e5ceecb"])).toEqual(shown)
    expect((await run(["show", "--session", "f53816a2", "--agent", "abf7"])).out).toContain("B: find tests")
    expect(JSON.parse((await run(["show", "--session", "f53816a2", "--json"])).out)).toMatchObject({
      session: "f53816a2-a98a-4e21-8afe-ab762e5ceecb",
      agent: "main",
      todos: [{ status: "completed" }, { status: "in_progress" }],
    })
  })

  test("reports a session without a plan, an unknown id, and an ambiguous one", async () => {
    const { run } = withAgents("codex-0.166.0/goal", "codex-0.166.0/plan")
    expect(await run(["show", "--session", "01a1e08b-95bb"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/"Do the demo work\." \(Codex 01a1e08b-95bb\S+\) has no plan\./),
    })
    expect(await run(["show", "--session", "nowhere"])).toMatchObject({ code: 1, out: "" })
    expect(await run(["show", "--session", "01a1e08b"])).toMatchObject({ code: 1, out: "" })
  })

  test("prefers an own plan, and never writes to others", async () => {
    const { home, run } = withAgents("claude-2.1.197/tasks")
    await run(["write", "--new", "--session", "550206c9"], { input: '{"todos":[{"content":"Mine"}]}', now })
    expect((await run(["show", "--session", "550206c9"])).out).toContain("Mine")
    expect(namesIn(join(home, ".headway/journal"))).toEqual(["550206c9-agent-main.jsonl"])
  })
})

test("sub-agents of sub-agents without end stay visible", async () => {
  const time = Date.parse(now)
  const { home, run } = atHome({ now })
  const path = join(home, ".local/share/opencode/opencode.db")
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(path)
  database.exec("create table session (id text primary key, parent_id text, title text, directory text, time_updated)")
  const insert = database.prepare("insert into session values (?, ?, ?, '/p', ?)")
  database.exec("create table todo (session_id text, content text, status text, position integer, time_updated)")
  database.exec("begin")
  for (let at = 0; at < 300; at += 1) insert.run(`ses_${at}`, at === 0 ? null : `ses_${at - 1}`, `Part ${at}.`, time)
  database.exec("commit")
  database.close()
  const { out } = await run(["list", "--all"])
  expect(out).toContain("Part 299.")
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThan(120)
})
