/** Writes made-up sessions in every format: lists, their results, snapshots and rewinds, as lines. */
import type { StreamId } from "../agents/loaded.ts"

export type WrittenList = {
  id: string
  /** Items with `content` and `status`, or whatever else stands where a list should be. */
  todos: unknown
  merge: boolean
  /** In seconds since the first line. */
  at: number
}

type Line = object

export type Writer = {
  /** The lines a session begins with. */
  start?: readonly Line[]
  list: (list: WrittenList) => Line[]
  /** Absent where a list is accepted as soon as it is printed. */
  result?: (list: WrittenList, isAccepted: boolean, at: number) => Line[]
  /** The whole list, said beside the calls. */
  snapshot?: (list: WrittenList) => Line[]
  /** Takes back what came since the list with this id. */
  rewind?: (id: string) => Line[]
}

const timeOf = (at: number): string => new Date(Date.UTC(2030, 0, 1) + at * 1000).toISOString()

/** The items under other names, where there are items. */
const items = (todos: unknown, write: (item: Record<string, unknown>) => unknown): unknown =>
  Array.isArray(todos) ? todos.map((item) => write(item as Record<string, unknown>)) : todos

const renamed =
  (text: string) =>
  ({ content, ...rest }: Record<string, unknown>): unknown =>
    content === undefined ? rest : { [text]: content, ...rest }

const phases = (todos: unknown): object => ({ phases: Array.isArray(todos) ? [{ name: "Work", tasks: todos }] : todos })

const piTodos = (todos: unknown): object => ({
  todos: items(todos, ({ id, content, status }) => ({ id, text: content, done: status === "completed" })),
  nextId: 9,
})

const toolUse = (name: string, id: string, input: object): Line => ({
  type: "assistant",
  message: { id: `msg_${id}`, role: "assistant", content: [{ type: "tool_use", id, name, input }] },
  parent_tool_use_id: null,
  session_id: "s",
  uuid: `u-${id}`,
})

const toolResult = (id: string, isAccepted: boolean): Line => ({
  type: "user",
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: "…", ...(isAccepted ? {} : { is_error: true }) }],
  },
  parent_tool_use_id: null,
  session_id: "s",
  uuid: `r-${id}`,
})

const transcript = (line: Line, at: number): Line => {
  const { session_id: _, parent_tool_use_id: __, ...rest } = line as Record<string, unknown>
  return { parentUuid: "p", isSidechain: false, ...rest, sessionId: "s", version: "2.1.120", timestamp: timeOf(at) }
}

const claudeStart = (version: string): Line => ({
  ...transcript({ type: "user", message: { role: "user", content: "Go" }, uuid: "u" }, 0),
  parentUuid: null,
  version,
})

const rollout = (payload: object, at = 0, type = "response_item"): Line => ({ timestamp: timeOf(at), type, payload })

const geminiRecord = ({ id, todos, at }: WrittenList, status: string): Line => ({
  id: `record-${id}`,
  timestamp: timeOf(at),
  type: "gemini",
  content: "",
  toolCalls: [
    { id, name: "write_todos", args: { todos: items(todos, renamed("description")) }, status, timestamp: timeOf(at) },
  ],
})

const qwenLine = (line: object, at: number): Line => ({
  uuid: "u",
  parentUuid: "p",
  sessionId: "s",
  timestamp: timeOf(at),
  provenance: "assistant_output",
  version: "0.24.4",
  ...line,
})

const wire = (at: number, type: string, fields: object): Line => ({
  type,
  agentId: "main",
  ...fields,
  time: Date.parse(timeOf(at)),
})

const opencodeRun = (more: object): Writer => ({
  list: ({ id, todos, merge, at }) => [
    {
      type: "tool_use",
      timestamp: Date.parse(timeOf(at)),
      sessionID: "s",
      part: {
        type: "tool",
        tool: "todowrite",
        callID: id,
        state: { status: merge ? "error" : "completed", input: { todos }, ...more },
      },
    },
  ],
})

const copilotEvent = (at: number, type: string, data: object): Line => ({
  type,
  data,
  id: `${type}-${at}`,
  timestamp: timeOf(at),
  parentId: null,
})

const quoted = (value: unknown): string => (value === undefined ? "NULL" : `'${String(value).replaceAll("'", "''")}'`)

/** The list in place of the one before, or rows that are added or changed. */
const sqlFor = (todos: unknown, merge: boolean): string => {
  const rows = (Array.isArray(todos) ? todos : []).map((item, index) => {
    const { id = `t${index}`, content, status } = (item ?? {}) as Record<string, unknown>
    return `INSERT OR REPLACE INTO todos (id, title, status) VALUES (${[id, content, status].map(quoted).join(", ")})`
  })
  return [...(merge ? [] : ["DELETE FROM todos"]), ...rows].join("; ")
}

