/** pi, and how its lines are told from those of oh-my-pi, which was made from it. */
import { describe, expect, test } from "vitest"
import { ohMyPiJson } from "../../src/agents/oh-my-pi/json.ts"
import { ohMyPiSession } from "../../src/agents/oh-my-pi/session.ts"
import { piJson } from "../../src/agents/pi/json.ts"
import { piSession } from "../../src/agents/pi/session.ts"
import { createDetector } from "../../src/streams/index.ts"
import { cpuTimeOf } from "../cpu-time.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"
import { streamsOf } from "./loaded.ts"

const folder = "pi-0.74.2/todo-extension"
const stdout = fixture(`${folder}/stdout.jsonl`)
const sessionFile = fixture(
  `${folder}/home/.pi/agent/sessions/--home-user-project--/2026-11-16T03-09-50-705Z_01a1e255-1af1-7b3d-8c49-f041151d0425.jsonl`,
)
const omp = fixture("omp-18.2.3/todos/stdout.jsonl")
const ompSession = fixture(
  "omp-18.2.3/todos/home/.omp/agent/sessions/-home-user-project/2026-11-15T18-51-38-524Z_01a1e08c-fc9c-7273-9ff9-f2ffe813fdcc.jsonl",
)

const formatOf = (text: string, count = Number.POSITIVE_INFINITY): string | undefined => {
  const detector = createDetector(streamsOf("auto"))
  for (const line of text.split("\n").slice(0, count)) detector.read(line)
  detector.end()
  return detector.stream?.id
}

describe("whose output it is", () => {
  test.each([
    ["pi-json", stdout],
    ["pi-session", sessionFile],
    ["oh-my-pi-json", omp],
    ["oh-my-pi-session", ompSession],
  ])("%s is recognised as what it is", (id, text) => expect(formatOf(text)).toBe(id))

  test("a line that only one of them writes is not recognised as the other's", () => {
    const objects = (text: string) => text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    const onlyBy = (own: typeof piJson | typeof piSession, other: typeof ohMyPiJson | typeof ohMyPiSession) =>
      [...objects(own === piJson ? omp : ompSession)].filter((line) => own.recognises(line) && !other.recognises(line))
    expect(onlyBy(piJson, ohMyPiJson)).toEqual([])
    expect(onlyBy(piSession, ohMyPiSession)).toEqual([])
    const theirs = objects(stdout).filter((line) => ohMyPiJson.recognises(line) && !piJson.recognises(line))
    const entries = objects(sessionFile).filter((line) => ohMyPiSession.recognises(line) && !piSession.recognises(line))
    expect([theirs, entries]).toEqual([[], []])
  })

  test("lines of another agent that also link to each other are neither's", () => {
    const line = { type: "user.message", data: { content: "Go" }, id: "e1", timestamp: "2026-01-01", parentId: null }
    const started = {
      type: "session.start",
      data: { sessionId: "s" },
      id: "e0",
      timestamp: "2026-01-01",
      parentId: null,
    }
    expect([line, started].filter((one) => piSession.recognises(one) || ohMyPiSession.recognises(one))).toEqual([])
  })
})

describe.each([
  ["pi-json", piJson, stdout],
  ["pi-session", piSession, sessionFile],
] as const)("%s", (_, stream, text) => {
  test("a list comes with the result of its call, and never before", () => {
    const signals = readAll(stream, text)
    expect(ofType(signals, "call")).toEqual([])
    expect(ofType(signals, "snapshot").map(({ call }) => call.input)).toEqual([
      { todos: [{ id: "1", content: "Read the README", status: "pending" }] },
      {
        todos: [
          { id: "1", content: "Read the README", status: "pending" },
          { id: "2", content: "Write the parser", status: "pending" },
        ],
      },
      {
        todos: [
          { id: "1", content: "Read the README", status: "completed" },
          { id: "2", content: "Write the parser", status: "pending" },
        ],
      },
    ])
    expect(ofType(signals, "activity").flatMap(({ tool }) => tool ?? [])).toEqual(["bash"])
    expect(ofType(signals, "activity").at(-1)).toMatchObject({ kind: "turn-ended" })
  })

  test("gives the same signals by its needles alone, and never throws when damaged", () => {
    expect(withoutActivity(readByNeedles(stream, text))).toEqual(withoutActivity(readAll(stream, text)))
    readDamaged(stream, text)
  })
})

test("a branch that continues elsewhere takes back the changes of the list since the fork", () => {
  const message = (id: string, parentId: string | null, texts: readonly string[]) => ({
    type: "message",
    id,
    parentId,
    timestamp: "2026-01-01T00:00:00.000Z",
    message: {
      role: "toolResult",
      toolCallId: id,
      toolName: "todo",
      details: { todos: texts.map((text, at) => ({ id: at, text, done: false })), nextId: 9 },
    },
  })
  const entries = [
    message("a", null, ["Read"]),
    message("b", "a", ["Read", "Run"]),
    { type: "message", id: "c", parentId: "a", message: { role: "user", content: "Again" } },
  ]
  const lists = ofType(readAll(piSession, entries.map((entry) => JSON.stringify(entry)).join("\n")), "snapshot")
  expect(lists.map(({ call }) => (call.input as { todos: object[] }).todos.length)).toEqual([1, 2, 1])
})

test("branches that continue from far apart again and again are read in linear time", () => {
  const count = 10_000
  const entry = (id: string, parentId: string | null) =>
    JSON.stringify({ type: "message", id, parentId, message: { role: "user", content: "Go" } })
  const chain = (name: string) =>
    Array.from({ length: count }, (_, at) => entry(`${name}${at}`, at === 0 ? "first" : `${name}${at - 1}`))
  const tips = Array.from({ length: count }, (_, at) => entry(`tip${at}`, `${at % 2 === 0 ? "a" : "b"}${count - 1}`))
  const text = [entry("first", null), ...chain("a"), ...chain("b"), ...tips].join("\n")
  expect(cpuTimeOf(() => readAll(piSession, text))).toBeLessThan(3_000)
})

test("a model that failed ends the turn with its reason", () => {
  const entry = {
    type: "message",
    id: "a",
    parentId: null,
    message: { role: "assistant", content: [], stopReason: "error", errorMessage: "overloaded" },
  }
  expect(readAll(piSession, JSON.stringify(entry))).toEqual([
    { type: "activity", agent: "main", kind: "turn-ended", error: "overloaded" },
  ])
})
