/** The same story in the formats of several agents: an edit, a check that failed, an edit, and a check that passed. */
import { describe, expect, test } from "vitest"
import { loadStream } from "../../src/agents/index.ts"
import { createEvidenceReader } from "../../src/sessions/evidence/evidence-reader.ts"
import { acp, acpAround, acpByTitle, acpCall, acpEdit, cursor, cursorAround, cursorShell } from "./formats-of-others.ts"

const failing = "Tests  1 failed | 2 passed (3)"
const passing = "Tests  3 passed (3)"
const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch"
const time = (second: number): string => `2030-01-01T00:00:${String(second).padStart(2, "0")}.000Z`

const codexExec = (last: number): object[] => {
  const item = (id: string, rest: object) => ({ type: "item.completed", item: { id, ...rest } })
  const command = (id: string, exit_code: number, aggregated_output: string) =>
    item(id, {
      type: "command_execution",
      command: "/bin/bash -lc 'npm test'",
      aggregated_output,
      exit_code,
      status: exit_code === 0 ? "completed" : "failed",
    })
  const list = (completed: boolean) => ({
    type: "item.updated",
    item: { id: "p", type: "todo_list", items: [{ text: "Fix it", completed }] },
  })
  return [
    { type: "thread.started", thread_id: "t1" },
    list(false),
    item("e1", { type: "file_change", changes: [{ path: "src/a.ts", kind: "update" }], status: "completed" }),
    command("c1", 1, failing),
    item("e2", { type: "file_change", changes: [{ path: "src/a.ts", kind: "update" }], status: "completed" }),
    command("c2", last, last === 0 ? passing : failing),
    list(true),
  ]
}

const codexRollout = (last: number): object[] => {
  let second = 0
  const line = (payload: object, type = "response_item") => {
    second += 1
    return { timestamp: time(second), type, payload }
  }
  const plan = (status: string, id: string) => [
    line({
      type: "function_call",
      name: "update_plan",
      arguments: JSON.stringify({ plan: [{ step: "Fix it", status }] }),
      call_id: id,
    }),
    line({ type: "function_call_output", call_id: id, output: "Plan updated" }),
  ]
  const edit = (id: string) => [
    line({ type: "custom_tool_call", status: "completed", call_id: id, name: "apply_patch", input: patch }),
    line({
      type: "custom_tool_call_output",
      call_id: id,
      output: "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.",
    }),
  ]
  const run = (id: string, code: number) => [
    line({ type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd: "npm test" }), call_id: id }),
    line({
      type: "function_call_output",
      call_id: id,
      output: `Wall time: 30 seconds\nProcess running with session ID 7\nOutput:\n> test\n`,
    }),
    line({ type: "function_call", name: "write_stdin", arguments: '{"session_id":7,"chars":""}', call_id: `${id}w` }),
    line({
      type: "function_call_output",
      call_id: `${id}w`,
      output: `Wall time: 1 seconds\nProcess exited with code ${code}\nOutput:\n${code === 0 ? passing : failing}\n`,
    }),
  ]
  return [
    line({ id: "r1", cwd: "/shop", cli_version: "0.166.0" }, "session_meta"),
    ...plan("in_progress", "p1"),
    ...edit("e1"),
    ...run("c1", 1),
    ...edit("e2"),
    ...run("c2", last),
    ...plan("completed", "p2"),
  ]
}

const geminiStream = (last: number): object[] => {
  let second = 0
  const call = (tool_name: string, parameters: object, output = "", status = "success"): object[] => {
    second += 1
    const tool_id = `${tool_name}_${second}`
    return [
      { type: "tool_use", timestamp: time(second), tool_name, tool_id, parameters },
      { type: "tool_result", timestamp: time(second), tool_id, status, output },
    ]
  }
  const list = (status: string) => call("write_todos", { todos: [{ description: "Fix it", status }] })
  const run = (code: number) =>
    call(
      "run_shell_command",
      { command: "npm test" },
      code === 0 ? passing : `Output: ${failing}\nExit Code: ${code}\nProcess Group PGID: 7`,
    )
  return [
    { type: "init", timestamp: time(0), session_id: "g1", model: "gemini-2.5-pro" },
    ...list("in_progress"),
    ...call("replace", { file_path: "src/a.ts" }),
    ...run(1),
    ...call("write_file", { file_path: "src/a.ts" }),
    ...run(last),
    ...list("completed"),
  ]
}

