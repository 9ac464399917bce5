/** Grok's two streams, its session files and its hook, read from genuine captures. */
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { acp } from "../../src/agents/acp/updates.ts"
import { hooks } from "../../src/agents/grok/hooks.ts"
import { grokJson } from "../../src/agents/grok/json.ts"
import { grokSession } from "../../src/agents/grok/session.ts"
import { grokStream } from "../../src/agents/grok/stream.ts"
import { readHookEvent } from "../../src/bridges/hooks/read-event.ts"
import { discover } from "../../src/sessions/index.ts"
import { createCallFinder } from "../../src/sessions/lookup/find-call.ts"
import { createObserver } from "../../src/streams/index.ts"
import type { Signal, Stream } from "../../src/streams/stream.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { fixture, ofType, readAll, readByNeedles, readDamaged, withoutActivity } from "../streams/damage.ts"
import { captures } from "../streams/samples.ts"
import { sources } from "./loaded.ts"

const places = fileURLToPath(new URL("../fixtures/homes/grok-1.0.41/subagent/home", import.meta.url))
const inHome = (name: string): string => {
  const home = join(captures, "grok-1.0.41", name, "home")
  const [path = ""] = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((one) =>
    one.endsWith("updates.jsonl"),
  )
  return readFileSync(join(home, path), "utf8")
}

const recordings: readonly [name: string, stream: Stream, text: string][] = [
  ["streaming-json", grokJson, fixture("grok-1.0.41/todo-write-acp/stdout.jsonl")],
  ["streaming-messages-json", grokStream, fixture("grok-1.0.41/todo-write-messages/stdout.jsonl")],
  ["a session file", grokSession, inHome("todo-write-acp")],
]

const listIn = (signals: readonly Signal[]): string[] => {
  const observer = createObserver()
  for (const signal of signals) observer.take(signal)
  observer.end()
  return (observer.agents.get("main")?.plan?.todos ?? []).map(({ status, content }) => `${status} ${content}`)
}

const known = ["completed Read the README", "in_progress Write the parser", "cancelled Test it"]

describe.each(recordings)("%s", (_, stream, text) => {
  const signals = readAll(stream, text)

  test("has three calls with their results, and ends with the list in them", () => {
    expect(ofType(signals, "call").map(({ dialect, call }) => [dialect, call.callId])).toEqual([
      ["cursor", "call_m0001"],
      ["cursor", "call_m0003"],
      ["cursor", "call_m0004"],
    ])
    expect(ofType(signals, "result").map(({ ok }) => ok)).toEqual([true, true, true])
    expect(listIn(signals)).toEqual(known)
  })

  test("reports other work, texts and the end of the turn", () => {
    const done = ofType(signals, "activity").filter(({ isResult }) => isResult !== true)
    const doings = done.map(({ kind, tool }) => tool ?? kind)
    expect(doings).toEqual(["prompt", "run_terminal_command", "text", "turn-ended"])
  })

  test("gives the same signals by its needles alone, and damaged lines do not throw", () => {
    expect(withoutActivity(readByNeedles(stream, text))).toEqual(withoutActivity(signals))
    readDamaged(stream, text)
  })

  test("no line of it is recognised as another of its formats, or as the protocol it is written in", () => {
    const others = [grokJson, grokStream, grokSession, acp].filter((other) => other !== stream)
    for (const line of text
      .split("\n")
      .filter(Boolean)
      .map((one) => JSON.parse(one) as Record<string, unknown>))
      expect(others.filter((other) => other.recognises(line))).toEqual([])
  })
})

test("a cancelled todo is not completed, also over ACP, where its plan has it in a note", () => {
  const plan = {
    sessionUpdate: "plan",
    entries: [
      { content: "Read the README", priority: "medium", status: "completed" },
      { content: "Test it", priority: "medium", status: "completed", _meta: { cancelled: true } },
    ],
  }
  const line = { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: plan } }
  expect(listIn(readAll(acp, JSON.stringify(line)))).toEqual(["completed Read the README", "cancelled Test it"])
})

test("over ACP its calls count, and not the plan that completes everything when a turn ends", () => {
  const live = inHome("todo-write-acp")
    .split("\n")
    .filter(Boolean)
    .map((one) => {
      const { method, params } = JSON.parse(one) as { method: string; params: { sessionId: string; update: object } }
      return JSON.stringify({ jsonrpc: "2.0", method, params: { sessionId: params.sessionId, update: params.update } })
    })
  expect(listIn(readAll(acp, live.join("\n")))).toEqual(known)
})

