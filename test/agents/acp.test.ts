import { describe, expect, test } from "vitest"
import { acp } from "../../src/agents/acp/updates.ts"
import { cursorStream } from "../../src/agents/cursor/stream.ts"
import { headwayEvents } from "../../src/agents/headway/events.ts"
import type { Stream } from "../../src/streams/stream.ts"
import { ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"

const text = (lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join("\n")
const read = (stream: Stream, ...lines: object[]) => readAll(stream, text(lines))

const entry = (content: string, status = "pending") => ({ content, priority: "medium", status })
const update = (update: object, sessionId = "s1") => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update },
})

describe("agent client protocol", () => {
  const plan = { sessionUpdate: "plan", entries: [entry("Read", "in_progress"), entry("Report")] }
  const conversation = [
    { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/p", mcpServers: [] } },
    { jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } },
    { jsonrpc: "2.0", id: 2, method: "session/prompt", params: { sessionId: "s1", prompt: [] } },
    update(plan),
    update({ sessionUpdate: "tool_call", toolCallId: "t", title: "Read README.md", kind: "read", status: "pending" }),
    { jsonrpc: "2.0", id: 9, method: "session/request_permission", params: { sessionId: "s1" } },
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "…" } }),
    { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } },
  ]

  test("a conversation becomes a session, calls and plans", () => {
    expect(read(acp, ...conversation)).toEqual([
      { type: "session", project: "/p" },
      { type: "session", session: "s1" },
      { type: "activity", agent: "main", kind: "prompt" },
      {
        type: "snapshot",
        agent: "main",
        dialect: "acp",
        call: { tool: "session/update", input: plan, session: "s1", agent: "main", observed: true },
      },
      { type: "activity", agent: "main", kind: "tool", tool: "Read README.md" },
      { type: "message", agent: "main", tool: "Read README.md", text: "" },
      { type: "activity", agent: "main", kind: "waiting", waitsFor: { kind: "permission" } },
      { type: "activity", agent: "main", kind: "text" },
      { type: "message", agent: "main", text: "…", isPart: true },
      { type: "activity", agent: "main", kind: "turn-ended" },
    ])
  })

  test("the parameters or the update alone are enough to read a line", () => {
    expect(withoutActivity(read(acp, { sessionId: "s1", update: plan }))).toEqual(
      withoutActivity(read(acp, update(plan))),
    )
    expect(read(acp, plan)).toMatchObject([{ type: "snapshot", call: { input: plan } }])
    expect([plan, { sessionId: "s", update: plan }, update(plan)].every((line) => acp.recognises(line))).toBe(true)
    expect(acp.recognises({ method: "turn/started", params: {} })).toBe(false)
  })

  test("several plans of the draft form one list, without those that were removed", () => {
    const first = { sessionUpdate: "plan_update", plan: { type: "items", planId: "1", entries: [entry("a")] } }
    const second = { sessionUpdate: "plan_update", plan: { type: "items", id: "2", entries: [entry("b")] } }
    const removed = (id: string) => ({ sessionUpdate: "plan_removed", planId: id })
    const lists = read(acp, ...[first, second, removed("1"), removed("2")].map((one) => update(one)))
    expect(ofType(lists, "snapshot").map(({ call }) => call.input)).toEqual([
      first,
      { sessionUpdate: "plan", entries: [entry("a"), entry("b")] },
      second,
      { sessionUpdate: "plan", entries: [] },
    ])
  })

  test("a plan in a file is a problem", () => {
    const inFile = { sessionUpdate: "plan_update", plan: { type: "file", planId: "1", uri: "file:///p/plan.md" } }
    expect(ofType(read(acp, update(inFile)), "problem")).toHaveLength(1)
  })

  test("a second session is another agent; Cursor's own method is Cursor's dialect", () => {
    const params = { sessionId: "s2", toolCallId: "c", merge: true, todos: [{ id: "1", status: "completed" }] }
    const signals = read(acp, update(plan), { id: 5, method: "cursor/update_todos", params })
    expect(signals.at(-1)).toMatchObject({
      type: "call",
      agent: "s2",
      dialect: "cursor",
      call: { tool: "todo_write", callId: "c", input: { merge: true, todos: params.todos } },
    })
  })

  test("damaged lines do not throw", () => readDamaged(acp, text(conversation)))
})

