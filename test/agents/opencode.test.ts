import { describe, expect, test } from "vitest"
import { readOpencodeDatabase } from "../../src/agents/opencode/database-rows.ts"
import { opencodeEvents } from "../../src/agents/opencode/events.ts"
import { opencodeRun } from "../../src/agents/opencode/run.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"

const todos = fixture("opencode-1.18.33/todos/stdout.jsonl")
const mcp = fixture("opencode-1.18.33/mcp/stdout.jsonl")
const events = fixture("opencode-1.18.33/serve/events-todo.txt")
const dump = (table: string): unknown[] =>
  JSON.parse(fixture(`opencode-1.18.33/todos/home/.local/share/opencode/opencode.db.${table}.json`))

describe("opencode run --format json", () => {
  test("a finished call comes with its result, and has what was stored", () => {
    const signals = readAll(opencodeRun, todos)
    expect(signals[0]).toEqual({ type: "session", session: "ses_e1f73f465ffe2ddaX5XnkH99GC" })
    expect(ofType(signals, "call")[0]).toEqual({
      type: "call",
      agent: "main",
      dialect: "opencode",
      call: {
        tool: "todowrite",
        input: {
          todos: [
            { content: "Read the README", status: "in_progress", priority: "high" },
            { content: "Run the smoke test", status: "pending", priority: "medium" },
            { content: "Summarise findings", status: "pending", priority: "low" },
          ],
        },
        session: "ses_e1f73f465ffe2ddaX5XnkH99GC",
        agent: "main",
        at: "2026-11-15T18:50:40.654Z",
        callId: "toolu_mock0001",
        observed: true,
      },
    })
    expect(ofType(signals, "result").map(({ callId, ok }) => [callId, ok])).toEqual([
      ["toolu_mock0001", true],
      ["toolu_mock0003", true],
      ["toolu_mock0005", true],
      ["toolu_mock0006", true],
      ["toolu_mock0007", false],
      ["toolu_mock0009", true],
    ])
  })

  test("neither a list nor a todo tool that is gone counts as work", () => {
    const tools = ofType(readAll(opencodeRun, todos), "activity").flatMap(({ tool }) => tool ?? [])
    expect(tools).toEqual(["bash", "bash"])
    expect(ofType(readAll(opencodeRun, mcp), "activity").flatMap(({ tool }) => tool ?? [])).toEqual(["probe_plan_add"])
    expect(readAll(opencodeRun, todos).at(-1)).toMatchObject({ type: "activity", kind: "turn-ended" })
  })

  test("a sub-agent is named by the call that started it", () => {
    const metadata = { sessionId: "ses_child", parentSessionId: "ses_main" }
    const part = { type: "tool", tool: "task", callID: "c", state: { status: "completed", input: {}, metadata } }
    const line = JSON.stringify({ type: "tool_use", timestamp: 1, sessionID: "ses_main", part })
    const parent = { agent: "main", session: "ses_main", callId: "c" }
    expect(withoutActivity(readAll(opencodeRun, `${line}\n${line}`))).toEqual([
      { type: "session", session: "ses_main" },
      { type: "session", session: "ses_main", agent: "ses_child", parent },
    ])
  })
})

describe("opencode server", () => {
  test("lists of the main session and of its children are distinguished", () => {
    const signals = readAll(opencodeEvents, events)
    const child = "ses_e1f736b98ffeMXYoPX56PGrPUh"
    expect(ofType(signals, "snapshot").map(({ agent, call }) => [agent, call.session])).toEqual([
      ["main", "ses_e1f737984ffelWoI0WOYgkKrVe"],
      [child, child],
      ["main", "ses_e1f737984ffelWoI0WOYgkKrVe"],
    ])
    expect(ofType(signals, "snapshot")[1]?.call.input).toEqual({
      todos: [{ content: "A: list files", status: "in_progress", priority: "medium" }],
    })
  })

  test("bare objects read as event lines do; other fields of an event stream are passed over", () => {
    const bare = events.replaceAll("data: ", "")
    expect(readAll(opencodeEvents, bare)).toEqual(readAll(opencodeEvents, events))
    expect(readAll(opencodeEvents, ": ping\nevent: message\nid: 7\nretry: 10\n\n")).toEqual([])
  })

  test("a session that names its parent is a sub-agent", () => {
    const created = (info: object) => `data: ${JSON.stringify({ type: "session.created", properties: { info } })}`
    const lines = [created({ id: "c", parentID: "p", directory: "/d" }), created({ id: "p", directory: "/d" })]
    expect(readAll(opencodeEvents, lines.join("\n"))).toEqual([
      { type: "session", session: "c", agent: "c", project: "/d", parent: { agent: "main", session: "p" } },
      { type: "session", session: "p", project: "/d" },
    ])
  })
})

