/** Recordings of which only some lines were kept: too little to tell the format, enough to read the list. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type ExpectedList, listsOf, observeBytes } from "../contracts/stream.ts"

const folder = "test/fixtures/excerpts/claude-2.1.197-resume"
const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as Record<string, ExpectedList[]>

describe.each(Object.entries(expected))("%s", (file, lists) => {
  test.each([1, 7, 65_536])("C28 gives the list in its results, fed by %i bytes", (size) => {
    const observer = observeBytes(readFileSync(join(folder, file)), size, "claude-stream")
    expect(listsOf(observer, lists)).toEqual(lists)
  })
})

const todos = (...texts: string[]) => texts.map((content) => ({ content, status: "pending", activeForm: content }))
const written = (input: unknown, more: object = {}, call: object = {}): string =>
  JSON.stringify({
    type: "assistant",
    message: { content: [{ type: "tool_use", name: "TodoWrite", input, ...call }] },
    ...more,
  })

const read = (lines: readonly string[], from: string) => {
  const observer = observeBytes(Buffer.from(`${lines.join("\n")}\n`), 1000, from)
  const main = observer.agents.get("main")
  return {
    format: observer.streamId,
    texts: main?.plan?.todos.map(({ content }) => content),
    at: main?.updated,
    problems: [...observer.problems.keys()],
  }
}

describe.each(["auto", "claude-code"])("logs of Claude Code's messages, read as %s", (from) => {
  test("a message alone, without a session or the id of its call, is the list", () => {
    expect(read([written({ todos: todos("Read") })], from)).toMatchObject({ format: "claude-stream", texts: ["Read"] })
  })

  test("of several such messages the last one is the list", () => {
    const lines = [todos("Read"), todos("Read", "Run")].map((list) => written({ todos: list }))
    expect(read(lines, from).texts).toEqual(["Read", "Run"])
  })

  test("a line of a session file without a side is the main agent's", () => {
    const line = written({ todos: todos("Read") }, { sessionId: "s1" }, { id: "toolu_1" })
    expect(read([line], from)).toMatchObject({ format: "claude-transcript", texts: ["Read"] })
  })

  test("the time on a line of the stream is the time of its list", () => {
    const at = "2026-01-01T00:00:01.000Z"
    const line = written({ todos: todos("Read") }, { session_id: "s", timestamp: at }, { id: "toolu_1" })
    expect(read([line], from)).toMatchObject({ format: "claude-stream", texts: ["Read"], at })
  })

  test("a text in the place of a list is skipped, and that is reported", () => {
    const lines = [
      written({ todos: todos("Read") }, { session_id: "s" }, { id: "toolu_1" }),
      written({ todos: "some words" }, { session_id: "s" }, { id: "toolu_2" }),
      JSON.stringify({
        type: "user",
        session_id: "s",
        message: { content: [{ type: "tool_result", tool_use_id: "toolu_2", content: "Todos have been modified" }] },
      }),
    ]
    expect(read(lines, from)).toMatchObject({ texts: ["Read"], problems: ["words-for-list"] })
  })

  test("C2 two lists in one message apply in order, whatever the order of their results", () => {
    const use = (id: string, ...texts: string[]) => ({
      type: "tool_use",
      id,
      name: "TodoWrite",
      input: { todos: todos(...texts) },
    })
    const about = { sessionId: "s1", isSidechain: false, uuid: "u" }
    const message = { content: [use("toolu_1", "Read"), use("toolu_2", "Read", "Run")] }
    const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "Todos have been modified" })
    const answers = { ...about, type: "user", message: { content: [result("toolu_2"), result("toolu_1")] } }
    const lines = [{ ...about, type: "assistant", message }, answers].map((line) => JSON.stringify(line))
    expect(read(lines.slice(0, 1), from).texts).toEqual(["Read", "Run"])
    expect(read(lines, from).texts).toEqual(["Read", "Run"])
  })
})

test.each([
  ["missing", {}],
  ["null", { items: null }],
  ["words", { items: "Read" }],
])("a list of Codex whose items are %s is skipped, and that is reported", (_, more) => {
  const item = (fields: object) =>
    JSON.stringify({ type: "item.updated", item: { id: "item_1", type: "todo_list", ...fields } })
  const lines = [item({ items: [{ text: "Read", completed: false }] }), item(more)]
  expect(read(lines, "openai-codex")).toMatchObject({ texts: ["Read"], problems: ["list-without-items"] })
  expect(read([...lines, item({ items: [] })], "openai-codex").texts).toEqual([])
})
