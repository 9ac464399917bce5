/** A scan says of every recording what reading all of its lines says, in one go or bit by bit. */

import { appendFileSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { ScanState } from "../../src/sessions/file/scan.ts"
import { scanFile } from "../../src/sessions/index.ts"
import { createObserver, type Stream } from "../../src/streams/index.ts"
import { streams } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { recordings } from "../streams/recordings.ts"
import { samples } from "../streams/samples.ts"
import { writers } from "../streams/written.ts"

type Agents = Iterable<{ agent: string; plan?: { todos: readonly { content: string; status: string }[] } | undefined }>

const listsOf = (agents: Agents) =>
  [...agents]
    .flatMap(({ agent, plan }) =>
      plan ? [{ agent, todos: plan.todos.map(({ content, status }) => `${status} ${content}`) }] : [],
    )
    .sort((one, other) => (one.agent < other.agent ? -1 : 1))

const readAll = (text: string, stream: Stream) => {
  const observer = createObserver()
  const reader = stream.open()
  for (const line of text.split("\n")) for (const signal of reader.read(line)) observer.take(signal)
  return listsOf(observer.agents.values())
}

/** Only through its file: what is kept between two looks must be plain data. */
const scan = (path: string, stream: Stream, from?: ScanState) => {
  let bytes = 0
  const { observer, state } = scanFile(path, stream, {
    from: from && (JSON.parse(JSON.stringify(from)) as ScanState),
    onRead: (count) => {
      bytes += count
    },
  })
  return { lists: listsOf(observer.agents()), agents: observer.agents(), problems: observer.problems(), state, bytes }
}

const fileOf = (text: string): string => {
  const path = join(temporaryFolder(), "session.jsonl")
  writeFileSync(path, text)
  return path
}

describe.each(recordings)("$path", ({ path, stream }) => {
  const text = readFileSync(path, "utf8")

  test("C28 a scan gives the lists that reading every line gives", () => {
    expect(scan(path, stream).lists).toEqual(readAll(text, stream))
  })

  test("C28 continuing after every line gives the same lists", () => {
    const lines = text.split("\n").filter(Boolean)
    const growing = fileOf("")
    let state: ScanState | undefined
    for (const [index, line] of lines.entries()) {
      appendFileSync(growing, `${line}\n`)
      const looked = scan(growing, stream, state)
      state = looked.state
      if (index === lines.length - 1) expect(looked.lists).toEqual(readAll(text, stream))
    }
  })
})

const filler = (size: number): string =>
  `${JSON.stringify({ parentUuid: "u", isSidechain: false, type: "user", message: { content: "x".repeat(size) }, uuid: "f", sessionId: "s", version: "2.1.120", cwd: "/p", timestamp: "2030-01-01T00:00:00Z" })}\n`

const todoCall = (id: string, content: string, padding = ""): string =>
  `${JSON.stringify({ parentUuid: "u", isSidechain: false, padding, type: "assistant", message: { role: "assistant", content: [{ type: "tool_use", id, name: "TodoWrite", input: { todos: [{ content, status: "pending", activeForm: "x" }] } }] }, uuid: id, sessionId: "s", version: "2.1.120", cwd: "/p", timestamp: "2030-01-01T00:00:00Z" })}\n`

const answer = (id: string, isError = false): string =>
  `${JSON.stringify({ parentUuid: "u", isSidechain: false, type: "user", message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "…", ...(isError ? { is_error: true } : {}) }] }, uuid: `r${id}`, sessionId: "s", version: "2.1.120", timestamp: "2030-01-01T00:00:01Z" })}\n`

const claude = streams["claude-transcript"]
const only = (content: string) => [{ agent: "main", todos: [`pending ${content}`] }]

describe("bytes", () => {
  test("a needle and a line may span chunks, at any place", () => {
    const chunk = 128 << 10
    const [head, call] = [filler(10), todoCall("toolu_1", "Over the edge")]
    for (let cut = 0; cut <= call.length; cut += 3) {
      const padding = filler(chunk - filler(0).length - cut)
      const path = fileOf(head + padding + call + filler(300))
      expect(padding).toHaveLength(chunk - cut)
      expect(scan(path, claude).lists).toEqual(only("Over the edge"))
    }
  })

  test("a line longer than many chunks is read whole", () => {
    const path = fileOf(filler(10) + todoCall("toolu_1", "Long", "y".repeat(1_000_000)) + filler(10))
    expect(scan(path, claude).lists).toEqual(only("Long"))
  })

  test("a line beyond the bound is skipped and reported, what follows is read", () => {
    const path = fileOf(filler(10) + todoCall("toolu_1", "Huge", "y".repeat(300_000)) + todoCall("toolu_2", "After"))
    const { observer } = scanFile(path, claude, { maxLength: 200_000 })
    expect(listsOf(observer.agents())).toEqual(only("After"))
    expect([...observer.problems().keys()]).toEqual(["long-line"])
  })

  test("replies are found by the ids of their calls, whatever else they contain", () => {
    const refused = todoCall("toolu_2", "Refused") + filler(200_000) + answer("toolu_2", true)
    const path = fileOf(filler(10) + todoCall("toolu_1", "Kept") + answer("toolu_1") + refused)
    expect(scan(path, claude).lists).toEqual(only("Kept"))
  })

  test("a half-written last line is left for the next scan", () => {
    const path = fileOf(filler(10) + todoCall("toolu_1", "First"))
    const last = todoCall("toolu_2", "Second")
    appendFileSync(path, last.slice(0, 200))
    const first = scan(path, claude)
    expect(first.lists).toEqual(only("First"))
    expect(first.problems.size).toBe(0)
    appendFileSync(path, last.slice(200))
    expect(scan(path, claude, first.state).lists).toEqual(only("Second"))
  })

  test("a binary file gives nothing and blocks nothing", () => {
    const path = fileOf("")
    writeFileSync(path, Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256)))
    expect(scan(path, claude).lists).toEqual([])
  })
})