const geminiChat = (last: number): object[] => {
  const [, ...lines] = geminiStream(last) as {
    type: string
    tool_name?: string
    tool_id: string
    parameters?: object
    output?: string
    status?: string
  }[]
  const calls = lines.flatMap((line, index) =>
    line.type === "tool_use" ? [{ use: line, result: lines[index + 1] }] : [],
  )
  return [
    { sessionId: "g1", projectHash: "h", startTime: time(0), lastUpdated: time(0), kind: "main" },
    ...calls.map(({ use, result }, index) => ({
      id: `m${index}`,
      timestamp: time(index),
      type: "gemini",
      content: "",
      toolCalls: [
        {
          id: use.tool_id,
          name: use.tool_name,
          args: use.parameters,
          status: result?.status,
          timestamp: time(index),
          result: [{ functionResponse: { response: { output: result?.output } } }],
        },
      ],
    })),
  ]
}

const opencodeParts = (last: number): object[] => {
  const part = (tool: string, input: object, output = "", metadata: object = {}) => ({
    type: "tool",
    tool,
    state: { status: "completed", input, output, metadata, title: tool },
  })
  const list = (status: string) => part("todowrite", { todos: [{ content: "Fix it", status, priority: "high" }] })
  const run = (exit: number) => part("bash", { command: "npm test" }, exit === 0 ? passing : failing, { exit })
  const parts = [
    list("in_progress"),
    part("edit", { filePath: "src/a.ts" }),
    run(1),
    part("write", { filePath: "src/a.ts" }),
    run(last),
    list("completed"),
  ]
  return parts.map((one, index) => ({ ...one, callID: `call_${index}`, id: `prt_${index}` }))
}

const opencodeRun = (last: number): object[] =>
  opencodeParts(last).map((part, index) => ({
    type: "tool_use",
    timestamp: 1_900_000_000_000 + index,
    sessionID: "ses_1",
    part,
  }))

const opencodeEvents = (last: number): object[] =>
  opencodeParts(last).flatMap((part) => {
    const { tool, state } = part as { tool: string; state: { input: { todos?: object[] } } }
    const told = { type: "message.part.updated", properties: { part: { ...part, sessionID: "ses_1" } } }
    const list = { type: "todo.updated", properties: { sessionID: "ses_1", todos: state.input.todos } }
    return tool === "todowrite" ? [told, list] : [told]
  })

const opencodeExport = (last: number): object[] => [
  {
    info: { id: "ses_1", directory: "/shop" },
    messages: [{ info: { role: "assistant", time: { created: 1 } }, parts: opencodeParts(last) }],
  },
]

const headwayAgent = (last: number): object[] => {
  const call = (id: string, tool: string, input: object, text: string, isError = false) => [
    { type: "tool_call", id, tool, input, agentId: "h1" },
    { type: "tool_result", id, tool, text, isError, agentId: "h1" },
  ]
  const list = (status: string) => ({
    type: "todo_list",
    eventId: status,
    agentId: "h1",
    agentType: "headway",
    timestamp: 1,
    todoId: "h1/main/1",
    items: [{ text: "Fix it", status }],
  })
  const run = (id: string, code: number) =>
    call(id, "Bash", { command: "npm test" }, code === 0 ? passing : `${failing}\n\n(Exit code ${code}.)`, code !== 0)
  return [
    { type: "session_started", agentId: "h1", session: "h1", isResumed: false },
    list("in_progress"),
    ...call("e1", "Edit", { file_path: "src/a.ts" }, "Edited."),
    ...run("c1", 1),
    ...call("e2", "Write", { file_path: "src/a.ts" }, "Written."),
    ...run("c2", last),
    list("completed"),
  ]
}

const formats: [string, (last: number) => object[]][] = [
  ["codex-exec", codexExec],
  ["codex-rollout", codexRollout],
  ["gemini-stream", geminiStream],
  ["gemini-chat", geminiChat],
  ["opencode-run", opencodeRun],
  ["opencode-events", opencodeEvents],
  ["opencode-export", opencodeExport],
  ["headway-events", headwayAgent],
  ["cursor-stream", cursor],
  ["acp", acp],
  ["acp", acpByTitle],
]