describe("opencode database", () => {
  test("rows are the list of their session, in the order of their positions", () => {
    const [found, ...others] = readOpencodeDatabase({ todos: dump("todo").toReversed(), sessions: dump("session") })
    expect(others).toEqual([])
    expect(found).toMatchObject({
      session: "ses_e1f73f465ffe2ddaX5XnkH99GC",
      title: "ok",
      at: "2026-11-15T18:50:44.066Z",
      signals: [
        { type: "session", project: "/home/user/project", version: "1.18.33" },
        {
          type: "snapshot",
          agent: "main",
          call: {
            at: "2026-11-15T18:50:44.066Z",
            input: {
              todos: [
                { content: "Read the README", status: "completed", priority: "high" },
                { content: "Run the smoke test", status: "cancelled", priority: "medium" },
                { content: "Fix the “quoted” bug 🐛", status: "completed", priority: "high" },
                { content: "Summarise findings", status: "completed", priority: "low" },
              ],
            },
          },
        },
      ],
    })
  })

  test("children and grandchildren belong to their root; a session without rows has an empty list", () => {
    const sessions = [
      { id: "c", parent_id: "b" },
      { id: "b", parent_id: "a" },
      { id: "a", parent_id: null },
    ]
    const rows = [{ session_id: "c", content: "x", status: "pending", priority: "low", position: 0 }]
    const [found] = readOpencodeDatabase({ todos: rows, sessions })
    expect(ofType(found?.signals ?? [], "session").map(({ agent, parent }) => [agent, parent?.agent])).toEqual([
      ["c", "b"],
      ["b", "main"],
      [undefined, undefined],
    ])
    expect(ofType(found?.signals ?? [], "snapshot").map(({ call }) => call.input)).toMatchObject([
      { todos: [{ content: "x" }] },
      { todos: [] },
      { todos: [] },
    ])
  })

  test("a session with very many calls of Headway's own tool hides no other session", () => {
    const data = JSON.stringify({ type: "tool", tool: "headway_todo", state: { status: "completed", input: {} } })
    const parts = Array.from({ length: 70_000 }, (_, index) => ({ session_id: "a", id: `${index}`, data }))
    const found = readOpencodeDatabase({ todos: [], sessions: [{ id: "a" }, { id: "b" }], parts })
    expect(found.map(({ session }) => session)).toEqual(["a", "b"])
    expect(ofType(found[0]?.signals ?? [], "call")).toHaveLength(parts.length)
  })

  test("C28 the list has its place among calls of Headway's own tool, also when a row is written again later", () => {
    const row = {
      session_id: "a",
      content: "Sail",
      status: "pending",
      priority: "low",
      position: 0,
      time_updated: 2000,
    }
    const part = (id: string, input: unknown, [end, updated]: [end: number, updated: number]) => ({
      session_id: "a",
      id,
      time_updated: updated,
      data: JSON.stringify({
        type: "tool",
        tool: "headway_todo",
        callID: id,
        state: { status: "completed", input, time: { end } },
      }),
    })
    const parts = [
      part("1", { todos: [{ content: "Draw a map", status: "completed" }], replace: true }, [1000, 9000]),
      part("2", {}, [3000, 3000]),
    ]
    const [found] = readOpencodeDatabase({ todos: [row], sessions: [{ id: "a" }], parts })
    const lists = (found?.signals ?? []).flatMap((signal) =>
      signal.type === "call" || signal.type === "snapshot" ? (signal.call.callId ?? "the list") : [],
    )
    expect(lists).toEqual(["1", "the list", "2"])
  })

  test("C28 a failed call of opencode's own tool does not move its list", () => {
    const row = {
      session_id: "a",
      content: "Sail",
      status: "completed",
      priority: "low",
      position: 0,
      time_updated: 1000,
    }
    const part = (id: string, tool: string, status: string) => ({
      session_id: "a",
      id,
      time_updated: Number(id) * 1000,
      data: JSON.stringify({ type: "tool", tool, callID: id, state: { status, input: { todos: [] } } }),
    })
    const parts = [
      part("1", "todowrite", "completed"),
      part("2", "headway_todo", "completed"),
      part("3", "todowrite", "error"),
    ]
    const [found] = readOpencodeDatabase({ todos: [row], sessions: [{ id: "a" }], parts })
    const lists = (found?.signals ?? []).flatMap((signal) =>
      signal.type === "call" || signal.type === "snapshot" ? (signal.call.callId ?? "the list") : [],
    )
    expect(lists).toEqual(["1", "the list", "2", "3"])
  })

  test("strange rows and parents in a circle are survived", () => {
    const sessions = [null, 7, {}, { id: "a", parent_id: "b" }, { id: "b", parent_id: "a" }]
    const found = readOpencodeDatabase({ todos: [null, "x", {}, { session_id: "z", position: null }], sessions })
    expect(found.map(({ session }) => session)).toEqual(["a", "b", "z"])
  })
})

describe("every recording", () => {
  const recordings = [
    ["todos", opencodeRun, todos],
    ["mcp", opencodeRun, mcp],
    ["events", opencodeEvents, events],
  ] as const

  test.each(recordings)("%s is recognised from its first line", (_, stream, text) => {
    const first: Record<string, unknown> = JSON.parse((text.split("\n")[0] ?? "").replace(/^data: /, ""))
    const other = stream === opencodeRun ? opencodeEvents : opencodeRun
    expect(stream.recognises(first)).toBe(true)
    expect(other.recognises(first)).toBe(false)
  })

  test.each(recordings)("%s gives the same signals by its needles alone", (_, stream, text) => {
    expect(withoutActivity(readByNeedles(stream, text))).toEqual(withoutActivity(readAll(stream, text)))
  })

  test.each(recordings)("%s never throws when damaged", (_, stream, text) => readDamaged(stream, text))
})
