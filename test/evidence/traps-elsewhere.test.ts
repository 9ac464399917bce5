/** Where evidence is easily read wrong, in the words of other agents than Claude Code. */
import { describe, expect, test } from "vitest"
import { loadStream } from "../../src/agents/index.ts"
import type { Evidence } from "../../src/evidence/index.ts"
import { createEvidenceReader } from "../../src/sessions/evidence/evidence-reader.ts"

const failing = "Tests  1 failed | 2 passed (3)"
const passing = "Tests  3 passed (3)"

/** One todo that is begun, worked on by these lines, and ticked off; `files` are of its sub-agents. */
type Story = { does: object[]; after?: object[]; files?: object[][] }

type Agent = {
  id: string
  around(story: Story): object[]
  edit: object[]
  run(command: string, code: number, prints: string): object[]
  refused(command: string): object[]
  /** Left to run, and heard of later. */
  leaves(command: string): object[]
  hears(code: number, prints: string): object[]
  /** A sub-agent whose own file is the second part. */
  delegates(does: object[]): { own: object[]; files: object[][] }
  server: object[]
}

let number = 0
const next = (): string => {
  number += 1
  return `call_${number}`
}

const codexLine = (payload: object, type = "response_item"): object => ({
  timestamp: new Date(1_900_000_000_000 + 1000 * Number(next().slice(5))).toISOString(),
  type,
  payload,
})

const codexCall = (name: string, input: object | string, output: string, id = next()): object[] => {
  const given =
    typeof input === "string"
      ? { type: "custom_tool_call", input }
      : { type: "function_call", arguments: JSON.stringify(input) }
  return [
    codexLine({ ...given, name, call_id: id }),
    codexLine({
      type: typeof input === "string" ? "custom_tool_call_output" : "function_call_output",
      call_id: id,
      output,
    }),
  ]
}

const codexList = (status: string): object[] =>
  codexCall("update_plan", { plan: [{ step: "Fix login", status }] }, "Plan updated")

const codexEnd = (code: number, prints: string): string => `Process exited with code ${code}\nOutput:\n${prints}\n`

const codex: Agent = {
  id: "codex-rollout",
  around: ({ does, after = [] }) => [
    codexLine({ id: "r1", cwd: "/shop", cli_version: "0.166.0" }, "session_meta"),
    ...codexList("in_progress"),
    ...does,
    ...codexList("completed"),
    ...after,
  ],
  edit: codexCall(
    "apply_patch",
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch",
    "Exit code: 0\nOutput:\nDone",
  ),
  run: (cmd, code, prints) => codexCall("exec_command", { cmd }, codexEnd(code, prints)),
  refused: (cmd) => codexCall("exec_command", { cmd }, "exec command rejected by user"),
  leaves: (cmd) => codexCall("exec_command", { cmd }, "Process running with session ID 7\nOutput:\n> test\n"),
  hears: (code, prints) => codexCall("write_stdin", { session_id: 7, chars: "" }, codexEnd(code, prints)),
  delegates: (does) => ({
    own: codexCall("spawn_agent", { message: "Fix it" }, JSON.stringify({ agent_id: "child", nickname: "Maxwell" })),
    files: [
      [codexLine({ id: "child", session_id: "r1", parent_thread_id: "r1", cwd: "/shop" }, "session_meta"), ...does],
    ],
  }),
  server: codexCall("replace_text", { path: "src/a.ts" }, "done"),
}

const kimiLine = (line: object, agentId = "main"): object => ({
  ...line,
  agentId,
  time: 1_900_000_000_000 + 1000 * Number(next().slice(5)),
})

const kimiCall = (name: string, args: object, result: object, agentId = "main", id = next()): object[] =>
  [
    { type: "tool.call", toolCallId: id, name, args },
    { type: "tool.result", toolCallId: id, result },
  ].map((event) => kimiLine({ type: "context.append_loop_event", event }, agentId))

const kimiList = (status: string): object[] =>
  kimiCall("TodoList", { todos: [{ title: "Fix login", status }] }, { output: "Todo list updated." })

const kimiEnd = (code: number, prints: string): object =>
  code === 0 ? { output: prints } : { output: `${prints}\nCommand failed with exit code: ${code}.`, isError: true }

