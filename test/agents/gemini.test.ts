import { describe, expect, test } from "vitest"
import { geminiChat } from "../../src/agents/google-gemini/chat.ts"
import { geminiStream } from "../../src/agents/google-gemini/stream.ts"
import { readTrackerFiles } from "../../src/agents/google-gemini/tracker-files.ts"
import { runCli } from "../cli/run-cli.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"

const tmp = "home/.gemini/tmp/project"
const chats = {
  "write-todos": fixture(`gemini-0.61.0/write-todos/${tmp}/chats/session-2026-11-15T18-50-ec899d38.jsonl`),
  tracker: fixture(`gemini-0.61.0/tracker/${tmp}/chats/session-2026-11-15T18-50-904ea9a7.jsonl`),
}
const stdout = (name: string): string => fixture(`gemini-0.61.0/${name}/stdout.jsonl`)
const trackerFolder = `gemini-0.61.0/tracker/${tmp}/904ea9a7-591e-4f4f-8997-6e172cf18704/tracker`

describe("gemini stream-json", () => {
  test("A1 a call is read without its id and time too", async () => {
    const line = JSON.stringify({
      type: "tool_use",
      tool_name: "write_todos",
      parameters: { todos: [{ description: "Read", status: "cancelled" }] },
    })
    const { code, out } = await runCli(["events"], { input: `${line}\n` })
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { agentType: "google-gemini", items: [{ text: "Read", status: "cancelled" }] },
    ])
  })

  test("a list is a call, its result only accepts or refuses it", () => {
    const signals = readAll(geminiStream, stdout("write-todos"))
    expect(signals[0]).toEqual({
      type: "session",
      session: "ec899d38-220c-40c3-971f-1d6370009f71",
      model: "gemini-2.5-pro",
    })
    const calls = ofType(signals, "call")
    expect(calls).toHaveLength(7)
    expect(calls[6]).toEqual({
      type: "call",
      agent: "main",
      dialect: "gemini",
      call: {
        tool: "write_todos",
        input: { todos: [] },
        session: "ec899d38-220c-40c3-971f-1d6370009f71",
        agent: "main",
        at: "2026-11-15T18:50:20.856Z",
        callId: "write_todos__write_todos_1794768620856_0",
        observed: true,
      },
    })
    expect(ofType(signals, "result").map(({ ok }) => ok)).toEqual([true, true, true, false, false, true, true])
    expect(ofType(signals, "result")[0]).toEqual({ type: "result", callId: calls[0]?.call.callId, ok: true })
    expect(ofType(signals, "activity").flatMap(({ tool }) => tool ?? [])).toEqual([
      "run_shell_command",
      "run_shell_command",
    ])
  })

  test("calls of the tracker are in its own dialect, and no result names an id", () => {
    const signals = readAll(geminiStream, stdout("tracker"))
    expect(new Set(ofType(signals, "call").map(({ dialect }) => dialect))).toEqual(new Set(["gemini-tracker"]))
    expect(ofType(signals, "result").filter(({ ok, result }) => ok && result !== undefined)).toEqual([])
    expect(ofType(signals, "result").filter(({ ok }) => !ok)).toHaveLength(2)
  })

  test("tools of others are work, not lists", () => {
    const signals = readAll(geminiStream, stdout("mcp"))
    expect(ofType(signals, "call")).toEqual([])
    expect(ofType(signals, "activity").flatMap(({ tool }) => tool ?? [])).toEqual(["mcp_probe_plan_add"])
  })
})

