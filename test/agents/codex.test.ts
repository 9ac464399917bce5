import { describe, expect, test } from "vitest"
import { codexAppServer } from "../../src/agents/openai-codex/app-server.ts"
import { codexExec } from "../../src/agents/openai-codex/exec.ts"
import { codexRollout } from "../../src/agents/openai-codex/rollout.ts"
import { cpuTimeOf } from "../cpu-time.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"

const home = "home/.codex/sessions/2026/11/15/rollout-2026-11-15T18-50"
const rollouts = {
  plan: fixture(`codex-0.166.0/plan/${home}-04-01a1e08b-8b66-7c81-9dcf-24706e85f08d.jsonl`),
  codeMode: fixture(`codex-0.166.0/plan-codemode/${home}-05-01a1e08b-9083-75e3-9d74-cefd631de78a.jsonl`),
  goal: fixture(`codex-0.166.0/goal/${home}-06-01a1e08b-95bb-7642-8c58-840f1ddf27da.jsonl`),
  parent: fixture(`codex-0.166.0/subagent/${home}-08-01a1e08b-9af0-7500-95e8-8929b3726fe8.jsonl`),
  child: fixture(`codex-0.166.0/subagent/${home}-08-01a1e08b-9bc6-7492-8b27-7a8c4c585219.jsonl`),
}
const stdouts = ["default-no-plan", "goal", "mcp", "plan", "plan-codemode", "subagent"]
const stdout = (name: string): string => fixture(`codex-0.166.0/${name}/stdout.jsonl`)

describe("codex exec --json", () => {
  test("each todo_list is the whole list, completed or not", () => {
    const lists = ofType(readAll(codexExec, stdout("plan")), "snapshot")
    expect(lists).toHaveLength(7)
    expect(lists[0]).toEqual({
      type: "snapshot",
      agent: "main",
      dialect: "codex",
      call: {
        tool: "update_plan",
        input: {
          plan: [
            { step: "Read the README", status: "pending" },
            { step: "Run the smoke test", status: "pending" },
            { step: "Summarise findings", status: "pending" },
          ],
          statusPrecision: "binary",
          listId: expect.stringMatching(/^item_\d+$/),
        },
        session: "01a1e08b-8b66-7c81-9dcf-24706e85f08d",
        agent: "main",
        observed: true,
      },
    })
    expect(lists[4]?.call.input).toMatchObject({ plan: [], statusPrecision: "binary" })
    expect(lists.at(-1)?.call.input).toEqual(lists.at(-2)?.call.input)
  })

  test("a plan is not tool work, a command is", () => {
    const signals = readAll(codexExec, stdout("plan"))
    const command = { type: "activity", agent: "main", kind: "tool", tool: "command_execution" }
    expect(ofType(signals, "activity").filter(({ kind }) => kind === "tool")).toEqual([
      { ...command, on: "/bin/bash -lc 'cat README.md'" },
      { ...command, on: "/bin/bash -lc 'echo smoke ok'" },
    ])
    expect(signals.at(-1)).toEqual({ type: "activity", agent: "main", kind: "turn-ended" })
  })

  test("a spawned agent is named once", () => {
    const session = "01a1e08b-9af0-7500-95e8-8929b3726fe8"
    expect(ofType(readAll(codexExec, stdout("subagent")), "session")).toEqual([
      { type: "session", session },
      {
        type: "session",
        session,
        agent: "01a1e08b-9bc6-7492-8b27-7a8c4c585219",
        parent: { agent: "main", session, callId: "item_2" },
      },
    ])
  })

  test.each(["default-no-plan", "goal", "mcp"])("%s has no plan", (name) => {
    expect(ofType(readAll(codexExec, stdout(name)), "snapshot")).toEqual([])
  })
})