const read = async (id: string, lines: readonly object[]) => {
  const stream = await loadStream(id)
  const reader = createEvidenceReader(stream ? [stream] : [])
  reader.push(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")))
  reader.end()
  return reader.evidence()
}

describe.each(formats)("%s", (id, write) => {
  test("a check that passed after the last edit backs the todo", async () => {
    const { todos, list } = await read(id, write(0))
    expect(todos).toMatchObject([{ content: "Fix it", status: "completed", word: "backed" }])
    expect(todos[0]?.facts.edits.count).toBe(2)
    expect(todos[0]?.facts.checks.map(({ outcome }) => outcome)).toEqual(["failed", "passed"])
    expect(list.lastCheck).toBe("passed")
  })

  test("a check that failed last is reported as failed", async () => {
    const { todos, list } = await read(id, write(1))
    expect(todos[0]?.facts.checks.map(({ outcome }) => outcome)).toEqual(["failed", "failed"])
    expect(list.lastCheck).toBe("failed")
    // Where a stream does not say what is in progress, no more is said than that it was edited.
    expect(todos[0]?.word).toBe(id === "codex-exec" ? "unchecked" : "contradicted")
  })

  test("a reader without the option gets nothing of it", async () => {
    const stream = await loadStream(id)
    const reader = stream?.open()
    const text = write(0).map((line) => JSON.stringify(line))
    const signals = text.flatMap((line) => reader?.read(line) ?? [])
    expect(signals.length).toBeGreaterThan(0)
    expect(signals.filter(({ type }) => type === "work" || type === "work-result")).toEqual([])
  })
})

test.each([
  ["/shop", "backed"],
  ["/other", "unchecked"],
])("a check of Codex in %s leaves work in /shop %s", async (workdir, word) => {
  const text = JSON.stringify(codexRollout(0)).replaceAll('{\\"cmd\\":', `{\\"workdir\\":\\"${workdir}\\",\\"cmd\\":`)
  const { todos } = await read("codex-rollout", JSON.parse(text) as object[])
  expect(todos[0]?.word).toBe(word)
})

test("what the person did not allow our own agent is refused", async () => {
  const lines = headwayAgent(1)
  const place = lines.findLastIndex((line) => (line as { type: string }).type === "tool_result")
  lines.splice(place, 0, { type: "permission", action: "run", target: "npm test", allowed: false, agentId: "h1" })
  const { todos } = await read("headway-events", lines)
  expect(todos[0]).toMatchObject({ word: "unchecked", facts: { refused: [{ command: "npm test" }] } })
})

describe("Cursor", () => {
  test.each([
    ["a command that was rejected", { rejected: { command: "npm test", reason: "" } }, "refused"],
    ["one that took too long", { timeout: { command: "npm test", timeoutMs: 30_000 } }, "timed-out"],
    ["one that goes on in the background", { success: { stdout: "" }, isBackground: true }, "running"],
    ["one of which nothing is told", {}, "unknown"],
  ])("%s", async (_name, result, outcome) => {
    const { todos } = await read("cursor-stream", cursorAround(cursorShell("c1", result)))
    expect(todos[0]?.facts.checks).toMatchObject([{ command: "npm test", outcome }])
  })
})

describe("the Agent Client Protocol", () => {
  const run = (end: object) => acpCall("c1", "execute", { rawInput: { command: "npm test" } }, end)

  test.each([
    [
      "a call that failed because the person said no",
      { status: "failed", rawOutput: "The user rejected permission" },
      "refused",
    ],
    ["an exit code among the notes of a terminal", { _meta: { terminal_exit: { exit_code: 1 } } }, "failed"],
    ["an exit code beside what was printed", { rawOutput: { exit_code: 0, formatted_output: "" } }, "passed"],
    [
      "an exit code behind what was printed",
      { rawOutput: { content: "x\n<shellId: 0 completed with exit code 1>" } },
      "failed",
    ],
    ["a command of which only the end is told", {}, "unknown"],
  ])("%s", async (_name, end, outcome) => {
    const { todos } = await read("acp", acpAround(run(end)))
    expect(todos[0]?.facts.checks).toMatchObject([{ command: "npm test", outcome }])
  })

  test("a call that keeps a list is not work, and one of an unknown kind may be", async () => {
    const todos = [{ title: "Fix it", status: "done" }]
    const listed = acpCall("t1", "other", { title: "Updating todo list", rawInput: { todos } }, {})
    const failed = run({ rawOutput: { exit_code: 1 } })
    expect((await read("acp", acpAround(failed, listed))).todos[0]?.word).toBe("contradicted")
    const other = acpCall("o1", "other", { title: "replace_symbol", rawInput: { name: "add" } }, {})
    expect((await read("acp", acpAround(failed, other))).todos[0]?.word).toBe("unchecked")
  })

  test("a call of a sub-agent is reported as one", async () => {
    const rawInput = { subagent_type: "general", description: "Look around", prompt: "Look" }
    const sent = acpCall("s1", "think", { rawInput }, {})
    expect((await read("acp", acpAround(acpEdit("e3"), sent))).todos[0]?.facts.delegated).toMatchObject([
      { title: "Look around" },
    ])
  })
})