describe("headway events", () => {
  const line = {
    type: "todo_list",
    eventId: "e1",
    agentId: "main",
    agentType: "claude-code",
    timestamp: 1_794_768_640_000,
    todoId: "t1",
    items: [{ text: "Read", status: "completed" }],
  }

  test("a line is the whole list of its agent (A2)", () => {
    expect(read(headwayEvents, line)).toEqual([
      { type: "session", agent: "main" },
      {
        type: "snapshot",
        agent: "main",
        dialect: "headway",
        call: {
          tool: "todo",
          input: { todos: [{ content: "Read", status: "completed" }], replace: true },
          agent: "main",
          at: "2026-11-15T18:50:40.000Z",
          callId: "e1",
          observed: true,
        },
      },
    ])
  })

  test("an empty list clears the plan (A5); other lines are ignored", () => {
    const signals = read(headwayEvents, { ...line, items: [] }, { type: "other" }, { ...line, agentId: "a2" })
    expect(ofType(signals, "snapshot").map(({ agent, call }) => [agent, call.input])).toMatchObject([
      ["main", { todos: [], replace: true }],
      ["a2", { todos: [{ content: "Read" }] }],
    ])
  })

  test("its lines are recognised; damaged lines do not throw", () => {
    expect(headwayEvents.recognises(line)).toBe(true)
    expect(headwayEvents.recognises({ type: "item.started", item: { type: "todo_list" } })).toBe(false)
    readDamaged(headwayEvents, text([line, line]))
  })
})

describe("cursor stream-json", () => {
  const todos = [
    { id: "1", content: "Read", status: "TODO_STATUS_COMPLETED" },
    { id: "2", content: "Report", status: "TODO_STATUS_PENDING" },
  ]
  const args = { merge: true, todos: [{ id: "1", status: "TODO_STATUS_COMPLETED" }] }
  const call = (subtype: string, call_id: string, body: object) => ({
    type: "tool_call",
    subtype,
    call_id,
    tool_call: { updateTodosToolCall: body },
    session_id: "s1",
    timestamp_ms: 1_794_768_640_000,
  })
  const lines = [
    { type: "system", subtype: "init", apiKeySource: "login", cwd: "/p", session_id: "s1", model: "Auto" },
    { type: "user", message: {}, session_id: "s1" },
    {
      type: "tool_call",
      subtype: "started",
      call_id: "r",
      tool_call: { readToolCall: { args: {} } },
      session_id: "s1",
    },
    call("started", "a", { args }),
    call("completed", "a", { args, result: { success: { todos, wasMerge: true } } }),
    call("completed", "b", { args: { merge: false, todos }, result: { error: { error: "no" } } }),
    { type: "result", subtype: "success", session_id: "s1" },
  ]

  test("gives a call, its result, and the list after a merge", () => {
    const signals = read(cursorStream, ...lines).filter(({ type }) => type !== "message")
    expect(signals.map(({ type }) => type)).toEqual([
      "session",
      "activity",
      "activity",
      "call",
      "result",
      "snapshot",
      "call",
      "result",
      "activity",
    ])
    expect(signals[0]).toEqual({ type: "session", session: "s1", project: "/p", model: "Auto" })
    expect(signals[2]).toMatchObject({ kind: "tool", tool: "readToolCall" })
    expect(signals[3]).toMatchObject({
      dialect: "cursor",
      call: { tool: "updateTodosToolCall", input: args, callId: "a", at: "2026-11-15T18:50:40.000Z", observed: true },
    })
    expect(signals[5]).toMatchObject({ type: "snapshot", call: { input: { merge: false, todos } } })
    expect(ofType(signals, "result").map(({ callId, ok }) => [callId, ok])).toEqual([
      ["a", true],
      ["b", false],
    ])
  })

  test("is distinguished from a stream that begins alike; its needles suffice; damaged lines do not throw", () => {
    expect(lines.slice(0, 1).every((line) => cursorStream.recognises(line))).toBe(true)
    expect(cursorStream.recognises({ type: "system", subtype: "init", apiKeySource: "none", tools: [] })).toBe(false)
    expect(withoutActivity(readByNeedles(cursorStream, text(lines)))).toEqual(
      withoutActivity(read(cursorStream, ...lines)),
    )
    readDamaged(cursorStream, text(lines))
  })
})
