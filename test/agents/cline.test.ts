/** Cline: the tasks of a team in what it prints, in its session files, and in its database. */
import { cpSync, mkdirSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import Database from "libsql"
import { describe, expect, test } from "vitest"
import { clineSession } from "../../src/agents/cline/session.ts"
import { clineStream } from "../../src/agents/cline/stream.ts"
import { teamTasks } from "../../src/agents/cline/team-tasks.ts"
import { discover } from "../../src/sessions/discover.ts"
import { createObserver } from "../../src/streams/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { fixture, ofType, readAll } from "../streams/damage.ts"
import { sources } from "./loaded.ts"

const folder = temporaryFolder()
const recorded = "cline-3.0.65/team-and-own-tool"
const session = "1794852538401_jcm7b"
const messages = fixture(`${recorded}/home/.cline/data/sessions/${session}/${session}.messages.json`)

/** Each list after another, as `status text`. */
const listsIn = (signals: ReturnType<typeof readAll>): string[] => {
  const observer = createObserver()
  return signals.flatMap((signal) =>
    observer
      .take(signal)
      .map(({ plan }) => (plan?.todos ?? []).map(({ status, content }) => `${status} ${content}`).join(", ")),
  )
}

const [read, write] = ["Read the README", "Write the parser"]
const team = [
  `pending ${read}`,
  `pending ${read}, pending ${write}`,
  `in_progress ${read}, pending ${write}`,
  `completed ${read}, pending ${write}`,
]

test("a document with thousands of results about as many tasks is read to its end in little memory", () => {
  const ids = Array.from({ length: 5_000 }, (_, index) => `t${index}`)
  const calls = ids.map((id) => ({ type: "tool_use", id, name: "team_task", input: { title: id } }))
  const results = ids.map((id) => ({
    type: "tool_result",
    tool_use_id: id,
    content: JSON.stringify({ taskId: id, status: "pending" }),
  }))
  const document = {
    sessionId: session,
    origin: {},
    agent: "a",
    messages: [
      { role: "assistant", content: calls },
      { role: "user", content: results },
    ],
  }
  const lists = ofType(clineSession.open().read(JSON.stringify(document)), "snapshot").map(
    ({ call }) => (call.input as { todos: unknown[] }).todos.length,
  )
  expect(lists.at(-1)).toBe(ids.length)
  expect(lists.reduce((sum, length) => sum + length, 0)).toBeLessThan(100_000)
})

describe("what it prints", () => {
  const signals = readAll(clineStream, fixture(`${recorded}/stdout.jsonl`))

  test("has a list for each change of a task, also of our own tool", () => {
    expect(listsIn(signals)).toEqual([
      ...team,
      `completed ${read}, pending ${write}, in_progress Own list`,
      `completed ${read}, blocked ${write}`,
      `completed ${read}, completed ${write}`,
    ])
    expect(ofType(signals, "session")).toEqual([{ type: "session", session }])
  })

  test("names the owner of a task and what blocks it", () => {
    const observer = createObserver()
    const blocked = signals.findLastIndex(({ type }) => type === "snapshot")
    for (const signal of signals.slice(0, blocked)) observer.take(signal)
    expect(observer.agents.get("main")?.plan?.todos).toMatchObject([
      { status: "completed", owner: session, description: "Look at it" },
      { status: "blocked", reason: "No grammar" },
    ])
  })

  test.each([
    [{ reason: "aborted" }, "The turn was interrupted."],
    [{ reason: "error", text: "overloaded" }, "overloaded"],
  ])("a turn that ends with %j has failed, once", (event, error) => {
    const lines = [
      { ts: "2026-01-01T00:00:00.000Z", type: "agent_event", event: { type: "done", ...event } },
      { ts: "2026-01-01T00:00:00.000Z", type: "run_aborted", reason: "x" },
    ]
    const ends = ofType(readAll(clineStream, lines.map((line) => JSON.stringify(line)).join("\n")), "activity")
    expect(ends.map((end) => [end.kind, end.error])).toEqual([["turn-ended", error]])
  })
})

describe("its session files", () => {
  test("the list follows from the results, and a refused call changes nothing", () => {
    expect(listsIn(clineSession.open().read(messages))).toEqual([
      ...team,
      `completed ${read}, pending ${write}, in_progress Own list`,
      `completed ${read}, blocked ${write}`,
      `completed ${read}, completed ${write}`,
    ])
    const refused = fixture(
      "cline-3.0.65/team-tasks/home/.cline/data/sessions/1794798468504_2b1w4/1794798468504_2b1w4.messages.json",
    )
    expect(listsIn(clineSession.open().read(refused))).toEqual(team.slice(0, 2))
  })

  test("messages of the client itself are not prompts", () => {
    const kinds = ofType(clineSession.open().read(messages), "activity").map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === "prompt")).toHaveLength(1)
  })
})