describe("continuing", () => {
  test("one appended line costs the same after 100 KB and after 4 MB", () => {
    const costs = [100_000, 4_000_000].map((size) => {
      const path = fileOf(todoCall("toolu_1", "First") + answer("toolu_1") + filler(1_000).repeat(size / 1_000))
      const { state } = scan(path, claude)
      appendFileSync(path, todoCall("toolu_2", "Second"))
      const next = scan(path, claude, state)
      expect(next.lists).toEqual(only("Second"))
      return next.bytes
    })
    expect(costs[0]).toBe(costs[1])
    expect(costs[0]).toBeLessThan(150_000)
  })

  test("a reply takes back a call of the previous scan", () => {
    const path = fileOf(filler(10) + todoCall("toolu_1", "Kept") + answer("toolu_1") + todoCall("toolu_2", "Refused"))
    const first = scan(path, claude)
    expect(first.lists).toEqual(only("Refused"))
    appendFileSync(path, answer("toolu_2", true))
    expect(scan(path, claude, first.state).lists).toEqual(only("Kept"))
  })

  test("a file that was cut short or rewritten is read from its start", () => {
    const path = fileOf(filler(10) + todoCall("toolu_1", "First") + filler(500))
    const { state } = scan(path, claude)
    writeFileSync(path, filler(20) + todoCall("toolu_9", "Anew") + filler(900))
    expect(scan(path, claude, state).lists).toEqual(only("Anew"))
    truncateSync(path, filler(20).length)
    expect(scan(path, claude, state).lists).toEqual([])
  })

  test("a rewind takes back calls that were answered in the previous scan", () => {
    const gemini = streams["gemini-chat"]
    const record = (id: string, rest: object) =>
      `${JSON.stringify({ id, timestamp: "2030-01-01T00:00:00Z", ...rest })}\n`
    const list = (id: string, description: string) =>
      record(id, {
        type: "gemini",
        content: "",
        toolCalls: [
          {
            id: `c${id}`,
            name: "write_todos",
            args: { todos: [{ description, status: "pending" }] },
            status: "success",
          },
        ],
      })
    const header = `${JSON.stringify({ sessionId: "s", projectHash: "h", kind: "main" })}\n`
    const prompt = (id: string) => record(id, { type: "user", content: [{ text: "Go on." }] })
    const path = fileOf(header + prompt("1") + list("2", "Stays") + prompt("3") + list("4", "Goes"))
    const first = scan(path, gemini)
    expect(first.lists).toEqual(only("Goes"))
    appendFileSync(path, `${JSON.stringify({ $rewindTo: "3" })}\n`)
    expect(scan(path, gemini, first.state).lists).toEqual(only("Stays"))
  })
})

