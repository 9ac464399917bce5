/** Copilot CLI's events, the database of a session, and its hooks, read from genuine captures. */
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "libsql"
import { describe, expect, test } from "vitest"
import { acp } from "../../src/agents/acp/updates.ts"
import { lastMessageIn } from "../../src/agents/github-copilot/_last-message.ts"
import { copilotEvents } from "../../src/agents/github-copilot/events.ts"
import { hooks } from "../../src/agents/github-copilot/hooks.ts"
import { readHookEvent } from "../../src/bridges/hooks/read-event.ts"
import { discover } from "../../src/sessions/discover.ts"
import { createDetector } from "../../src/streams/index.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"
import { sources, streamsOf } from "./loaded.ts"

const session = "1c733ab0-5514-4f64-94fb-8a9c064a9357"
const folder = `test/fixtures/streams/copilot-1.0.102/sql-todos/home/.copilot/session-state/${session}`
const stdout = fixture("copilot-1.0.102/sql-todos/stdout.jsonl")
const file = readFileSync(join(folder, "events.jsonl"), "utf8")
const withChild = fixture("copilot-1.0.102/subagent/stdout.jsonl")
const now = new Date("2026-11-16T04:00:00Z")

const recordings = [
  ["what it prints", stdout],
  ["a session file", file],
  ["what it prints with a sub-agent", withChild],
] as const

describe.each(recordings)("%s", (_, text) => {
  test("is never recognised as a session of oh-my-pi, at any of its lines", () => {
    const lines = text.split("\n").filter(Boolean)
    for (const [index] of lines.entries()) {
      const detector = createDetector(streamsOf("auto"))
      detector.read(lines[index] ?? "")
      detector.end()
      expect(detector.stream?.id).toBe("copilot-events")
    }
  })

  test("gives the same signals by its needles alone, and damaged lines do not throw", () => {
    expect(withoutActivity(readByNeedles(copilotEvents, text))).toEqual(withoutActivity(readAll(copilotEvents, text)))
    readDamaged(copilotEvents, text)
  })
})

describe("a session file", () => {
  const signals = readAll(copilotEvents, file)

  test("has the calls about todos with their results", () => {
    expect(ofType(signals, "call").map(({ dialect, call }) => [dialect, call.tool, call.callId])).toEqual([
      ["copilot", "sql", "call_m0001"],
      ["copilot", "sql", "call_m0003"],
      ["copilot", "sql", "call_m0004"],
    ])
    expect(ofType(signals, "result").every(({ ok }) => ok)).toBe(true)
  })

  test("names session, folder, version and model, and other work", () => {
    expect(ofType(signals, "session")).toEqual([
      { type: "session", session, project: "/home/user/project", version: "1.0.102", model: "gpt-4.1" },
      { type: "session", agent: "main", asked: "Do the work." },
    ])
    const done = ofType(signals, "activity").filter(({ isResult }) => isResult !== true)
    const doings = done.map(({ kind, tool }) => tool ?? kind)
    expect(doings).toEqual(["prompt", "bash", "text", "turn-ended", "ended"])
  })

  test("queries about other tables, or another database, are work and no list", () => {
    const call = (input: object) => ({
      type: "tool.execution_start",
      data: { toolCallId: "c", toolName: "sql", arguments: input },
      id: "e",
      timestamp: "2026-11-16T03:05:09.701Z",
      parentId: null,
    })
    const read = (input: object) => readAll(copilotEvents, JSON.stringify(call(input)))
    for (const input of [{ query: "SELECT * FROM notes" }, { query: "SELECT * FROM todos", database: "session_store" }])
      expect(ofType(read(input), "call")).toEqual([])
    expect(ofType(read({ query: "select count(*) from TODOS" }), "call")).toHaveLength(1)
  })

  test("gives the reason of a turn that was broken off or failed", () => {
    const event = (type: string, data: object) =>
      JSON.stringify({ type, data, id: "e", timestamp: "2026-11-16T03:05:09.701Z", parentId: null })
    const text = [event("abort", { reason: "user" }), event("session.error", { message: "No credit" })].join("\n")
    expect(ofType(readAll(copilotEvents, text), "activity").map(({ error }) => error)).toEqual([
      "The turn was interrupted.",
      "No credit",
    ])
  })
})

