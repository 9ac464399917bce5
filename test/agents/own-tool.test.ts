/** Headway's own tool in other agents' sessions: under every client's name for it, with the ids its replies gave. */
import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { ownTool } from "../../src/agents/own-tool.ts"
import { observeBytes } from "../contracts/stream.ts"

test.each([
  ["mcp__headway__todo", "headway", "todo"],
  ["mcp__plugin_headway_headway__todo", "headway", "todo"],
  ["mcp__headway.todo", "headway", "todo"],
  ["mcp_headway_todo", "headway", "todo"],
  ["mcp__headway_todo", "headway", "todo"],
  ["headway_todo", "headway", "todo"],
  ["headway.todo", "headway", "todo"],
  ["mcp__headway__TodoWrite", "claude-todos", "TodoWrite"],
  ["mcp__headway__todo_write", "oh-my-pi", "todo_write"],
])("%s is the tool of %s", (name, dialect, tool) => {
  expect(ownTool(name)).toEqual({ dialect, tool })
})

test.each([
  "todo",
  "mcp__other__todo",
  "mcp__headway__",
  "headway",
  "myheadway_todo",
  "mcp__headway__rm",
  undefined,
  7,
])("%s is not our tool", (name) => {
  expect(ownTool(name)).toBeUndefined()
})

const ompSession =
  "home/.omp/agent/sessions/-home-user-project/2026-11-16T15-27-54-038Z_01a1e4f8-d0b6-77d9-a0d8-78b4a1a96401"

const lines = (...values: object[]): Uint8Array =>
  new TextEncoder().encode(values.map((value) => `${JSON.stringify(value)}\n`).join(""))

const plan = [{ content: "Read", status: "in_progress" }, { content: "Write" }]

const listIn = (bytes: Uint8Array, agent = "main"): string[] =>
  observeBytes(bytes, 65_536)
    .agents.get(agent)
    ?.plan?.todos.map(({ id, status, content }) => `${id} ${status} ${content}`) ?? []

describe("a call is read with its reply", () => {
  const common = { session_id: "s", uuid: "u", parent_tool_use_id: null }
  const call = (id: string, input: unknown) => ({
    ...common,
    type: "assistant",
    message: { role: "assistant", content: [{ type: "tool_use", id, name: "mcp__headway__todo", input }] },
  })
  const reply = (id: string, content: unknown, more: object = {}) => ({
    ...common,
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content, ...more }] },
  })
  const init = { ...common, type: "system", subtype: "init", tools: ["mcp__headway__todo"] }

  test("as text: new todos have the ids it names", () => {
    const text = "+ 7 Read [in_progress]\n+ 9 Write\n0/2 done, next: 7 Read"
    const done = call("b", { todos: [{ id: "7", status: "completed" }] })
    expect(listIn(lines(init, call("a", { todos: plan }), reply("a", text), done))).toEqual([
      "7 completed Read",
      "9 pending Write",
    ])
  })

  test("as JSON: equal texts have their ids in order", () => {
    const todos = [
      { id: "4", content: "Test", status: "pending" },
      { id: "6", content: "Test", status: "pending" },
    ]
    const text = JSON.stringify({ text: "+ 4 Test\n+ 6 Test", todos, progress: { completed: 0, total: 2, percent: 0 } })
    const twice = { todos: [{ content: "Test" }, { content: "Test" }], replace: true }
    expect(listIn(lines(init, call("a", twice), reply("a", text)))).toEqual(["4 pending Test", "6 pending Test"])
  })

  test("the reply to a call that only reads is the whole list", () => {
    const text = "#2 [blocked] Deploy (no access)\n#3 [pending] Rest"
    expect(listIn(lines(init, call("a", {}), reply("a", text)))).toEqual([
      "2 blocked Deploy (no access)",
      "3 pending Rest",
    ])
  })

  test("the reply to a call with plain text names the todos that were made of it, beside those before", () => {
    const first = [call("a", { todos: [{ content: "Rest" }] }), reply("a", "+ 1 Rest")]
    const words = [call("b", { todos: "Read\nWrite" }), reply("b", "+ 2 Read\n+ 3 Write\n0/3 done, next: 1 Rest")]
    expect(listIn(lines(init, ...first, ...words))).toEqual(["1 pending Rest", "2 pending Read", "3 pending Write"])
  })

  test("a refused call changes nothing", () => {
    const refused = reply("b", "denied", { is_error: true })
    const bytes = lines(
      init,
      call("a", { todos: plan }),
      reply("a", "0/2 done, next: 1 Read"),
      call("b", { todos: [], replace: true }),
      refused,
    )
    expect(listIn(bytes)).toEqual(["1 in_progress Read", "2 pending Write"])
  })
})