const grokUpdate = (at: number, sessionUpdate: string, update: object): Line => ({
  timestamp: Math.floor(Date.parse(timeOf(at)) / 1000),
  method: "session/update",
  params: { sessionId: "s", update: { sessionUpdate, ...update }, _meta: { agentTimestampMs: Date.parse(timeOf(at)) } },
})

const grokOutcome = (isAccepted: boolean): object =>
  isAccepted ? { status: "completed", rawOutput: { type: "Todo", TodosUpdated: {} } } : { status: "failed" }

const cursorCall = ({ id, todos, merge, at }: WrittenList, completed?: object): Line => ({
  type: "tool_call",
  subtype: completed ? "completed" : "started",
  call_id: id,
  timestamp_ms: Date.parse(timeOf(at)),
  tool_call: { updateTodosToolCall: { args: { merge, todos }, ...(completed ? { result: completed } : {}) } },
  session_id: "s",
})

const claudeTranscript = (version: string): Writer => ({
  start: [claudeStart(version)],
  list: ({ id, todos, at }) => [{ ...transcript(toolUse("TodoWrite", id, { todos }), at), version }],
  result: ({ id }, isAccepted, at) => [{ ...transcript(toolResult(id, isAccepted), at), version }],
  snapshot: ({ todos, at }) => [
    { ...transcript({ type: "attachment", attachment: { type: "todo_reminder", content: todos } }, at), version },
  ],
})

/** Lists that are sent whole, and in place of merges tasks that are created and updated one by one. */
const claudeTasks: Writer = {
  ...claudeTranscript("2.1.120"),
  list: ({ id, todos, merge, at }) => {
    const [first] = Array.isArray(todos) ? todos : []
    if (!merge) return [transcript(toolUse("TodoWrite", id, { todos }), at)]
    const { content, status } = (first ?? {}) as Record<string, unknown>
    const isNew = content !== undefined && status === "pending"
    const input = isNew ? { subject: content, description: "" } : { taskId: "1", status }
    return [transcript(toolUse(isNew ? "TaskCreate" : "TaskUpdate", id, input), at)]
  },
  result: ({ id }, isAccepted, at) => [
    { ...transcript(toolResult(id, isAccepted), at), toolUseResult: { task: { id: id.replace(/\D/g, "") } } },
  ],
}

/** Formats that are one document, and have no lines. */
type DocumentId = "gemini-document" | "opencode-export" | "continue-session" | "cline-session" | "atif"