const kimi: Agent = {
  id: "kimi-session",
  around: ({ does, after = [] }) => [
    { type: "metadata", protocol_version: "1.5", created_at: 1 },
    ...kimiList("in_progress"),
    ...does,
    ...kimiList("done"),
    ...after,
  ],
  edit: kimiCall("Write", { path: "src/a.ts", content: "b" }, { output: "Wrote 1 bytes to src/a.ts" }),
  run: (command, code, prints) => kimiCall("Bash", { command }, kimiEnd(code, prints)),
  refused: (command) => kimiCall("Bash", { command }, { output: "The user rejected this tool call.", isError: true }),
  leaves: (command) =>
    kimiCall("Bash", { command, run_in_background: true }, { output: "task_id: bash-1\nstatus: running\n" }),
  hears: () => [],
  delegates: (does) => {
    const id = next()
    const about = { type: "subagent.spawned", subagentId: "agent-0", parentAgentId: "main", parentToolCallId: id }
    return {
      own: [...kimiCall("Agent", { description: "Fix it" }, { output: "All done." }, "main", id), kimiLine(about)],
      files: [
        [{ type: "metadata", protocol_version: "1.5" }, ...does.map((line) => ({ ...line, agentId: "agent-0" }))],
      ],
    }
  },
  server: kimiCall("mcp__editor__replace", { path: "src/a.ts" }, { output: "done" }),
}

const read = async (agent: Agent, { files = [], ...story }: Story): Promise<Evidence> => {
  const stream = await loadStream(agent.id)
  const reader = createEvidenceReader(stream ? [stream] : [])
  for (const lines of [agent.around(story), ...files]) {
    reader.push(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")))
    reader.end()
  }
  return reader.evidence()
}

describe.each([codex, kimi])("$id", (agent) => {
  const wordOf = async (...does: object[]): Promise<string | undefined> => (await read(agent, { does })).todos[0]?.word

  test("a failed check is a contradiction, but not after something that may have changed the code", async () => {
    const red = agent.run("npm test", 1, failing)
    expect(await wordOf(...agent.edit, ...red)).toBe("contradicted")
    expect(await wordOf(...agent.edit, ...red, ...agent.server)).toBe("unchecked")
    expect(await wordOf(...agent.edit, ...red, ...agent.run("sed -i 's/a/b/' src/a.ts", 0, ""))).toBe("unchecked")
    expect(await wordOf(...agent.edit, ...red, ...agent.run("git apply fix.patch", 0, ""))).toBe("unchecked")
  })

  test("a file that is written with a here document is an edit, and a pipe hides no failure", async () => {
    const written = agent.run("cat > src/a.ts <<'EOF'\nx\nEOF", 0, "")
    expect(await wordOf(...written, ...agent.run("npm test", 0, passing))).toBe("backed")
    expect(await wordOf(...written, ...agent.run("npm test 2>&1 | tail -5", 0, failing))).toBe("contradicted")
    expect(await wordOf(...written, ...agent.run("npm test 2>&1 | tail -1", 0, "done"))).toBe("unchecked")
  })

  test("tests that the person refused are reported as refused", async () => {
    const { todos } = await read(agent, { does: [...agent.edit, ...agent.refused("npm test")] })
    expect(todos).toMatchObject([{ word: "unchecked", facts: { refused: [{ command: "npm test" }] } }])
  })

  test("a run that was left in the background does not count as a check until its end is reported", async () => {
    const left = agent.leaves("npm test")
    expect(await wordOf(...agent.edit, ...left)).toBe("unchecked")
    const report = agent.hears(1, failing)
    const { todos } = await read(agent, { does: [...agent.edit, ...left], after: report })
    expect(todos[0]?.word).toBe("unchecked")
    const isTold = report.length > 0
    expect(todos[0]?.facts.checks).toMatchObject([
      isTold ? { outcome: "failed", endedLater: true } : { outcome: "running" },
    ])
    if (isTold) expect(await wordOf(...agent.edit, ...left, ...agent.hears(0, passing))).toBe("backed")
  })

  test("a sub-agent that tested backs the todo it was given, and one that failed contradicts nothing", async () => {
    const green = agent.delegates([...agent.edit, ...agent.run("npm test", 0, passing)])
    const backed = await read(agent, { does: green.own, files: green.files })
    expect(backed.todos).toMatchObject([
      { word: "backed", facts: { delegated: [{}], checks: [{ outcome: "passed" }] } },
    ])
    const red = agent.delegates([...agent.edit, ...agent.run("npm test", 1, failing)])
    expect((await read(agent, { does: red.own, files: red.files })).todos[0]?.word).toBe("unchecked")
    const unknown = agent.delegates([])
    expect((await read(agent, { does: unknown.own })).todos[0]?.word).toBe("delegated")
  })
})
