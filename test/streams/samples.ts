/** For every format a few genuine lines, and a way to say one more list in it. */

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { StreamId } from "../agents/loaded.ts"

export type Sample = {
  lines: readonly string[]
  /** A line that says a list of one todo. */
  list: (text: string) => object
}

export const captures = fileURLToPath(new URL("../fixtures/streams/", import.meta.url))

/** The lines of the first file under a folder of the captures whose path ends so. */
const linesOf = (folder: string, ending = "stdout.jsonl"): string[] => {
  const paths = readdirSync(join(captures, folder), { recursive: true, encoding: "utf8" }).toSorted()
  const path = paths.find((one) => one.endsWith(ending)) ?? ending
  return readFileSync(join(captures, folder, path), "utf8")
    .split("\n")
    .filter(Boolean)
}

const at = "2026-11-15T18:50:00.000Z"
const todo = (content: string) => ({ content, status: "pending" })
const phases = (text: string) => ({ phases: [{ name: "Work", tasks: [todo(text)] }], storage: "session" })
const piTodos = (text: string) => ({ action: "add", todos: [{ id: 1, text, done: false }], nextId: 2 })
const toolUse = (name: string, input: object) => ({
  type: "assistant",
  message: { id: "msg_last", role: "assistant", content: [{ type: "tool_use", id: "toolu_last", name, input }] },
  parent_tool_use_id: null,
  session_id: "s",
  uuid: "u",
})
const written = (lines: readonly object[]): string[] => lines.map((line) => JSON.stringify(line))

const acpPlan = (text: string) => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "s1", update: { sessionUpdate: "plan", entries: [{ ...todo(text), priority: "high" }] } },
})
const plan = (text: string) => ({
  method: "turn/plan/updated",
  params: { threadId: "t1", turnId: "1", plan: [{ step: text, status: "inProgress" }] },
})
const cursorCall = (text: string, subtype = "started") => ({
  type: "tool_call",
  subtype,
  call_id: `call_${text}`,
  tool_call: {
    updateTodosToolCall: {
      args: { merge: false, todos: [{ id: "1", content: text, status: "TODO_STATUS_PENDING" }] },
      ...(subtype === "completed" ? { result: { success: {} } } : {}),
    },
  },
  session_id: "s1",
})
/** The records of a chat as clients kept them before they wrote lines. */
const geminiDocument = (lines: readonly string[]) => {
  const [header, ...records] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  return { ...header, messages: records.filter(({ id }) => id !== undefined) }
}
const geminiRecord = (text: string) => ({
  id: "last",
  timestamp: at,
  type: "gemini",
  content: "",
  toolCalls: [
    {
      id: "write_todos_last",
      name: "write_todos",
      args: { todos: [{ description: text, status: "pending" }] },
      status: "success",
    },
  ],
})
const opencodeExport = (text: string) => ({
  info: { id: "ses_1", title: "Read", directory: "/p", version: "1.18.33" },
  messages: [
    { info: { id: "msg_1", role: "user", sessionID: "ses_1", time: { created: 1 } }, parts: [] },
    {
      info: { id: "msg_2", role: "assistant", sessionID: "ses_1", time: { created: 2, completed: 3 }, finish: "stop" },
      parts: [
        {
          type: "tool",
          tool: "todowrite",
          callID: `call ${text}`,
          state: { status: "completed", input: { todos: [todo(text)] }, output: "[]", time: { start: 2, end: 3 } },
        },
      ],
    },
  ],
})
const trajectory = (text: string) => ({
  schema_version: "ATIF-v1.7",
  session_id: "s1",
  agent: { name: "claude-code", version: "2.1.197", model_name: "m" },
  steps: [
    { step_id: 1, timestamp: at, source: "user", message: "Go" },
    {
      step_id: 2,
      timestamp: at,
      source: "agent",
      message: "",
      tool_calls: [{ tool_call_id: `call ${text}`, function_name: "TodoWrite", arguments: { todos: [todo(text)] } }],
      observation: { results: [{ source_call_id: `call ${text}`, content: "Todos have been modified" }] },
    },
  ],
})
const continueSession = (text: string) => ({
  sessionId: "s1",
  title: "Read",
  workspaceDirectory: "/p",
  history: [
    { message: { role: "user", content: "Go" } },
    {
      message: { role: "assistant", content: "" },
      toolCallStates: [
        {
          toolCallId: `call ${text}`,
          toolCall: { type: "function", function: { name: "Checklist", arguments: "{}" } },
          status: "done",
          parsedArgs: { checklist: `- [ ] ${text}` },
          output: [{ content: "Task list status" }],
        },
      ],
    },
  ],
})
const clineMessages = (text: string) => ({
  version: 1,
  agent: "lead",
  sessionId: "s1",
  origin: { source: "cli", version: "3.0.65" },
  messages: [
    { role: "user", content: [{ type: "text", text: "Go" }], ts: 1 },
    {
      role: "assistant",
      content: [{ type: "tool_use", id: "c1", name: "team_task", input: { action: "create", title: text } }],
      ts: 2,
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "c1",
          content: '{"action":"create","taskId":"task_0001","status":"pending"}',
        },
      ],
      ts: 3,
    },
  ],
})
const opencodeCall = (text: string, more: object = {}) => ({
  type: "tool_use",
  timestamp: 1,
  sessionID: "ses_1",
  part: {
    type: "tool",
    tool: "todowrite",
    callID: "last",
    state: { status: "completed", input: {}, metadata: { todos: [{ ...todo(text), priority: "high" }], ...more } },
  },
})
const grokCall = (text: string) => ({
  toolCallId: "last",
  title: "todo_write",
  rawInput: { todos: [{ id: "1", ...todo(text) }], merge: false },
})
const event = (text: string) => ({
  type: "todo_list",
  eventId: `event ${text}`,
  agentId: "main",
  agentType: "claude-code",
  timestamp: 1_794_768_640_000,
  todoId: "main/1",
  items: [{ text, status: "pending" }],
})