/** By format of lines, and by what versions of it print differently. */
export const writers: Record<Exclude<StreamId, DocumentId>, Writer> & Record<string, Writer> = {
  "claude-stream": {
    list: ({ id, todos }) => [toolUse("TodoWrite", id, { todos })],
    result: ({ id }, isAccepted) => [toolResult(id, isAccepted)],
  },
  "claude-transcript": claudeTranscript("2.1.120"),
  "claude-transcript, before sub-agents had files": claudeTranscript("1.0.80"),
  "claude-transcript, with tasks": claudeTasks,
  "codex-exec": {
    start: [{ type: "thread.started", thread_id: "s" }],
    list: ({ id, todos }) => [
      { type: "item.updated", item: { id, type: "todo_list", items: items(todos, renamed("text")) } },
    ],
  },
  "codex-rollout": {
    start: [rollout({ id: "s", cwd: "/p", cli_version: "0.166.0" }, 0, "session_meta")],
    list: ({ id, todos, at }) => [
      rollout({ turn_id: `turn-${id}`, model: "m" }, at, "turn_context"),
      rollout(
        {
          type: "function_call",
          name: "update_plan",
          arguments: JSON.stringify({ plan: items(todos, renamed("step")) }),
          call_id: id,
        },
        at,
      ),
    ],
    result: ({ id }, isAccepted, at) => [
      rollout(
        { type: "function_call_output", call_id: id, output: isAccepted ? "Plan updated" : "failed to parse" },
        at,
      ),
    ],
    rewind: () => [rollout({ type: "thread_rolled_back", num_turns: 2 }, 0, "event_msg")],
  },
  "codex-app-server": {
    start: [{ id: 1, result: { thread: { id: "t", cwd: "/p" }, model: "m" } }],
    list: ({ todos }) => [
      { method: "turn/plan/updated", params: { threadId: "t", turnId: "1", plan: items(todos, renamed("step")) } },
    ],
  },
  "gemini-stream": {
    start: [{ type: "init", timestamp: timeOf(0), session_id: "s", model: "m" }],
    list: ({ id, todos, at }) => [
      {
        type: "tool_use",
        timestamp: timeOf(at),
        tool_name: "write_todos",
        tool_id: `write_todos_${id}`,
        parameters: { todos: items(todos, renamed("description")) },
      },
    ],
    result: ({ id }, isAccepted, at) => [
      {
        type: "tool_result",
        timestamp: timeOf(at),
        tool_id: `write_todos_${id}`,
        status: isAccepted ? "success" : "error",
      },
    ],
  },
  "gemini-chat": {
    start: [{ sessionId: "s", projectHash: "h", kind: "main" }],
    list: (list) => [geminiRecord(list, "executing")],
    result: (list, isAccepted) => [geminiRecord(list, isAccepted ? "success" : "error")],
    rewind: (id) => [{ $rewindTo: `record-${id}` }],
  },
  "opencode-run": opencodeRun({}),
  "kilo-run": opencodeRun({ metadata: { approval: { source: "agent" } } }),
  "opencode-events": {
    list: ({ todos }) => [{ type: "todo.updated", properties: { sessionID: "s", todos } }],
  },
  "copilot-events": {
    start: [copilotEvent(0, "session.start", { sessionId: "s", copilotVersion: "1.0.102", context: { cwd: "/p" } })],
    list: ({ id, todos, merge, at }) => [
      copilotEvent(at, "tool.execution_start", {
        toolCallId: id,
        toolName: "sql",
        arguments: { query: sqlFor(todos, merge) },
      }),
    ],
    result: ({ id }, isAccepted, at) => [
      copilotEvent(at, "tool.execution_complete", { toolCallId: id, success: isAccepted, result: { content: "…" } }),
    ],
  },
  "oh-my-pi-json": {
    start: [{ type: "session", id: "s", cwd: "/p" }],
    list: ({ id, todos }) => [
      { type: "tool_execution_start", toolCallId: id, toolName: "todo_write", args: { todos } },
    ],
    result: ({ id }, isAccepted) => [
      { type: "tool_execution_end", toolCallId: id, toolName: "todo_write", isError: !isAccepted, result: {} },
    ],
    snapshot: ({ id, todos }) => [
      { type: "tool_execution_end", toolCallId: `of-${id}`, toolName: "todo", result: { details: phases(todos) } },
    ],
  },
  "oh-my-pi-session": {
    start: [{ type: "session", id: "s", cwd: "/p" }],
    list: ({ id, todos, at }) => [
      {
        type: "message",
        id: `entry-${id}`,
        parentId: "unknown",
        timestamp: timeOf(at),
        message: { role: "assistant", content: [{ type: "toolCall", id, name: "todo_write", arguments: { todos } }] },
      },
    ],
    result: ({ id }, isAccepted, at) => [
      {
        type: "message",
        id: `result-${id}`,
        parentId: "unknown",
        timestamp: timeOf(at),
        message: { role: "toolResult", toolCallId: id, toolName: "todo_write", isError: !isAccepted },
      },
    ],
    snapshot: ({ id, todos, at }) => [
      {
        type: "message",
        id: `snapshot-${id}`,
        parentId: "unknown",
        timestamp: timeOf(at),
        message: { role: "toolResult", toolCallId: `of-${id}`, toolName: "todo", details: phases(todos) },
      },
    ],
    rewind: (id) => [
      { type: "message", id: `branch-${id}`, parentId: `entry-${id}`, message: { role: "user", content: "Again" } },
    ],
  },
  "pi-json": {
    start: [{ type: "session", id: "s", cwd: "/p" }],
    list: ({ id, todos }) => [
      { type: "tool_execution_end", toolCallId: id, toolName: "todo", result: { details: piTodos(todos) } },
    ],
  },
  "pi-session": {
    start: [{ type: "session", id: "s", cwd: "/p" }],
    list: ({ id, todos, at }) => [
      {
        type: "message",
        id: `entry-${id}`,
        parentId: "unknown",
        timestamp: timeOf(at),
        message: { role: "toolResult", toolCallId: id, toolName: "todo", details: piTodos(todos) },
      },
    ],
    rewind: (id) => [
      { type: "message", id: `branch-${id}`, parentId: `entry-${id}`, message: { role: "user", content: "Again" } },
    ],
  },
  "cline-stream": {
    list: ({ todos, at }) =>
      (Array.isArray(todos) ? todos : [{ content: todos }]).map(({ id, content, status }: Record<string, unknown>) => ({
        ts: timeOf(at),
        type: "team_event",
        event: {
          type: "team_task_updated",
          task: { id: `task_${String(id)}`, title: content, status, createdBy: "s" },
        },
      })),
  },
  "qwen-stream": {
    list: ({ id, todos }) => [toolUse("todo_write", id, { todos })],
    result: ({ id }, isAccepted) => [toolResult(id, isAccepted)],
  },
  "qwen-chat": {
    start: [{ ...qwenLine({ type: "user", message: { role: "user", parts: [{ text: "Go" }] } }, 0), parentUuid: null }],
    list: ({ id, todos, at }) => [
      qwenLine(
        {
          type: "assistant",
          message: { role: "model", parts: [{ functionCall: { id, name: "todo_write", args: { todos } } }] },
        },
        at,
      ),
    ],
    result: ({ id }, isAccepted, at) => [
      qwenLine(
        {
          type: "tool_result",
          message: {
            role: "user",
            parts: [
              {
                functionResponse: { id, name: "todo_write", response: isAccepted ? { output: "ok" } : { error: "no" } },
              },
            ],
          },
        },
        at,
      ),
    ],
  },
  "kimi-stream": {
    start: [{ role: "meta", type: "system.version", version: "2.1.0" }],
    list: ({ id, todos }) => [
      {
        role: "assistant",
        tool_calls: [
          {
            type: "function",
            id,
            function: { name: "TodoList", arguments: JSON.stringify({ todos: items(todos, renamed("title")) }) },
          },
        ],
      },
    ],
    result: ({ id }, isAccepted) => [
      {
        role: "tool",
        tool_call_id: id,
        content: isAccepted ? "Todo list updated." : 'Invalid args for tool "TodoList": no',
      },
    ],
  },
  "kimi-session": {
    start: [{ type: "metadata", protocol_version: "1.5", created_at: Date.parse(timeOf(0)) }],
    list: ({ id, todos, at }) => [
      wire(at, "turn.prompt", { input: [], origin: { kind: "user" } }),
      wire(at, "context.append_loop_event", {
        event: { type: "tool.call", toolCallId: id, name: "TodoList", args: { todos: items(todos, renamed("title")) } },
      }),
    ],
    result: ({ id }, isAccepted, at) => [
      wire(at, "context.append_loop_event", {
        event: {
          type: "tool.result",
          toolCallId: id,
          result: isAccepted ? { output: "Todo list updated." } : { output: "no", isError: true },
        },
      }),
    ],
    snapshot: ({ todos, at }) => [
      wire(at, "tools.update_store", { key: "todo", value: items(todos, renamed("title")) }),
    ],
    rewind: () => [wire(0, "context.undo", { count: 2 })],
  },
  "grok-json": {
    start: [{ type: "available_commands", tools: ["todo_write"], commands: [] }],
    list: ({ id, todos, merge }) => [
      { type: "tool_call", toolCallId: id, title: "todo_write", toolName: "todo_write", rawInput: { todos, merge } },
    ],
    result: ({ id }, isAccepted) => [{ type: "tool_call_update", toolCallId: id, ...grokOutcome(isAccepted) }],
  },
  "grok-stream": {
    list: ({ id, todos, merge }) => [toolUse("todo_write", id, { todos, merge })],
    result: ({ id }, isAccepted) => [toolResult(id, isAccepted)],
  },
  "grok-session": {
    list: ({ id, todos, merge, at }) => [
      grokUpdate(at, "tool_call", { toolCallId: id, title: "todo_write", rawInput: { todos, merge } }),
    ],
    result: ({ id }, isAccepted, at) => [
      grokUpdate(at, "tool_call_update", { toolCallId: id, ...grokOutcome(isAccepted) }),
    ],
  },
  "cursor-stream": {
    start: [{ type: "system", subtype: "init", apiKeySource: "login", cwd: "/p", session_id: "s", model: "Auto" }],
    list: (list) => [cursorCall(list)],
    result: (list, isAccepted) => [cursorCall(list, isAccepted ? { success: {} } : { error: {} })],
    snapshot: (list) => [
      cursorCall({ ...list, id: `of-${list.id}` }, { success: { todos: list.todos, wasMerge: true } }),
    ],
  },
  acp: {
    start: [{ jsonrpc: "2.0", id: 1, result: { sessionId: "s" } }],
    list: ({ todos }) => [
      {
        jsonrpc: "2.0",
        method: "session/update",
        params: { sessionId: "s", update: { sessionUpdate: "plan", entries: todos } },
      },
    ],
  },
  "headway-events": {
    list: ({ id, todos, at }) => [
      {
        type: "todo_list",
        eventId: id,
        agentId: "s",
        agentType: "claude-code",
        timestamp: Date.parse(timeOf(at)),
        todoId: "s/1",
        items: items(todos, renamed("text")),
      },
    ],
  },
}