test("a sub-agent works on the table of its session, and has the name in the call that started it", () => {
  const signals = readAll(copilotEvents, withChild)
  const child = ofType(signals, "session").find(({ parent }) => parent)
  expect(child?.parent).toMatchObject({ agent: "main", callId: expect.stringContaining("call_") })
  expect(child).toMatchObject({ title: "Look", role: "general-purpose" })
  expect(ofType(signals, "session").flatMap(({ asked }) => asked ?? [])).toEqual(["Do the work."])
  expect(new Set(ofType(signals, "call").map(({ agent }) => agent))).toEqual(new Set(["main"]))
  const ended = ofType(signals, "activity").filter(({ kind, agent }) => kind === "ended" && agent === child?.agent)
  expect(ended).toHaveLength(1)
})

describe("the database of a session", () => {
  const rowsOf = (table: string): Record<string, unknown>[] =>
    JSON.parse(readFileSync(join(folder, `session.db.${table}.json`), "utf8"))

  const homeWith = (rows: readonly Record<string, unknown>[], events: string): string => {
    const home = temporaryFolder()
    const place = join(home, ".copilot/session-state", session)
    mkdirSync(place, { recursive: true })
    if (events !== "") writeFileSync(join(place, "events.jsonl"), events)
    const database = new Database(join(place, "session.db"))
    database.exec(
      "create table todos (id text primary key, title text, description text, status text, created_at text, updated_at text)",
    )
    database.exec("create table todo_deps (todo_id text, depends_on text)")
    const insert = (table: string, row: Record<string, unknown>): void => {
      const names = Object.keys(row)
      const marks = names.map(() => "?").join(", ")
      database.prepare(`insert into ${table} (${names.join(", ")}) values (${marks})`).run(...Object.values(row))
    }
    for (const row of rows) insert("todos", row)
    for (const row of rowsOf("todo_deps")) insert("todo_deps", row)
    database.close()
    return home
  }

  const listsIn = async (home: string): Promise<string[][]> => {
    const problems: unknown[] = []
    const onProblem = (problem: unknown): void => void problems.push(problem)
    const sessions = await discover({ sources, env: {}, home, now, onProblem })
    expect(problems).toEqual([])
    return sessions.map(({ plan }) =>
      (plan?.todos ?? []).map(({ id, status, content }) => `${id} ${status} ${content}`),
    )
  }

  const known = ["1 completed Read the README", "2 in_progress Write the parser", "3 pending Test it"]

  test("gives the same list as the events of the session", async () => {
    expect(await listsIn(homeWith(rowsOf("todos"), file))).toEqual([known])
  })

  test("gives the status of todos that unusual statements have changed", async () => {
    const rows = rowsOf("todos").map((row) => (row.id === "test-it" ? { ...row, status: "blocked" } : row))
    expect(await listsIn(homeWith(rows, file))).toEqual([[...known.slice(0, 2), "3 blocked Test it"]])
  })

  test("tells what only it knows; without it a statement that cannot be read is reported", async () => {
    const query = "UPDATE todos SET status = CASE WHEN id = 'test-it' THEN 'blocked' ELSE status END"
    const event = (type: string, more: object): string => {
      const data = { toolCallId: "call-x", toolName: "sql", ...more }
      return JSON.stringify({ type, data, id: type, timestamp: "2026-11-16T18:00:00.000Z", parentId: null })
    }
    const unread = [
      file.trimEnd(),
      event("tool.execution_start", { arguments: { query } }),
      event("tool.execution_complete", { success: true, result: { content: "3 row(s) updated." } }),
      "",
    ].join("\n")
    const rows = rowsOf("todos").map((row) => (row.id === "test-it" ? { ...row, status: "blocked" } : row))
    const home = homeWith(rows, unread)
    expect(await listsIn(home)).toEqual([[...known.slice(0, 2), "3 blocked Test it"]])
    rmSync(join(home, ".copilot/session-state", session, "session.db"))
    const codes: string[] = []
    await discover({ sources, env: {}, home, now, onProblem: ({ code }) => codes.push(code) })
    expect(codes).toEqual(["unread-sql"])
  })

  test("is enough where there are no events, and ignored where it is empty", async () => {
    expect(await listsIn(homeWith(rowsOf("todos"), ""))).toEqual([known])
    expect(await listsIn(homeWith([], file))).toEqual([known])
  })

  test("is also found in the separate file of older sessions", async () => {
    const home = temporaryFolder()
    mkdirSync(join(home, ".copilot/history-session-state"), { recursive: true })
    cpSync(join(folder, "events.jsonl"), join(home, ".copilot/history-session-state", `${session}.jsonl`))
    expect(await listsIn(home)).toEqual([known])
  })
})