export const samples: Record<StreamId, Sample> = {
  "claude-stream": {
    lines: linesOf("claude-2.1.197/subagents-todowrite"),
    list: (text) => toolUse("TodoWrite", { todos: [{ ...todo(text), activeForm: "Working" }] }),
  },
  "claude-transcript": {
    lines: linesOf("claude-2.1.197/todowrite/home", ".jsonl"),
    list: (text) => ({
      ...toolUse("TodoWrite", { todos: [todo(text)] }),
      isSidechain: false,
      sessionId: "s",
      parentUuid: null,
      timestamp: at,
    }),
  },
  "codex-exec": {
    lines: linesOf("codex-0.166.0/plan"),
    list: (text) => ({
      type: "item.updated",
      item: { id: "item_9", type: "todo_list", items: [{ text, completed: false }] },
    }),
  },
  "codex-rollout": {
    lines: linesOf("codex-0.166.0/plan/home", ".jsonl"),
    list: (text) => ({
      timestamp: at,
      type: "response_item",
      payload: {
        type: "function_call",
        name: "update_plan",
        arguments: JSON.stringify({ plan: [{ step: text, status: "pending" }] }),
        call_id: "call_last",
      },
    }),
  },
  "codex-app-server": {
    lines: written([
      { id: 1, result: { thread: { id: "t1", cwd: "/p" }, model: "m" } },
      { method: "turn/started", params: { threadId: "t1", turn: { id: "1" } } },
      plan("Read"),
      { method: "item/started", params: { threadId: "t1", item: { type: "commandExecution", command: "ls" } } },
      { method: "turn/completed", params: { threadId: "t1" } },
    ]),
    list: plan,
  },
  "gemini-stream": {
    lines: linesOf("gemini-0.61.0/write-todos"),
    list: (text) => ({
      type: "tool_use",
      timestamp: at,
      tool_name: "write_todos",
      tool_id: "write_todos_last",
      parameters: { todos: [{ description: text, status: "pending" }] },
    }),
  },
  "gemini-chat": {
    lines: linesOf("gemini-0.61.0/write-todos/home", ".jsonl"),
    list: geminiRecord,
  },
  "gemini-document": {
    lines: written([geminiDocument(linesOf("gemini-0.61.0/write-todos/home", ".jsonl"))]),
    list: (text) => ({ sessionId: "s", projectHash: "h", messages: [geminiRecord(text)] }),
  },
  "opencode-run": {
    lines: linesOf("opencode-1.18.33/todos"),
    list: (text) => opencodeCall(text),
  },
  "kilo-run": {
    lines: linesOf("kilo-7.7.7/todowrite"),
    list: (text) => opencodeCall(text, { approval: { source: "agent" } }),
  },
  "opencode-events": {
    lines: linesOf("opencode-1.18.33/serve", "events-todo.txt"),
    list: (text) => ({ type: "todo.updated", properties: { sessionID: "ses_1", todos: [todo(text)] } }),
  },
  "opencode-export": { lines: written([opencodeExport("Read")]), list: opencodeExport },
  "copilot-events": {
    lines: linesOf("copilot-1.0.102/sql-todos"),
    list: (text) => ({
      type: "tool.execution_start",
      data: {
        toolCallId: "last",
        toolName: "sql",
        arguments: { query: `DELETE FROM todos; INSERT INTO todos (id, title) VALUES ('last', '${text}')` },
      },
      id: "last",
      timestamp: at,
      parentId: null,
    }),
  },
  "oh-my-pi-json": {
    lines: linesOf("omp-18.2.3/todos"),
    list: (text) => ({
      type: "tool_execution_end",
      toolCallId: "last",
      toolName: "todo",
      result: { details: phases(text) },
    }),
  },
  "oh-my-pi-session": {
    lines: linesOf("omp-18.2.3/todos/home", ".jsonl"),
    list: (text) => ({
      type: "message",
      id: "last",
      parentId: null,
      timestamp: at,
      message: { role: "toolResult", toolCallId: "last", toolName: "todo", details: phases(text) },
    }),
  },
  "pi-json": {
    lines: linesOf("pi-0.74.2/todo-extension"),
    list: (text) => ({
      type: "tool_execution_end",
      toolCallId: "last",
      toolName: "todo",
      result: { details: piTodos(text) },
    }),
  },
  "pi-session": {
    lines: linesOf("pi-0.74.2/todo-extension/home", ".jsonl"),
    list: (text) => ({
      type: "message",
      id: "last",
      parentId: null,
      timestamp: at,
      message: { role: "toolResult", toolCallId: "last", toolName: "todo", details: piTodos(text) },
    }),
  },
  "qwen-stream": {
    lines: linesOf("qwen-0.24.4/todos"),
    list: (text) => toolUse("todo_write", { todos: [{ id: "1", ...todo(text) }] }),
  },
  "qwen-chat": {
    lines: linesOf("qwen-0.24.4/todos/home", ".jsonl"),
    list: (text) => ({
      uuid: "u",
      parentUuid: null,
      sessionId: "s",
      timestamp: at,
      type: "assistant",
      provenance: "assistant_output",
      message: {
        role: "model",
        parts: [{ functionCall: { id: "last", name: "todo_write", args: { todos: [{ id: "1", ...todo(text) }] } } }],
      },
    }),
  },
  "kimi-stream": {
    lines: linesOf("kimi-2.1.0/todolist"),
    list: (text) => ({
      role: "assistant",
      tool_calls: [
        {
          type: "function",
          id: "last",
          function: { name: "TodoList", arguments: JSON.stringify({ todos: [{ title: text, status: "pending" }] }) },
        },
      ],
    }),
  },
  "kimi-session": {
    lines: linesOf("kimi-2.1.0/todolist/home", "wire.jsonl"),
    list: (text) => ({
      type: "context.append_loop_event",
      agentId: "main",
      event: {
        type: "tool.call",
        toolCallId: "last",
        name: "TodoList",
        args: { todos: [{ title: text, status: "pending" }] },
      },
      time: 1_794_798_236_000,
    }),
  },
  "grok-json": {
    lines: linesOf("grok-1.0.41/todo-write-acp"),
    list: (text) => ({ type: "tool_call", toolName: "todo_write", ...grokCall(text) }),
  },
  "grok-stream": {
    lines: linesOf("grok-1.0.41/todo-write-messages"),
    list: (text) => toolUse("todo_write", { todos: [{ id: "1", ...todo(text) }], merge: false }),
  },
  "grok-session": {
    lines: linesOf("grok-1.0.41/todo-write-acp/home", "updates.jsonl"),
    list: (text) => ({
      timestamp: 1_794_798_715,
      method: "session/update",
      params: {
        sessionId: "s1",
        update: { sessionUpdate: "tool_call", ...grokCall(text) },
        _meta: { agentTimestampMs: 1_794_798_715_000 },
      },
    }),
  },
  "cursor-stream": {
    lines: written([
      { type: "system", subtype: "init", apiKeySource: "login", cwd: "/p", session_id: "s1", model: "Auto" },
      cursorCall("Read"),
      cursorCall("Read", "completed"),
      { type: "result", subtype: "success", session_id: "s1" },
    ]),
    list: (text) => cursorCall(text),
  },
  acp: {
    lines: written([
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/p", mcpServers: [] } },
      { jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } },
      acpPlan("Read"),
      { jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } },
    ]),
    list: acpPlan,
  },
  "continue-session": { lines: written([continueSession("Read")]), list: continueSession },
  "cline-stream": {
    lines: linesOf("cline-3.0.65/team-and-own-tool").filter((line) => !line.includes("task_0002")),
    list: (text) => ({
      ts: at,
      type: "team_event",
      event: { type: "team_task_updated", task: { id: "task_0001", title: text, status: "pending", createdBy: "s1" } },
    }),
  },
  "cline-session": { lines: written([clineMessages("Read")]), list: clineMessages },
  atif: { lines: written([trajectory("Read")]), list: trajectory },
  "headway-events": { lines: written([event("Read"), event("Run")]), list: event },
}