describe("Codex", () => {
  const item = (payload: object) => ({ timestamp: "2026-11-16T02:00:46Z", type: "response_item", payload })
  const meta = { timestamp: "2026-11-16T02:00:46Z", type: "session_meta", payload: { id: "s", cwd: "/p" } }

  test('names the server next to the tool, and a reply may contain "blocked"', () => {
    const input = JSON.stringify({ todos: [{ content: "Deploy", status: "blocked", reason: "no access" }] })
    const made = { type: "function_call", name: "todo", namespace: "mcp__headway", arguments: input, call_id: "a" }
    const output = "Wall time: 0.01 seconds\nOutput:\n+ 1 Deploy [blocked]\n0/1 done."
    const answered = { type: "function_call_output", call_id: "a", output }
    expect(listIn(lines(meta, item(made), item(answered)))).toEqual(["1 blocked Deploy"])
  })

  test.each([
    'await tools.mcp__headway__todo({ todos: [{ content: "Read", status: "in_progress" }] })',
    'await tools["mcp__headway.todo"]({ todos: [{ content: "Read", status: "in_progress" }] })',
  ])("calls it from a program: %s", (input) => {
    const made = { type: "custom_tool_call", name: "exec", input, call_id: "a" }
    expect(listIn(lines(meta, item(made)))).toEqual(["1 in_progress Read"])
  })

  test("its app server reports the start and the end of a call", () => {
    const mcp = { type: "mcpToolCall", id: "i1", server: "headway", tool: "todo", arguments: { todos: plan } }
    const event = (method: string, more: object) => ({ method, params: { threadId: "t", item: { ...mcp, ...more } } })
    const result = { content: [{ type: "text", text: "+ 5 Read [in_progress]\n+ 6 Write\n0/2 done, next: 5 Read" }] }
    const bytes = lines(
      { method: "thread/started", params: { thread: { id: "t", cwd: "/p" } } },
      event("item/started", { status: "inProgress" }),
      event("item/completed", { status: "completed", result }),
    )
    expect(listIn(bytes)).toEqual(["5 in_progress Read", "6 pending Write"])
  })
})

test("over the Agent Client Protocol the input may come with a later update", () => {
  const update = (more: object) => ({ method: "session/update", params: { sessionId: "s", update: more } })
  const bytes = lines(
    { method: "session/new", params: { cwd: "/p" } },
    update({ sessionUpdate: "tool_call", toolCallId: "c", title: "headway_todo", status: "pending", rawInput: {} }),
    update({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "in_progress", rawInput: { todos: plan } }),
    update({
      sessionUpdate: "tool_call_update",
      toolCallId: "c",
      status: "completed",
      rawOutput: { output: "+ 3 Read\n+ 4 Write" },
    }),
  )
  expect(listIn(bytes)).toEqual(["3 in_progress Read", "4 pending Write"])
})

test("oh-my-pi reports the start and the end of a call", () => {
  const event = (type: string, more: object) => ({ type, toolCallId: "c", toolName: "mcp__headway_todo", ...more })
  const result = { content: [{ type: "text", text: "+ 3 Read [in_progress]\n+ 4 Write\n0/2 done, next: 3 Read" }] }
  const bytes = lines(
    { type: "session", id: "s", cwd: "/p" },
    { type: "agent_start" },
    event("tool_execution_start", { args: { todos: plan } }),
    event("tool_execution_end", { result }),
  )
  expect(listIn(bytes)).toEqual(["3 in_progress Read", "4 pending Write"])
})

test.each([
  ["stdout.jsonl", ["1 in_progress Read the notes", "2 pending Write the report"]],
  [`${ompSession}.jsonl`, ["1 in_progress Read the notes", "2 pending Write the report"]],
  [`${ompSession}/Look.jsonl`, ["1 in_progress Climb up"]],
])("oh-my-pi's model writes to a device that has the name of our tool (%s)", (file, list) => {
  expect(listIn(readFileSync(`test/fixtures/streams/omp-18.2.3/headway-device/${file}`))).toEqual(list)
})

test("a file that oh-my-pi's model writes is not a call of our tool", () => {
  const event = (type: string, toolCallId: string, more: object) => ({ type, toolCallId, toolName: "write", ...more })
  const written = (id: string, path: string, content: string) => [
    event("tool_execution_start", id, { args: { path, content }, intent: "Keep the plan" }),
    event("tool_execution_end", id, { result: { content: [{ type: "text", text: "Read xd://." }] } }),
  ]
  const bytes = lines(
    { type: "session", id: "s", cwd: "/p" },
    { type: "agent_start" },
    ...written("a", "xd://mcp__headway_todo", JSON.stringify({ todos: plan })),
    ...written("b", "notes/mcp__headway_todo", JSON.stringify({ todos: [{ content: "Not a todo" }] })),
    ...written("c", "xd://mcp__other_todo", JSON.stringify({ todos: [{ content: "Not ours" }] })),
  )
  expect(listIn(bytes).map((line) => line.replace(/^\S+ /, ""))).toEqual(["in_progress Read", "pending Write"])
})

test("Qwen Code keeps calls and replies as parts", () => {
  const line = (type: string, parts: object[]) => ({
    sessionId: "s",
    parentUuid: null,
    cwd: "/p",
    type,
    provenance: "model",
    message: { parts },
  })
  const bytes = lines(
    line("assistant", [{ functionCall: { id: "c", name: "mcp__headway__todo", args: { todos: plan } } }]),
    line("tool_result", [{ functionResponse: { id: "c", response: { output: "+ 3 Read [in_progress]\n+ 4 Write" } } }]),
  )
  expect(listIn(bytes)).toEqual(["3 in_progress Read", "4 pending Write"])
})