describe("its database", () => {
  const homeWith = (rows: readonly Record<string, unknown>[]): string => {
    const home = mkdtempSync(join(folder, "home-"))
    cpSync(`test/fixtures/streams/${recorded}/home`, home, { recursive: true })
    mkdirSync(join(home, ".cline/data/db"), { recursive: true })
    const database = new Database(join(home, ".cline/data/db/teams.db"))
    database.exec(
      "create table team_tasks (team_name text not null, task_id text not null, title text not null, description text not null, status text not null, assignee text, depends_on_json text not null, summary text, version integer not null default 1, updated_at text not null, primary key (team_name, task_id))",
    )
    for (const row of rows) {
      const names = Object.keys(row)
      database
        .prepare(`insert into team_tasks (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`)
        .run(...Object.values(row))
    }
    database.close()
    return home
  }

  const row = (id: string, title: string, status: string, more: object = {}) => ({
    team_name: session,
    task_id: id,
    title,
    description: "",
    status,
    depends_on_json: "[]",
    updated_at: "2026-11-16T18:10:00.000Z",
    ...more,
  })

  test("has the current tasks and the progress of team members, in the session of the lead", async () => {
    const home = homeWith([
      row("task_0001", read, "completed"),
      row("task_0002", write, "in_progress", { assignee: "parser-agent" }),
      row("task_0003", "Tell the others", "pending", { depends_on_json: '["task_0002"]' }),
    ])
    const found = await discover({ sources, env: {}, home, now: new Date("2026-11-16T18:20:00Z") })
    expect(found).toMatchObject([{ agentType: "cline", session, project: "/home/user/project", model: "scripted" }])
    expect(found[0]?.plan?.todos.map(({ status, content, owner = "-" }) => `${status} ${content} ${owner}`)).toEqual([
      `completed ${read} -`,
      `in_progress ${write} parser-agent`,
      "pending Tell the others -",
    ])
    // The session has ended, whatever is written beside it.
    expect(found[0]?.updated).toBe("2026-11-16T18:09:07.262Z")
  })

  test("of very many teams only the newest are read", () => {
    const rows = Array.from({ length: 3_000 }, (_, at) => ({
      team_name: `team-${at}`,
      task_id: "1",
      title: "Paint",
      updated_at: `2026-11-16T10:${String(at).padStart(4, "0")}`,
    }))
    const lists = teamTasks({ team_tasks: rows })
    expect(lists).toHaveLength(2_001)
    expect(lists[0]?.[0]).toMatchObject({ session: "team-2999" })
    expect(lists.at(-1)).toMatchObject([{ problem: { code: "too-many-sessions" } }])
  })

  test("damaged rows are left out", () => {
    const rows = [row("task_0001", read, "pending"), { team_name: session }, { task_id: "x" }, 7]
    expect(teamTasks({ team_tasks: rows })).toMatchObject([
      [
        { type: "session", session },
        { type: "snapshot", call: { input: { todos: [{ id: "task_0001", content: read }] } } },
      ],
    ])
  })
})
