/** Kimi Code's stream, session files and hook, read from genuine captures. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { hooks } from "../../src/agents/kimi-code/hooks.ts"
import { kimiStream } from "../../src/agents/kimi-code/stream.ts"
import { kimiSession } from "../../src/agents/kimi-code/wire.ts"
import { readHookEvent } from "../../src/bridges/hooks/read-event.ts"
import type { Stream } from "../../src/streams/stream.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"

const sessions = "home/.kimi-code/sessions"
const stdout = fixture("kimi-2.1.0/todolist/stdout.jsonl")
const file = fixture(
  `kimi-2.1.0/todolist/${sessions}/wd_project_1e1f421b68e5/session_438d8039-b05d-4b6d-b8dd-1eb669002648/agents/main/wire.jsonl`,
)
const withChild = `kimi-2.1.0/subagent/${sessions}/wd_project_83153b7556b3/session_46a21780-7191-42c8-9984-a3842843110c/agents`

const recordings: readonly [name: string, stream: Stream, text: string][] = [
  ["what it prints", kimiStream, stdout],
  ["a session file", kimiSession, file],
  ["the file of a main agent", kimiSession, fixture(`${withChild}/main/wire.jsonl`)],
  ["the file of a sub-agent", kimiSession, fixture(`${withChild}/agent-0/wire.jsonl`)],
]

const lines = (...values: object[]): string => values.map((value) => JSON.stringify(value)).join("\n")

describe.each([
  ["what it prints", kimiStream, stdout],
  ["a session file", kimiSession, file],
] as const)("%s", (_, stream, text) => {
  const signals = readAll(stream, text)

  test("has two calls with their results", () => {
    expect(ofType(signals, "call").map(({ dialect, call }) => [dialect, call.tool, call.callId])).toEqual([
      ["kimi", "TodoList", "call_m0001"],
      ["kimi", "TodoList", "call_m0003"],
    ])
    expect(ofType(signals, "result").map(({ callId, ok }) => [callId, ok])).toEqual([
      ["call_m0001", true],
      ["call_m0003", true],
    ])
  })

  test("reports other work, texts and the end of the turn", () => {
    const doings = ofType(signals, "activity").map(({ kind, tool }) => tool ?? kind)
    expect(doings).toEqual(["prompt", "Bash", "text", "turn-ended"])
  })
})

describe("every recording", () => {
  test.each(recordings)("%s gives the same signals by its needles alone", (_, stream, text) => {
    expect(withoutActivity(readByNeedles(stream, text))).toEqual(withoutActivity(readAll(stream, text)))
  })

  test.each(recordings)("%s never throws when damaged", (_, stream, text) => readDamaged(stream, text))
})

test("what it prints names its version first and its session last", () => {
  const signals = readAll(kimiStream, stdout)
  const session = "session_438d8039-b05d-4b6d-b8dd-1eb669002648"
  expect(ofType(signals, "session")).toEqual([
    { type: "session", version: "2.1.0" },
    { type: "session", session },
  ])
})

test("a refused call differs from an accepted one by its text alone", () => {
  const call = { type: "function", id: "c", function: { name: "TodoList", arguments: '{"todos":[{}]}' } }
  const answer = (content: string) =>
    lines({ role: "assistant", tool_calls: [call] }, { role: "tool", tool_call_id: "c", content })
  const isOk = (content: string) => ofType(readAll(kimiStream, answer(content)), "result").map(({ ok }) => ok)
  expect(isOk('Invalid args for tool "TodoList": no')).toEqual([false])
  expect(["Todo list cleared.", "Todo list is empty.", "Current todo list:\n  [done] x"].map(isOk)).toEqual([
    [true],
    [true],
    [true],
  ])
})

describe("a session file", () => {
  const wire = (type: string, fields: object) => ({ type, agentId: "main", ...fields, time: 1 })
  const prompt = wire("turn.prompt", { origin: { kind: "user" } })
  const call = (id: string) =>
    wire("context.append_loop_event", {
      event: { type: "tool.call", toolCallId: id, name: "TodoList", args: { todos: [] } },
    })
  const result = (id: string, isError: boolean) =>
    wire("context.append_loop_event", {
      event: { type: "tool.result", toolCallId: id, result: { output: "…", isError } },
    })
  const stored = wire("tools.update_store", { key: "todo", value: [{ title: "Read", status: "done" }] })

  test("names the folder, the model and the tools", () => {
    const [about] = ofType(readAll(kimiSession, file), "session")
    expect(about).toMatchObject({ project: "/home/user/project", model: "mock" })
    expect(about?.tools).toContain("TodoList")
  })

  test("undoing turns takes their calls back", () => {
    const turns = [prompt, call("a"), result("a", false), prompt, call("b"), result("b", false), prompt, call("c")]
    const signals = readAll(kimiSession, lines(...turns, wire("context.undo", { count: 2 })))
    expect(ofType(signals, "rewound")).toEqual([{ type: "rewound", callIds: ["b", "c"] }])
    const again = readAll(kimiSession, lines(...turns, wire("context.undo", { count: 1 }), prompt, call("d")))
    expect(ofType(again, "rewound")).toEqual([{ type: "rewound", callIds: ["c"] }])
  })

  test("a stored list counts where no call stores it", () => {
    expect(ofType(readAll(kimiSession, lines(stored)), "snapshot")).toMatchObject([
      { dialect: "kimi", call: { input: { todos: [{ title: "Read", status: "done" }] } } },
    ])
    expect(ofType(readAll(kimiSession, lines(call("a"), stored, result("a", false))), "snapshot")).toEqual([])
    expect(ofType(readAll(kimiSession, lines(call("a"), result("a", true))), "result")[0]?.ok).toBe(false)
  })

  test("gives the reason of a turn that was interrupted or failed", () => {
    const ended = (reason: string, error?: object) => wire("turn.ended", { reason, ...(error ? { error } : {}) })
    const signals = readAll(kimiSession, lines(ended("cancelled"), ended("failed", { message: "No credit" })))
    expect(ofType(signals, "activity").map(({ error }) => error)).toEqual(["The turn was interrupted.", "No credit"])
  })

  test("reports what the person typed, also in the middle of a turn, and no other text for the model", () => {
    const typed = (kind: string, text: string) => ({ input: [{ type: "text", text }], origin: { kind } })
    const signals = readAll(
      kimiSession,
      lines(
        wire("turn.prompt", typed("user", "Build it")),
        wire("turn.steer", typed("user", "In red")),
        wire("turn.prompt", typed("system_trigger", "A job has ended")),
        wire("turn.prompt", { input: 7, origin: { kind: "user" } }),
      ),
    )
    expect(ofType(signals, "session").map(({ asked }) => asked)).toEqual(["Build it", "In red"])
  })

  test("asks for permission to carry out a plan by the title of the plan", () => {
    const display = { kind: "plan_review", plan: "# Move the shop\n\n1. Pack", path: "/p/plan.md" }
    const request = wire("interaction.request", { kind: "approval", request: { toolName: "ExitPlanMode", display } })
    expect(ofType(readAll(kimiSession, lines(request)), "activity")).toMatchObject([
      { kind: "waiting", waitsFor: { kind: "permission", text: "to carry out its plan: Move the shop" } },
    ])
  })

  test("names the sub-agent that it started, which has its own file", () => {
    const main = readAll(kimiSession, fixture(`${withChild}/main/wire.jsonl`))
    expect(ofType(main, "session").find(({ parent }) => parent)).toMatchObject({
      agent: "agent-0",
      parent: { agent: "main", callId: expect.stringContaining("call_") },
      title: "Look",
      role: "coder",
    })
    const own = readAll(kimiSession, fixture(`${withChild}/agent-0/wire.jsonl`))
    expect(new Set(ofType(own, "call").map(({ agent }) => agent))).toEqual(new Set(["agent-0"]))
  })
})

test("its hook gets a prompt in parts, and its answer is a message", () => {
  const text = readFileSync("test/fixtures/hooks/kimi-2.1.0/UserPromptSubmit.jsonl", "utf8")
  const event = readHookEvent(hooks, text)
  expect(event).toMatchObject({
    moment: "prompt",
    session: "session_991ade9a-21fe-48c6-91e7-fed975c0774c",
    cwd: "/home/ada/project",
    prompt: "Do the work.",
  })
  expect(event && hooks.answer(event, { context: "Ada added a todo." })).toEqual({ message: "Ada added a todo." })
  expect(event && hooks.answer(event, {})).toBeUndefined()
})