describe("codex rollout", () => {
  test("a call has its text, its time and its id; its output accepts or refuses it", () => {
    const signals = readAll(codexRollout, rollouts.plan)
    const calls = ofType(signals, "call")
    expect(calls.map(({ call }) => call.callId)).toEqual([1, 3, 5, 6, 7, 8, 9].map((n) => `toolu_mock000${n}`))
    expect(calls[5]).toEqual({
      type: "call",
      agent: "main",
      dialect: "codex",
      call: {
        tool: "update_plan",
        input: '{"plan":[]}',
        session: "01a1e08b-8b66-7c81-9dcf-24706e85f08d",
        agent: "main",
        at: "2026-11-15T18:50:04.562Z",
        callId: "toolu_mock0008",
        observed: true,
      },
    })
    const results = ofType(signals, "result")
    expect(results.filter(({ ok }) => !ok)).toEqual([
      { type: "result", callId: "toolu_mock0006", ok: false, result: expect.stringContaining("failed to parse") },
    ])
    expect(results).toHaveLength(7)
  })

  test("the header and the turn name the folder, the version and the model", () => {
    const session = "01a1e08b-8b66-7c81-9dcf-24706e85f08d"
    expect(ofType(readAll(codexRollout, rollouts.plan), "session")).toEqual([
      { type: "session", session, project: "/home/user/project", version: "0.166.0", isOneShot: true },
      { type: "session", session, agent: "main", model: "mock-model" },
      { type: "session", agent: "main", asked: "Do the demo work." },
    ])
  })

  test("a sub-agent's file belongs to its parent's session", () => {
    const signals = readAll(codexRollout, rollouts.child)
    const agent = "01a1e08b-9bc6-7492-8b27-7a8c4c585219"
    const session = "01a1e08b-9af0-7500-95e8-8929b3726fe8"
    expect(signals[0]).toMatchObject({ type: "session", session, agent, parent: { agent: "main", session } })
    expect(signals[0]).toMatchObject({ role: "Maxwell" })
    expect(ofType(signals, "session").at(-1)).toMatchObject({ agent, asked: "SUBAGENT-A: survey the repository." })
    expect(ofType(signals, "call").map((signal) => [signal.agent, signal.call.session])).toEqual([
      [agent, session],
      [agent, session],
    ])
  })

  test("lines without an ordinal, calls with a namespace and a refusal for want of the tool are read", () => {
    const line = (payload: object) =>
      JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type: "response_item", payload })
    const call = { type: "function_call", name: "functions.update_plan", arguments: "{}", call_id: "a" }
    const output = { type: "function_call_output", call_id: "a", output: "unsupported call: update_plan" }
    const signals = readAll(codexRollout, `${line(call)}\n${line(output)}\n${line(output)}`)
    expect(signals.map(({ type }) => type)).toEqual(["call", "result", "activity"])
    expect(signals[1]).toMatchObject({ callId: "a", ok: false })
  })

  test("in code mode a literal plan is read with low confidence, a computed one is a problem", () => {
    const signals = readAll(codexRollout, rollouts.codeMode)
    expect(ofType(signals, "call").map(({ call }) => [call.callId, call.input])).toEqual([
      [
        "toolu_mock0001",
        {
          explanation: "Initial plan",
          plan: [
            { step: "Read the README", status: "in_progress" },
            { step: "Summarise findings", status: "pending" },
          ],
          confidence: "low",
        },
      ],
      [
        "toolu_mock0003",
        {
          plan: [
            { step: "Read the README", status: "completed" },
            { step: "Summarise findings", status: "completed" },
          ],
          confidence: "low",
        },
      ],
    ])
    expect(ofType(signals, "problem").map(({ problem }) => problem.code)).toEqual(["plan-in-program"])
    expect(ofType(signals, "result").every(({ ok }) => ok)).toBe(true)
  })

  test.each([
    ["await tools.update_plan(plan)", 0],
    ["await tools.update_plan({plan: [{step: `a \u0024{b}`, status: 'pending'}]})", 0],
    ["await tools.update_plan({...old, plan: []})", 0],
    ["await tools.update_plan({plan: [{step: 'a', status: done ? 'completed' : 'pending'}]})", 0],
    ["await tools.update_plan({plan: [{step: 'a' + b, status: 'pending'}]})", 0],
    ["await tools.update_plan({", 0],
    ["await tools.update_plan({ /* now */ 'plan': [ { step: 'it\\'s \\u00e9', \"status\": `pending`, }, ], })", 1],
  ])("%s", (input, plans) => {
    const payload = { type: "custom_tool_call", name: "exec", call_id: "a", input }
    const signals = readAll(codexRollout, JSON.stringify({ timestamp: "", type: "response_item", payload }))
    expect(ofType(signals, "call")).toHaveLength(plans)
    expect(ofType(signals, "problem")).toHaveLength(1 - plans)
    if (plans === 1) expect(signals[0]).toMatchObject({ call: { input: { plan: [{ step: "it's é" }] } } })
  })

  test.each([
    ["comments that never end", "update_plan(/*".repeat(100_000)],
    ["strings that never end", "update_plan('`\"".repeat(100_000)],
    ["spaces behind a literal", `update_plan({}${" ".repeat(1_000_000)}x`],
    ["a number that is none", `update_plan(${"1".repeat(1_000_000)}x)`],
    ["brackets", `update_plan(${"[".repeat(1_000_000)}`],
    [
      "names in comments before a long list",
      `update_plan([//${"update_plan([\n//".repeat(99)}\n${"1,".repeat(200_000)}`,
    ],
  ])("a program made of %s has no plan, and is read once", (_, input) => {
    const payload = { type: "custom_tool_call", name: "exec", call_id: "a", input }
    const line = JSON.stringify({ timestamp: "", type: "response_item", payload })
    const took = cpuTimeOf(() => {
      const signals = readAll(codexRollout, line)
      expect(ofType(signals, "call")).toEqual([])
      expect(ofType(signals, "problem").length).toBeGreaterThan(0)
    })
    expect(took).toBeLessThan(2_000)
  })

  test("a rollback takes back the calls of its turns", () => {
    const line = (type: string, payload: object) => JSON.stringify({ timestamp: "2026-01-01T00:00:00Z", type, payload })
    const turn = (id: string) => [
      line("turn_context", { turn_id: id, model: "m" }),
      line("response_item", { type: "function_call", name: "update_plan", arguments: "{}", call_id: `call-${id}` }),
    ]
    const back = line("event_msg", { type: "thread_rolled_back", num_turns: 2 })
    const signals = readAll(codexRollout, [...turn("1"), ...turn("2"), ...turn("3"), back].join("\n"))
    expect(ofType(signals, "rewound")).toEqual([{ type: "rewound", callIds: ["call-2", "call-3"] }])
  })
})

