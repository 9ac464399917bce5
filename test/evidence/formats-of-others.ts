/** The story of the formats in those of Cursor and of the Agent Client Protocol, with what each can say of a call. */

const failing = "Tests  1 failed | 2 passed (3)"
const passing = "Tests  3 passed (3)"

const cursorCall = (id: string, name: string, args: object, result: object): object[] =>
  ["started", "completed"].map((subtype) => ({
    type: "tool_call",
    subtype,
    call_id: id,
    session_id: "c1",
    timestamp_ms: 1_790_000_000_000,
    tool_call: { [name]: { args, ...(subtype === "completed" ? { result } : {}) } },
  }))

const cursorList = (id: string, status: string): object[] => {
  const todos = [{ id: "1", content: "Fix it", status: `TODO_STATUS_${status}` }]
  return cursorCall(id, "updateTodosToolCall", { todos, merge: false }, { success: { todos, wasMerge: false } })
}

export const cursorShell = (id: string, result: object): object[] =>
  cursorCall(id, "shellToolCall", { command: "npm test" }, result)

const cursorRun = (id: string, exitCode: number): object[] =>
  cursorShell(id, {
    [exitCode === 0 ? "success" : "failure"]: { exitCode, stdout: exitCode === 0 ? passing : failing, stderr: "" },
  })

const cursorEdit = (id: string, path = "src/a.ts"): object[] =>
  cursorCall(id, "editToolCall", { path }, { success: { path, linesAdded: 1, linesRemoved: 1 } })

export const cursorAround = (...steps: readonly object[][]): object[] => [
  { type: "system", subtype: "init", apiKeySource: "login", cwd: "/shop", session_id: "c1", model: "Auto" },
  ...cursorList("l1", "IN_PROGRESS"),
  ...cursorEdit("e1"),
  ...steps.flat(),
  ...cursorList("l2", "COMPLETED"),
]

export const cursor = (last: number): object[] =>
  cursorAround(cursorRun("c1", 1), cursorEdit("e2"), cursorRun("c2", last))

export const acpUpdate = (update: object): object => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId: "a1", update },
})

export const acpPlan = (status: string): object =>
  acpUpdate({ sessionUpdate: "plan", entries: [{ content: "Fix it", priority: "medium", status }] })

/** What a call does comes in its first update, or in a later one. */
export const acpCall = (id: string, kind: string, about: object, end: object): object[] => [
  acpUpdate({ sessionUpdate: "tool_call", toolCallId: id, title: kind, kind, status: "pending", rawInput: {} }),
  acpUpdate({ sessionUpdate: "tool_call_update", toolCallId: id, status: "in_progress", ...about }),
  acpUpdate({ sessionUpdate: "tool_call_update", toolCallId: id, status: "completed", ...end }),
]

const acpText = (text: string): object => ({ content: [{ type: "content", content: { type: "text", text } }] })

export const acpEdit = (id: string): object[] =>
  acpCall(id, "edit", { content: [{ type: "diff", path: "src/a.ts", oldText: "a", newText: "b" }] }, {})

export const acpAround = (...steps: readonly object[][]): object[] => [
  acpPlan("in_progress"),
  ...acpEdit("e1"),
  ...steps.flat(),
  acpPlan("completed"),
]

const acpStory = (run: (id: string, code: number) => object[], last: number): object[] =>
  acpAround(run("c1", 1), acpEdit("e2"), run("c2", last))

const printed = (code: number): string => (code === 0 ? passing : failing)

/** As opencode says it: the command and its exit code are data. */
export const acp = (last: number): object[] =>
  acpStory(
    (id, code) =>
      acpCall(
        id,
        "execute",
        { title: "npm test", rawInput: { command: "npm test" } },
        { ...acpText(printed(code)), rawOutput: { output: printed(code), metadata: { exit: code } } },
      ),
    last,
  )

/** As Gemini CLI and Claude Code say it: the command is the title, and only what was printed tells how it came out. */
export const acpByTitle = (last: number): object[] =>
  acpStory((id, code) => acpCall(id, "execute", { title: "`npm test`" }, acpText(printed(code))), last)
