import { describe, expect, test } from "vitest"
import { ohMyPiJson } from "../../src/agents/oh-my-pi/json.ts"
import { ohMyPiSession } from "../../src/agents/oh-my-pi/session.ts"
import type { Signal } from "../../src/streams/stream.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"

const stdout = fixture("omp-18.2.3/todos/stdout.jsonl")
const sessionFile = fixture(
  "omp-18.2.3/todos/home/.omp/agent/sessions/-home-user-project/2026-11-15T18-51-38-524Z_01a1e08c-fc9c-7273-9ff9-f2ffe813fdcc.jsonl",
)

const session = "01a1e08c-fc9c-7273-9ff9-f2ffe813fdcc"
const callIds = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => `toolu_mock00${String(n).padStart(2, "0")}`)

const bothKnow = (signals: Signal[]): void => {
  expect(ofType(signals, "session")[0]).toEqual({ type: "session", session, project: "/home/user/project" })
  expect(ofType(signals, "call").map(({ call }) => call.callId)).toEqual(callIds)
  expect(ofType(signals, "call")[1]).toMatchObject({
    dialect: "oh-my-pi",
    call: { tool: "todo", input: { op: "done", task: "Read the README" }, observed: true },
  })
  expect(ofType(signals, "result").filter(({ ok }) => !ok)).toMatchObject([{ callId: "toolu_mock0007" }])
  expect(ofType(signals, "snapshot")).toHaveLength(callIds.length)
  expect(ofType(signals, "snapshot").at(-1)).toMatchObject({
    agent: "main",
    dialect: "oh-my-pi",
    call: {
      tool: "todo",
      input: undefined,
      observed: true,
      result: {
        phases: [
          {
            name: "Explore",
            tasks: [
              { content: "Read the README", status: "completed" },
              { content: "Run the smoke test", status: "completed" },
              { content: "Fix the “quoted” bug 🐛", status: "completed" },
            ],
          },
          { name: "Finish", tasks: [{ content: "Summarise findings", status: "completed" }] },
        ],
      },
    },
  })
  expect(ofType(signals, "activity").flatMap(({ tool }) => tool ?? [])).toEqual(["bash"])
}

describe("omp --mode json", () => {
  test("a call shows at once, its end has the whole list (O16)", () => bothKnow(readAll(ohMyPiJson, stdout)))

  test("a reminder names only what is open: it is not a list", () => {
    const line = { type: "todo_reminder", todos: [{ content: "x", status: "pending" }], attempt: 1, maxAttempts: 3 }
    expect(readAll(ohMyPiJson, JSON.stringify(line))).toEqual([{ type: "activity", agent: "main", kind: "prompt" }])
  })
})

describe("oh-my-pi session file", () => {
  test("the list is rebuilt from the results alone (O16)", () => {
    const signals = readAll(ohMyPiSession, sessionFile)
    bothKnow(signals)
    expect(ofType(signals, "call")[0]?.call).toMatchObject({ at: "2026-11-15T18:51:39.700Z", session })
    expect(ofType(signals, "call")[0]?.call.input).not.toHaveProperty("i")
    expect(signals.at(-1)).toMatchObject({ type: "activity", kind: "ended" })
  })

  const phases = (content: string) => [{ name: "Build", tasks: [{ content, status: "pending" }] }]
  const called = (id: string, parentId: string | null) => ({
    type: "message",
    id,
    parentId,
    message: { role: "assistant", content: [{ type: "toolCall", id: `call-${id}`, name: "todo", arguments: {} }] },
  })
  const answered = (id: string, parentId: string, content: string) => ({
    type: "message",
    id,
    parentId,
    message: {
      role: "toolResult",
      toolName: "todo",
      toolCallId: `call-${parentId}`,
      details: { phases: phases(content) },
    },
  })
  const asked = (id: string, parentId: string) => ({ type: "message", id, parentId, message: { role: "user" } })
  const read = (...entries: object[]) =>
    readAll(ohMyPiSession, entries.map((entry) => JSON.stringify(entry)).join("\n"))
  const lists = (signals: Signal[]) => ofType(signals, "snapshot").map(({ call }) => call.result)

  test("going back to an earlier entry brings its list back and takes later calls back", () => {
    const trunk = [called("a", null), answered("b", "a", "one"), called("c", "b"), answered("d", "c", "two")]
    const signals = read(...trunk, asked("e", "b"))
    expect(lists(signals)).toEqual([{ phases: phases("one") }, { phases: phases("two") }, { phases: phases("one") }])
    expect(ofType(signals, "rewound")).toEqual([{ type: "rewound", callIds: ["call-c"] }])
    const again = read(...trunk, asked("e", "b"), asked("f", "d"))
    expect(lists(again).at(-1)).toEqual({ phases: phases("two") })
  })

  test("going back to before any list empties it", () => {
    const signals = read(asked("u", "x"), called("a", "u"), answered("b", "a", "one"), asked("v", "u"))
    expect(lists(signals).at(-1)).toEqual({ phases: [] })
  })

  test("a person's edit is a list, and a cleared session has none", () => {
    const edit = {
      type: "custom",
      customType: "user_todo_edit",
      data: { phases: phases("mine") },
      id: "c",
      parentId: "b",
    }
    const reset = { type: "reset_boundary", id: "d", parentId: "c" }
    expect(lists(read(called("a", null), answered("b", "a", "one"), edit, reset))).toEqual([
      { phases: phases("one") },
      { phases: phases("mine") },
      { phases: [] },
    ])
  })

  test("a damaged line between two entries does not end the branch", () => {
    const signals = read(called("a", null), answered("b", "a", "one"), asked("d", "lost"))
    expect(lists(signals)).toEqual([{ phases: phases("one") }])
    expect(ofType(signals, "rewound")).toEqual([])
  })

  test("an entry that is its own parent ends the walk", () => {
    expect(() => read(asked("a", "a"), asked("b", "b"), asked("c", "a"))).not.toThrow()
  })
})

describe("every recording", () => {
  const recordings = [
    ["stdout", ohMyPiJson, stdout],
    ["session file", ohMyPiSession, sessionFile],
  ] as const

  test.each(recordings)("%s is recognised by its lines, not by the header both formats share", (_, stream, text) => {
    const lines: Record<string, unknown>[] = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    const other = stream === ohMyPiJson ? ohMyPiSession : ohMyPiJson
    expect(lines.filter((line) => !stream.recognises(line)).map(({ type }) => type)).toEqual(["session"])
    expect(lines.filter((line) => other.recognises(line))).toEqual([])
  })

  test.each(recordings)("%s gives the same signals by its needles alone", (_, stream, text) => {
    expect(withoutActivity(readByNeedles(stream, text))).toEqual(withoutActivity(readAll(stream, text)))
  })

  test.each(recordings)("%s never throws when damaged", (_, stream, text) => readDamaged(stream, text))
})