test("over ACP its list follows from its statements, and plans without entries do not empty it", () => {
  const text = fixture("../acp/copilot-1.0.102.jsonl")
  const signals = readAll(acp, text)
  expect(ofType(signals, "snapshot")).toEqual([])
  expect(ofType(signals, "call").map(({ dialect, call }) => [dialect, call.callId])).toEqual([
    ["copilot", "call_m0001"],
    ["copilot", "call_m0002"],
    ["copilot", "call_m0003"],
  ])
  expect(withoutActivity(readByNeedles(acp, text))).toEqual(withoutActivity(signals))
})

describe("hooks", () => {
  const events = (name: string): string[] =>
    readFileSync(`test/fixtures/hooks/copilot-1.0.102/${name}.jsonl`, "utf8").split("\n").filter(Boolean)
  const root = "91d457b3-c2ad-4032-a977-212a89c92ab2"

  test("an event about a sub-agent belongs to the session that started it", () => {
    const read = events("PostToolUse").map((line) => readHookEvent(hooks, line))
    expect(new Set(read.map((event) => event?.session))).toEqual(new Set([root]))
    expect(read.map((event) => event?.agent)).toEqual(["main", "ed96c7a5-d85d-4776-a37c-0e74b89e10b3", "main", "main"])
    expect(read[0]?.tool).toMatchObject({ name: "sql", input: { query: expect.stringContaining("INSERT") } })
  })

  test("the context for the model is at the top level of an answer", () => {
    const [line = ""] = events("UserPromptSubmit")
    const event = readHookEvent(hooks, line)
    expect(event && hooks.answer(event, { context: "Ada added a todo." })).toEqual({
      additionalContext: "Ada added a todo.",
    })
    const stop = readHookEvent(hooks, events("Stop").at(-1) ?? "")
    expect(stop && hooks.answer(stop, { holds: "Go on." })).toEqual({ decision: "block", reason: "Go on." })
  })

  test("its last words are found in its events, as soon as these report that it stops", async () => {
    const path = join(temporaryFolder(), "events.jsonl")
    const line = (type: string, data: object, more: object = {}) => `${JSON.stringify({ type, data, ...more })}\n`
    const stop = { hookInvocationId: "h2", hookType: "agentStop" }
    writeFileSync(path, line("assistant.message", { content: "Done." }))
    appendFileSync(path, line("hook.start", { ...stop, hookInvocationId: "h1" }))
    appendFileSync(path, line("hook.end", { ...stop, hookInvocationId: "h1" }))
    const words = lastMessageIn(path)
    appendFileSync(path, line("assistant.message", { content: "Shall I go on?" }))
    appendFileSync(path, line("assistant.message", { content: "Dust." }, { agentId: "a" }))
    appendFileSync(path, line("hook.start", stop))
    expect(await words).toBe("Shall I go on?")
    expect(await lastMessageIn(join(path, "nothing"))).toBeUndefined()
  })
})