test("a refused call is taken back, and a tool of a server is called through another one", () => {
  const call = (id: string, toolName: string, rawInput: object) => ({
    type: "tool_call",
    toolCallId: id,
    toolName,
    rawInput,
  })
  const own = { tool_name: "headway__todo", tool_input: { todos: [{ content: "Read", status: "pending" }] } }
  const lines = [
    call("a", "todo_write", { todos: [{ id: "1", content: "Never", status: "pending" }], merge: false }),
    { type: "tool_call_update", toolCallId: "a", status: "failed" },
    call("b", "use_tool", own),
    { type: "tool_call_update", toolCallId: "b", rawInput: { variant: "MCPTool", ...own } },
    { type: "tool_call_update", toolCallId: "b", status: "completed", content: [{ content: { text: "1/1 done" } }] },
    { type: "end", stopReason: "cancelled", sessionId: "s" },
  ]
  const signals = readAll(grokJson, lines.map((line) => JSON.stringify(line)).join("\n"))
  expect(ofType(signals, "call").map(({ dialect, call: { callId } }) => [dialect, callId])).toEqual([
    ["cursor", "a"],
    ["headway", "b"],
  ])
  expect(listIn(signals)).toEqual(["pending Read"])
  expect(ofType(signals, "activity").at(-1)?.error).toBe("The turn was interrupted.")
})

describe("a sub-agent", () => {
  const parent = "01a1e5a8-bcc8-7113-8a06-6bd00b5e8a12"
  const child = "01a1e5a8-be1c-7321-93ce-e5dd2cae8597"
  const now = new Date("2026-11-16T20:00:00Z")
  const listed = async (home: string) =>
    (await discover({ sources, env: {}, home, now })).map(({ session, agent, parent: of, project, plan }) => ({
      session,
      agent,
      of: of?.agent,
      project,
      todos: plan?.todos.map(({ content }) => content),
    }))

  test("with its own session is listed under its parent", async () => {
    const project = "/home/user/project"
    expect(await listed(places)).toEqual([
      { session: parent, agent: "main", of: undefined, project, todos: ["Read the README", "Look at the attic"] },
      { session: parent, agent: child, of: "main", project, todos: ["Climb up", "Count the boxes"] },
    ])
  })

  test("is a session like others where its parent is gone", async () => {
    const home = temporaryFolder()
    cpSync(places, home, { recursive: true, filter: (path) => !path.includes(parent) })
    expect((await listed(home)).map(({ session, agent }) => [session, agent])).toEqual([[child, "main"]])
  })

  test("is recognised by its files as the one that made a call", async () => {
    const finder = createCallFinder({ source: sources.grok, env: {}, home: places, folder: "/home/user/project" })
    const todos = [
      { id: "1", content: "Climb up", status: "in_progress" },
      { id: "2", content: "Count the boxes", status: "pending" },
    ]
    const call = { tool: "todo_write", input: { todos, merge: false }, at: new Date("2026-11-16T18:40:03Z") }
    expect(await finder.find([call])).toEqual({ session: parent, agent: child })
    finder.close()
  })

  test("is named in the call that started it, and its end is reported", () => {
    const [path = ""] = readdirSync(places, { recursive: true, encoding: "utf8" }).filter((one) =>
      one.endsWith(`${parent}/updates.jsonl`),
    )
    const signals = readAll(grokSession, readFileSync(join(places, path), "utf8"))
    expect(ofType(signals, "session").find(({ parent: of }) => of)).toMatchObject({
      agent: child,
      title: "Look",
      role: "general-purpose",
    })
    expect(ofType(signals, "activity").filter(({ kind }) => kind === "ended")).toMatchObject([{ agent: child }])
  })
})

describe("its hook", () => {
  const stops = readFileSync("test/fixtures/hooks/grok-1.0.41/Stop.jsonl", "utf8").split("\n").filter(Boolean)

  test("gets the last words and what still runs, and is not asked when the program ends", () => {
    const [asked, shutdown] = stops.map((line) => readHookEvent(hooks, line))
    expect(asked).toMatchObject({ moment: "stop", agent: "main", isWaiting: true, isGuardActive: false })
    expect(shutdown).toBeUndefined()
    const done = {
      ...JSON.parse(stops[0] ?? ""),
      lastAssistantMessage: "Done.",
      backgroundTasks: [],
      stopHookActive: true,
    }
    expect(readHookEvent(hooks, JSON.stringify(done))).toMatchObject({ isWaiting: false, isGuardActive: true })
  })

  test("can send the agent back to work", () => {
    const event = readHookEvent(hooks, stops[0] ?? "")
    expect(event && hooks.answer(event, { holds: "Go on." })).toEqual({ decision: "block", reason: "Go on." })
  })
})