describe("codex app-server", () => {
  const lines = [
    { id: 1, result: { thread: { id: "t1", cwd: "/p", cliVersion: "0.166.0" }, model: "gpt" } },
    { method: "thread/started", params: { thread: { id: "t1", cwd: "/p" } } },
    { method: "turn/started", params: { threadId: "t1", turn: { id: "u1" } } },
    {
      method: "turn/plan/updated",
      params: { threadId: "t1", turnId: "u1", explanation: null, plan: [{ step: "Read", status: "inProgress" }] },
    },
    { method: "item/started", params: { threadId: "t1", item: { type: "commandExecution", id: "i" } } },
    { id: 3, method: "item/commandExecution/requestApproval", params: { threadId: "t1" } },
    { method: "turn/plan/updated", params: { threadId: "t2", plan: [] } },
    { method: "turn/completed", params: { threadId: "t1", turn: {} } },
  ]
  const text = lines.map((line) => JSON.stringify(line)).join("\n")

  test("plans, threads and turns are read; a second thread is another agent", () => {
    expect(readAll(codexAppServer, text)).toEqual([
      { type: "session", session: "t1", project: "/p", model: "gpt", version: "0.166.0" },
      { type: "session", session: "t1", project: "/p" },
      { type: "activity", agent: "main", kind: "prompt" },
      {
        type: "snapshot",
        agent: "main",
        dialect: "codex",
        call: {
          tool: "update_plan",
          input: { plan: [{ step: "Read", status: "inProgress" }] },
          session: "t1",
          agent: "main",
          observed: true,
        },
      },
      { type: "activity", agent: "main", kind: "tool", tool: "commandExecution" },
      { type: "activity", agent: "main", kind: "waiting", waitsFor: { kind: "permission" } },
      {
        type: "snapshot",
        agent: "t2",
        dialect: "codex",
        call: { tool: "update_plan", input: { plan: [] }, session: "t2", agent: "t2", observed: true },
      },
      { type: "activity", agent: "main", kind: "turn-ended" },
    ])
  })

  test("every line is recognised, and as no other format of Codex", () => {
    expect(lines.map((line) => codexAppServer.recognises(line))).toEqual(lines.map(() => true))
    expect(lines.some((line) => codexExec.recognises(line) || codexRollout.recognises(line))).toBe(false)
  })

  test("damaged lines do not throw, and its needles suffice", () => {
    readDamaged(codexAppServer, text)
    expect(withoutActivity(readByNeedles(codexAppServer, text))).toEqual(withoutActivity(readAll(codexAppServer, text)))
  })
})

describe("every recording", () => {
  const recordings = [
    ...stdouts.map((name) => [`stdout ${name}`, codexExec, stdout(name)] as const),
    ...Object.entries(rollouts).map(([name, text]) => [`rollout ${name}`, codexRollout, text] as const),
  ]

  test.each(recordings)("%s is recognised from its first line", (_, stream, text) => {
    const first: Record<string, unknown> = JSON.parse(text.split("\n")[0] ?? "")
    const others = [codexExec, codexRollout, codexAppServer].filter((other) => other !== stream)
    expect(stream.recognises(first)).toBe(true)
    expect(others.some((other) => other.recognises(first))).toBe(false)
  })

  test.each(recordings)("%s gives the same signals by its needles alone", (_, stream, text) => {
    expect(withoutActivity(readByNeedles(stream, text))).toEqual(withoutActivity(readAll(stream, text)))
  })

  test.each(recordings)("%s never throws when damaged", (_, stream, text) => readDamaged(stream, text))

  test("a line that is not JSON is a problem, and the next one is read", () => {
    const signals = readAll(codexExec, `oops {\n${stdout("plan")}`)
    expect(signals[0]).toMatchObject({ type: "problem", problem: { code: "other-text" } })
    expect(ofType(signals, "snapshot")).toHaveLength(7)
  })
})