test("the last lines show what an agent was doing, also where they are about no list", () => {
  const path = fileOf(
    filler(10) +
      todoCall("toolu_1", "First") +
      answer("toolu_1") +
      filler(200_000) +
      `${JSON.stringify({ parentUuid: "u", isSidechain: false, type: "assistant", message: { model: "claude-x", content: [{ type: "tool_use", id: "toolu_2", name: "Bash", input: {} }] }, uuid: "l", sessionId: "s", version: "2.1.121", cwd: "/elsewhere", timestamp: "2030-01-02T00:00:00Z" })}\n`,
  )
  expect(scan(path, claude).agents).toMatchObject([
    {
      about: { project: "/p", version: "2.1.121", model: "claude-x" },
      activity: { kind: "tool", tool: "Bash", at: "2030-01-02T00:00:00.000Z" },
    },
  ])
})

test("a merge changes what it names and keeps the rest", () => {
  const { start = [], list, result = () => [] } = writers["cursor-stream"]
  const whole = {
    id: "a",
    merge: false,
    at: 1,
    todos: ["1", "2", "3"].map((id) => ({ id, content: `Todo ${id}`, status: "pending" })),
  }
  const merge = { id: "b", merge: true, at: 2, todos: [{ id: "2", status: "completed" }] }
  const lines = [...start, ...list(whole), ...result(whole, true, 1), ...list(merge), ...result(merge, true, 2)]
  const path = fileOf(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  expect(scan(path, streams["cursor-stream"]).lists).toEqual([
    { agent: "main", todos: ["pending Todo 1", "completed Todo 2", "pending Todo 3"] },
  ])
})

test("a file that was empty at first belongs to the same agent once it grows", () => {
  const codex = streams["codex-rollout"]
  const line = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: "2030-01-01T00:00:00Z", type, payload })}\n`
  const path = fileOf("")
  const { state } = scan(path, codex)
  const plan = JSON.stringify({ plan: [{ step: "Look", status: "pending" }] })
  appendFileSync(
    path,
    line("session_meta", { id: "child", parent_thread_id: "parent", session_id: "parent", cwd: "/p" }),
  )
  appendFileSync(
    path,
    line("response_item", { type: "function_call", name: "update_plan", arguments: plan, call_id: "1" }),
  )
  expect(scan(path, codex, state).agents).toMatchObject([{ agent: "child", about: { project: "/p" } }])
})

test("a file whose lines take too long to parse is given up", () => {
  const line = JSON.stringify({ type: "user", sessionId: "s", message: { content: "TodoWrite" } })
  const [stream] = recordings.map((recording) => recording.stream)
  if (!stream) throw new Error("There is no recording.")
  expect(() => scanFile(fileOf(`${line}\n`), stream, { parseLimit: 0 })).toThrow("reading it took more than 0 seconds")
})

test("a document that takes too long to parse is given up, too", () => {
  const text = JSON.stringify(samples.atif.list("Read the notes"))
  expect(() => scanFile(fileOf(text), streams.atif, { parseLimit: 0 })).toThrow("reading it took more than 0 seconds")
})