describe("gemini chat file", () => {
  test("a record that is repeated with its calls counts once", () => {
    const signals = readAll(geminiChat, chats["write-todos"])
    expect(ofType(signals, "call")).toHaveLength(7)
    expect(ofType(signals, "result").map(({ ok }) => ok)).toEqual([true, true, true, false, false, true, true])
    expect(ofType(signals, "session")).toEqual([
      { type: "session", session: "ec899d38-220c-40c3-971f-1d6370009f71" },
      { type: "session", agent: "main", asked: "Do the demo work." },
      {
        type: "session",
        session: "ec899d38-220c-40c3-971f-1d6370009f71",
        agent: "main",
        model: "gemini-2.5-pro",
      },
    ])
  })

  test("a call with a reused id in another record is another call", () => {
    const record = (id: string, description: string) =>
      JSON.stringify({
        ...{ id, type: "gemini" },
        toolCalls: [
          { id: "0", name: "write_todos", status: "success", args: { todos: [{ description, status: "pending" }] } },
        ],
      })
    const lines = [record("1", "a"), record("2", "b"), record("2", "b")]
    expect(ofType(readAll(geminiChat, lines.join("\n")), "call")).toHaveLength(2)
  })

  test("the ids of tracker tasks are in the results", () => {
    const results = ofType(readAll(geminiChat, chats.tracker), "result").map(({ result }) => result)
    expect(results.slice(0, 4)).toEqual([
      "Created task b5ab05: Ship the demo",
      "Created task 4271d0: Read the README",
      "Created task e701a2: Fix the quoted bug",
      "Linked e701a2 -> 4271d0.",
    ])
  })

  const record = (id: string, status: string) =>
    JSON.stringify({ id, type: "gemini", toolCalls: [{ id: `call-${id}`, name: "write_todos", args: {}, status }] })

  test("a rewind takes back the record it names and all after it", () => {
    const lines = [record("a", "success"), record("b", "success"), record("c", "success"), '{"$rewindTo":"b"}']
    expect(ofType(readAll(geminiChat, lines.join("\n")), "rewound")).toEqual([
      { type: "rewound", callIds: ["call-b", "call-c"] },
    ])
    const unknown = [...lines.slice(0, 3), '{"$rewindTo":"x"}'].join("\n")
    expect(ofType(readAll(geminiChat, unknown), "rewound")[0]?.callIds).toEqual(["call-a", "call-b", "call-c"])
  })

  test("a call that was waiting gets its result from a later copy", () => {
    const lines = [record("a", "scheduled"), record("a", "success"), record("a", "success")]
    expect(readAll(geminiChat, lines.join("\n")).map(({ type }) => type)).toEqual(["call", "result"])
  })

  test("a sub-agent's file names the agent", () => {
    const header = { sessionId: "s1", projectHash: "h", kind: "subagent" }
    expect(readAll(geminiChat, `${JSON.stringify(header)}\n${record("a", "success")}`)).toMatchObject([
      { type: "session", agent: "s1", parent: { agent: "main" } },
      { type: "call", agent: "s1" },
      { type: "result" },
    ])
  })
})

describe("gemini tracker files", () => {
  const file = (id: string) => ({ name: `${id}.json`, text: fixture(`${trackerFolder}/${id}.json`) })

  test("all files are one list, parents first", () => {
    const files = [...["4271d0", "b5ab05", "e701a2"].map(file), { name: ".lock", text: "" }]
    expect(readTrackerFiles(files, { session: "s" })).toMatchObject({
      call: {
        tool: "tracker_list_tasks",
        session: "s",
        observed: true,
        result: {
          tasks: [
            { id: "b5ab05", title: "Ship the demo", status: "open" },
            { id: "4271d0", title: "Read the README", status: "closed", parentId: "b5ab05" },
            { id: "e701a2", title: "Fix the quoted bug", status: "blocked", dependencies: ["4271d0"] },
          ],
        },
      },
      problems: [],
    })
  })

  test("a broken file is a problem and the others are kept", () => {
    expect(readTrackerFiles([{ name: "x.json", text: "{" }, file("b5ab05")])).toMatchObject({
      call: { result: { tasks: [{ id: "b5ab05" }] } },
      problems: [{ code: "damaged-file" }],
    })
  })

  test("parents in a circle still appear once each", () => {
    const task = (id: string, parentId: string) => ({
      name: `${id}.json`,
      text: JSON.stringify({ id, title: id, parentId }),
    })
    const { call } = readTrackerFiles([task("a", "b"), task("b", "a"), task("c", "c")])
    expect(call.result).toMatchObject({ tasks: [{ id: "a" }, { id: "b" }, { id: "c" }] })
  })
})

describe("every recording", () => {
  const recordings = [
    ...["hooks", "mcp", "write-todos", "tracker"].map(
      (name) => [`stdout ${name}`, geminiStream, stdout(name)] as const,
    ),
    ...Object.entries(chats).map(([name, text]) => [`chat ${name}`, geminiChat, text] as const),
  ]

  test.each(recordings)("%s is recognised from its first line", (_, stream, text) => {
    const first: Record<string, unknown> = JSON.parse(text.split("\n")[0] ?? "")
    const other = stream === geminiChat ? geminiStream : geminiChat
    expect(stream.recognises(first)).toBe(true)
    expect(other.recognises(first)).toBe(false)
  })

  test.each(recordings)("%s gives the same lists by its needles alone", (_, stream, text) => {
    const lists = (read: typeof readAll) =>
      withoutActivity(read(stream, text)).filter((signal) => signal.type !== "session" || signal.model === undefined)
    expect(lists(readByNeedles)).toEqual(lists(readAll))
  })

  test.each(recordings)("%s never throws when damaged", (_, stream, text) => readDamaged(stream, text))
})
