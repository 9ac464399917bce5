/** Qwen Code's stream, session file and todo file, read from a genuine capture. */
import { describe, expect, test } from "vitest"
import { claudeStream } from "../../src/agents/claude-code/stream.ts"
import { claudeTranscript } from "../../src/agents/claude-code/transcript.ts"
import { qwenChat } from "../../src/agents/qwen-code/chat.ts"
import { readQwenTodos } from "../../src/agents/qwen-code/list-files.ts"
import { qwenStream } from "../../src/agents/qwen-code/stream.ts"
import type { Signal, Stream } from "../../src/streams/stream.ts"
import { fixture, ofType as only, readDamaged } from "../streams/damage.ts"

const folder = "qwen-0.24.4/todos/"
const session = "45782fe6-9de1-4271-a10f-8a50f685ec05"
const linesOf = (path: string): string[] =>
  fixture(folder + path)
    .split("\n")
    .filter(Boolean)
const signalsOf = (stream: Stream, lines: readonly string[]): Signal[] => {
  const reader = stream.open()
  return lines.flatMap((line) => reader.read(line))
}

const paths = { stream: "stdout.jsonl", chat: `home/.qwen/projects/-home-user-project/chats/${session}.jsonl` }
const both: [Stream, string][] = [
  [qwenStream, paths.stream],
  [qwenChat, paths.chat],
]

describe.each(both)("$id", (stream, path) => {
  const lines = linesOf(path)
  const signals = signalsOf(stream, lines)

  test("has four calls with their results, one of them refused", () => {
    const ids = ["toolu_mock0001", "toolu_mock0003", "toolu_mock0004", "toolu_mock0006"]
    expect(only(signals, "call").map(({ call }) => call.callId)).toEqual(ids)
    expect(
      only(signals, "call").every(
        ({ agent, dialect, call }) => agent === "main" && dialect === "qwen" && call.observed,
      ),
    ).toBe(true)
    expect(only(signals, "call")[0]?.call).toMatchObject({
      tool: "todo_write",
      input: { todos: [{ id: "1", content: "Read the README", status: "in_progress" }, { id: "2" }, { id: "3" }] },
    })
    expect(only(signals, "result").map(({ callId, ok }) => [callId, ok])).toEqual(
      ids.map((id) => [id, id !== "toolu_mock0004"]),
    )
  })

  test("names session, project, version and model", () => {
    const facts = Object.assign({}, ...only(signals, "session"))
    expect(facts).toMatchObject({ session, project: "/home/user/project", version: "0.24.4", model: "mock-model" })
  })

  test("reports other tools and texts, not the todo calls", () => {
    const doings = only(signals, "activity").map(({ kind, tool }) => tool ?? kind)
    const expected = ["text", "run_shell_command", "tool", "run_shell_command", "tool", "text", "turn-ended"]
    expect(doings.filter((doing) => doing !== "prompt")).toEqual(expected)
  })

  test("is recognised by its first lines, and by no other format", () => {
    const others = [qwenStream, qwenChat, claudeStream, claudeTranscript].filter((other) => other !== stream)
    for (const line of lines.slice(0, 3).map((text) => JSON.parse(text) as Record<string, unknown>)) {
      expect(stream.recognises(line)).toBe(true)
      expect(others.filter((other) => other.recognises(line))).toEqual([])
    }
  })

  test("gives the same signals by its needles alone", () => {
    const matters = (some: string[]) =>
      signalsOf(stream, some).filter(({ type }) => type === "call" || type === "result")
    const found = lines.filter((line) => stream.needles.some((needle) => line.includes(needle)))
    expect(found.length).toBeLessThan(lines.length)
    expect(matters(found)).toEqual(matters(lines))
  })

  test("never throws on damaged lines", () => {
    expect(() => readDamaged(stream, fixture(folder + path))).not.toThrow()
    expect(stream.open().read('{"type":')).toMatchObject([{ type: "problem" }])
  })
})

test("the session file has times, and the list as data", () => {
  const signals = signalsOf(qwenChat, linesOf(paths.chat))
  expect(only(signals, "call")[0]?.call.at).toBe("2026-11-15T18:51:29.846Z")
  expect(only(signals, "activity")[0]).toMatchObject({ kind: "prompt", at: "2026-11-15T18:51:28.667Z" })
  expect(only(signals, "result").at(-1)?.result).toMatchObject({ type: "todo_list", todos: [{ id: "1" }, {}, {}, {}] })
})

test("the todo file is a snapshot of its session", () => {
  const read = readQwenTodos(fixture(`${folder}home/.qwen/todos/${session}.json`), "2026-11-15T18:51:31.000Z")
  expect(read).toMatchObject({
    session,
    problems: [],
    call: { tool: "todo_write", observed: true, at: "2026-11-15T18:51:31.000Z" },
  })
  expect(read.call?.input).toMatchObject({ todos: [{ id: "1", status: "completed" }, {}, {}, { id: "4" }] })
  expect(readQwenTodos("{")).toMatchObject({ problems: [{ code: "damaged-file" }] })
  expect(readQwenTodos('{"todos":7}').call).toBeUndefined()
})
