/** Formats that are one document: read whole, however many lines it stands on and however its bytes arrive. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { describe, expect, test } from "vitest"
import { discover } from "../../src/sessions/discover.ts"
import type { TodoListEvent } from "../../src/streams/index.ts"
import { runCli } from "../cli/run-cli.ts"
import { observeBytes } from "../contracts/stream.ts"
import { cpuTimeOf } from "../cpu-time.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { samples } from "../streams/samples.ts"
import { sources, streamIds, streams } from "./loaded.ts"

const folder = temporaryFolder()

const documents = streamIds.filter((id) => streams[id].isDocument)

const textsOf = ({ agents }: ReturnType<typeof observeBytes>): string[] | undefined =>
  agents.get("main")?.plan?.todos.map(({ status, content }) => `${status} ${content}`)

describe.each(documents)("%s", (id) => {
  const value = samples[id].list("Read the notes") as Record<string, unknown>
  const written: [string, string][] = [
    ["on one line", JSON.stringify(value)],
    ["on one line with a line end", `${JSON.stringify(value)}\n`],
    ["on many lines", JSON.stringify(value, null, 2)],
    [
      "on many lines, with empty lines and a byte order mark in front",
      `\uFEFF\n\n${JSON.stringify(value, null, "\t")}\n`,
    ],
  ]

  test.each(written)("A1 is recognised and read %s, in pieces of any size, for any agent or its own", (_, text) => {
    for (const [size, from] of [
      [1, "auto"],
      [7, streams[id].agentType],
      [65_536, id],
    ] as const) {
      const observer = observeBytes(Buffer.from(text), size, from)
      expect([observer.streamId, textsOf(observer)]).toEqual([id, ["pending Read the notes"]])
    }
  })

  test("is read from a file that a person names, with the list and its time", async () => {
    const path = join(folder, `${id}.json`)
    writeFileSync(path, JSON.stringify(value, null, 2))
    const [session] = await discover({ sources, env: {}, home: folder, paths: [path], now: new Date("2027-01-01") })
    expect(session).toMatchObject({ agentType: streams[id].agentType, agent: "main", isWhole: true })
    expect((await session?.readPlan())?.todos.map(({ content }) => content)).toEqual(["Read the notes"])
  })

  test("that was cut off is neither a session nor an error", () => {
    const text = JSON.stringify(value, null, 2)
    const observer = observeBytes(Buffer.from(text.slice(0, text.length / 2)), 100)
    expect([observer.streamId, observer.problems.size]).toEqual([undefined, 0])
  })
})

test("a result in an ATIF trajectory is read once, however many calls share its id", () => {
  const call = { tool_call_id: "c", function_name: "todo_write", arguments: { todos: [] } }
  const step = {
    source: "agent",
    tool_calls: Array.from({ length: 5_000 }, () => call),
    observation: { results: [{ source_call_id: "c", content: "\n[metadata] {".repeat(100_000) }] },
  }
  const text = JSON.stringify({ schema_version: "ATIF-v1.4", steps: [step] })
  const took = cpuTimeOf(() => {
    const signals = streams.atif.open().read(text)
    expect(signals.filter(({ type }) => type === "result")).toHaveLength(5_000)
  })
  expect(took).toBeLessThan(4_000)
})

test("the lines of another document are not taken for lines of a stream", () => {
  const inner = samples["codex-exec"].lines.map((line) => `  ${line},`).join("\n")
  const observer = observeBytes(Buffer.from(`{\n"lines": [\n${inner}\n  {}]\n}\n`), 1000)
  expect(observer.streamId).toBeUndefined()
})

test("a stream that begins with half a line is still read as a stream", () => {
  const observer = observeBytes(Buffer.from(`{"half":\n${samples["codex-exec"].lines.join("\n")}\n`), 1000)
  expect(observer.streamId).toBe("codex-exec")
})

describe("opencode export", () => {
  const path = resolve("test/fixtures/documents/opencode-export.json")

  test("gives the list, its session and its turns with their times", async () => {
    const { code, out, err } = await runCli(["events", path])
    const events = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as TodoListEvent)
    expect([code, err]).toEqual([0, ""])
    expect(events.at(-1)).toMatchObject({
      type: "turn",
      state: "ended",
      agentId: "ses_e1de569a2ffeBue3VHzNAY0DUR",
      agentType: "opencode",
      timestamp: 1_794_794_795_767,
    })
    expect(events.at(-1)?.items).toHaveLength(10)
    expect(events.at(-1)?.items.every(({ status }) => status === "completed")).toBe(true)
  })

  test("is listed with its project and the age of its records", async () => {
    const { out } = await runCli(["list", "--all", "--json", "--root", path])
    expect(JSON.parse(out)).toMatchObject([
      { agentType: "opencode", session: "ses_e1de569a2ffeBue3VHzNAY0DUR", project: "/home/user/project" },
    ])
    expect(JSON.parse(out)[0].updated).toBe("2026-11-16T02:06:35.767Z")
  })
})

describe("a chat of Gemini CLI before it wrote lines", () => {
  const chats = ".gemini/tmp/0123abcd/chats/session-2025-11-01T10-00-ec899d38.json"

  test("is found in its folder, with the list and the time of its records", async () => {
    const path = join(folder, "gemini", chats)
    mkdirSync(dirname(path), { recursive: true })
    const [line = ""] = samples["gemini-document"].lines
    const { messages } = JSON.parse(line) as { messages: object[] }
    // One call of the recording empties the list.
    const before = messages.filter((record) => !JSON.stringify(record).includes('"todos":[]'))
    writeFileSync(path, JSON.stringify({ ...JSON.parse(line), messages: before }, null, 2))
    const found = await discover({ sources, env: {}, home: join(folder, "gemini"), now: new Date("2027-01-01") })
    expect(found).toMatchObject([{ agentType: "google-gemini", session: "ec899d38-220c-40c3-971f-1d6370009f71" }])
    expect(found[0]?.updated.slice(0, 10)).toBe("2026-11-15")
    const lines = readFileSync(path, "utf8")
    expect(observeBytes(Buffer.from(lines), 500).agents.get("main")?.plan?.todos.length).toBe(
      (await found[0]?.readPlan())?.todos.length,
    )
    expect(found[0]?.summary?.todos).toBeGreaterThan(0)
  })
})

describe("an ATIF trajectory", () => {
  const step = (name: string, id: string, input: unknown, content: unknown, more: object = {}) => ({
    step_id: 1,
    timestamp: "2026-01-01T00:00:00+00:00",
    source: "agent",
    message: [{ type: "text", text: "Working" }],
    tool_calls: [{ tool_call_id: id, function_name: name, arguments: input }],
    observation: { results: [{ source_call_id: id, content, ...more }] },
  })
  const read = (...steps: object[]) =>
    observeBytes(Buffer.from(JSON.stringify({ schema_version: "ATIF-v1.6", session_id: "s", agent: {}, steps })), 100)

  test.each([
    ["TodoWrite", { todos: [{ content: "Read", status: "completed", activeForm: "Reading" }] }],
    ["update_plan", { plan: [{ step: "Read", status: "completed" }] }],
    ["write_todos", { todos: [{ description: "Read", status: "completed" }] }],
    ["todowrite", { todos: [{ content: "Read", status: "completed", priority: "high" }] }],
    ["todo_write", { todos: [{ id: "1", content: "Read", status: "completed" }] }],
    ["mcp__headway__todo", { todos: [{ content: "Read", status: "completed" }], replace: true }],
  ])("holds the calls of %s, whichever agent has that tool", (name, input) => {
    expect(textsOf(read(step(name, "c1", input, "ok")))).toEqual(["completed Read"])
  })

  test("takes ids and data of Claude's tasks from the texts of their results", () => {
    const made = [
      step("TaskCreate", "c1", { subject: "Read" }, "Task #4 created successfully: Read"),
      step("TaskUpdate", "c2", { taskId: "4", status: "in_progress" }, "Updated task #4 status"),
      step("TaskCreate", "c3", { subject: "Run" }, 'ok\n\n[metadata] {"task": {"id": "5", "subject": "Run"}}'),
      step("TaskUpdate", "c4", { taskId: "5", status: "completed" }, "Updated task #5 status"),
    ]
    expect(textsOf(read(...made))).toEqual(["in_progress Read", "completed Run"])
  })

  test.each([
    ["in its words", "No\n\n[error] tool reported failure", {}],
    ["beside it", "No", { extra: { is_error: true } }],
    ["by a status", "No", { extra: { status: "failed" } }],
  ])("has no list of a failed call: %s", (_, content, more) => {
    const todos = (text: string) => ({ todos: [{ content: text, status: "pending", activeForm: "x" }] })
    const made = [step("TodoWrite", "c1", todos("Read"), "ok"), step("TodoWrite", "c2", todos("Wrong"), content, more)]
    expect(textsOf(read(...made))).toEqual(["pending Read"])
  })
})
