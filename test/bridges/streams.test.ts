/** The door `headway/streams`: any agent's output pushed or iterated, and a session's list rebuilt from its log. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, test } from "vitest"
import {
  nextLists,
  noLists,
  openReader,
  readEvents,
  rebuildSession,
  type StreamSource,
} from "../../src/bridges/streams.ts"
import type { Problem } from "../../src/plan/index.ts"
import type { StreamEvent, TodoListEvent } from "../../src/streams/index.ts"
import type { LiveLists } from "../../src/views/live-lists.ts"
import type { ExpectedList } from "../contracts/stream.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { captures } from "../streams/samples.ts"

const now = (): Date => new Date("2030-01-01T00:00:00Z")
const fileOf = (name: string): string => join(captures, name, "stdout.jsonl")
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("")

const allOf = async (source: StreamSource, options = {}): Promise<StreamEvent[]> => {
  const events: StreamEvent[] = []
  for await (const event of readEvents(source, { now, ...options })) events.push(event)
  return events
}

const listsIn = (events: readonly StreamEvent[]): TodoListEvent[] =>
  events.flatMap((event) => (event.type === "todo_list" ? [event] : []))

const file = fileOf("gemini-0.61.0/write-todos")
const text = readFileSync(file, "utf8")

async function* later<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  yield* values
}

const pieces = (size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

describe("events (A1, A2)", () => {
  test.each<[string, () => StreamSource]>([
    ["a file by its URL", () => ({ file: pathToFileURL(file) })],
    ["text", () => text],
    ["bytes", () => readFileSync(file)],
    ["text in pieces that cut characters", () => pieces(1)],
    ["bytes in pieces, as they come", () => later(pieces(7).map((piece) => Buffer.from(piece)))],
    ["a stream of the web", () => new Blob([text]).stream()],
    ["lines", () => ({ lines: text.split("\n") })],
    ["lines as they come", () => ({ lines: later(text.split("\n")) })],
  ])("%s give the same events as the file", async (_, source) => {
    const events = await allOf({ file })
    expect(events.length).toBeGreaterThan(6)
    expect(JSON.stringify(events)).toContain("🐛")
    expect(await allOf(source())).toEqual(events)
  })

  test("come with the line that completes them, and open ones with the end", async () => {
    const reader = await openReader({ now })
    const characters = [...text]
    const pushed = characters.map((character) => reader.push(character))
    const completing = characters.filter((_, index) => (pushed[index] ?? []).length > 0)
    expect(new Set(completing)).toEqual(new Set(["\n"]))
    expect([...pushed.flat(), ...reader.end()]).toEqual(await allOf({ file }))
  })

  test("name the agent by its lines, or by its long, short or format's name", async () => {
    for (const from of ["auto", "google-gemini", "gemini", "gemini-stream"]) {
      const reader = await openReader({ from, now })
      expect([reader.isRecognised, reader.agentType]).toEqual([
        false,
        from === "gemini-stream" ? "google-gemini" : undefined,
      ])
      expect([...reader.push(text), ...reader.end()]).toEqual(await allOf({ file }))
      expect(reader).toMatchObject({ agentType: "google-gemini", format: "gemini-stream", isRecognised: true })
    }
    await expect(openReader({ from: "gemeni" })).rejects.toMatchObject({ code: "unknown-stream" })
  })

  test("name the member, and confirmed lists contain no refused call", async () => {
    const events = await allOf({ file }, { member: "Ada", confirmed: true })
    expect(new Set(events.map(({ member }) => member))).toEqual(new Set(["Ada"]))
    expect(listsIn(events).flatMap(({ items }) => items.map((item) => item.text))).not.toContain("bad")
    expect(listsIn(events).filter(({ unconfirmed }) => unconfirmed)).toEqual([])
  })

  test("report unreadable lines once of each kind, and reading continues (A4)", async () => {
    const problems: Problem[] = []
    const onProblem = (problem: Problem): void => void problems.push(problem)
    const events = await allOf(`${text}{"half\n{"more\n`, { onProblem })
    expect(problems.map(({ code }) => code).filter((code) => code === "malformed-line")).toHaveLength(1)
    expect(events).toEqual(await allOf({ file }))
  })

  test("are none for text that no agent wrote", async () => {
    expect(await allOf("Dear diary,\n{}\n")).toEqual([])
    expect(await rebuildSession("Dear diary,\n{}\n")).toMatchObject({ agentType: undefined, plan: { todos: [] } })
  })

  test("release the file when a reader stops early", async () => {
    for await (const event of readEvents({ file })) {
      expect(event.type).toBe("turn")
      break
    }
  })

  test("are refused by name for a missing file, and for a folder", async () => {
    const folder = temporaryFolder()
    await expect(allOf({ file: join(folder, "none") })).rejects.toMatchObject({ code: "not-found" })
    await expect(allOf({ file: folder })).rejects.toMatchObject({ code: "not-a-regular-file" })
  })

  test("fit into the state of a live view as they are (A7)", async () => {
    let lists: LiveLists<TodoListEvent> = noLists
    const seen: number[] = []
    for await (const event of readEvents({ file: fileOf("claude-2.1.197/subagents-todowrite") }, { now })) {
      lists = nextLists(lists, event)
      seen.push(lists.length)
    }
    expect(Math.max(...seen)).toBe(3)
    expect(lists.map(({ list, hasEnded }) => [list.parentId, hasEnded])).toEqual([[undefined, true]])
  })
})

describe("a session rebuilt (C28, O16)", () => {
  const claude = (...content: object[]) => ({
    type: "assistant",
    session_id: "s",
    parent_tool_use_id: null,
    message: { content },
  })
  const write = (id: string, input: unknown) => claude({ type: "tool_use", id, name: "TodoWrite", input })
  const answer = (id: string, isError = false) => ({
    type: "user",
    session_id: "s",
    parent_tool_use_id: null,
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "…", is_error: isError }] },
  })
  const todos = (...statuses: string[]) => ({
    todos: statuses.map((status, index) => ({ content: `Todo ${index}`, status, activeForm: "Doing" })),
  })
  const contentsOf = async (...values: unknown[]): Promise<string[]> =>
    (await rebuildSession(lines(...values))).plan.todos.map(({ content, status }) => `${content} ${status}`)

  const names = readdirSync(captures).flatMap((client) =>
    readdirSync(join(captures, client)).flatMap((name) =>
      readdirSync(join(captures, client, name)).includes("stdout.jsonl") ? [`${client}/${name}`] : [],
    ),
  )

  test.each(names)("%s: every list a person reads in it", async (name) => {
    const { stdout } = JSON.parse(readFileSync(join(captures, name, "expected.json"), "utf8")) as {
      stdout: ExpectedList[]
    }
    const { plan, subAgents } = await rebuildSession({ file: fileOf(name) })
    const rebuilt = [{ agent: "main", plan }, ...subAgents.map((one) => ({ agent: one.agentId, plan: one.plan }))]
    const shown = rebuilt.flatMap(({ agent, plan: { todos } }) =>
      todos.length === 0 ? [] : [[agent, todos.map(({ content, status }) => [content, status])]],
    )
    const wanted = stdout.flatMap(({ agent, todos }) =>
      todos.length === 0 ? [] : [[agent, todos.map(({ content, status }) => [content, status])]],
    )
    expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(wanted))
  })

  test("the last call decides, and its progress is 2 of 5", async () => {
    const log = lines(
      write("1", todos("pending")),
      answer("1"),
      write("2", todos("completed", "completed", "in_progress", "pending", "pending")),
    )
    const { agentType, session, progress } = await rebuildSession(log)
    expect([agentType, session, `${progress.completed}/${progress.total}`]).toEqual(["claude-code", "s", "2/5"])
  })

  test("a call that cannot be read even after repair leaves an empty list, not the one before it", async () => {
    const first = [write("1", todos("pending")), answer("1")]
    expect(await contentsOf(...first, write("2", "nothing like a list"))).toEqual([])
    expect(await contentsOf(...first, write("2", { todos: 7 }), answer("2"))).toEqual([])
    expect(await contentsOf(...first, write("2", "{'todos': [{'content': 'Mended', 'status': 'done'}]"))).toEqual([
      "Mended completed",
    ])
  })

  test("a call that was refused changes nothing", async () => {
    expect(
      await contentsOf(write("1", todos("pending")), answer("1"), write("2", todos("completed")), answer("2", true)),
    ).toEqual(["Todo 0 pending"])
  })

  test("oh-my-pi's list follows from the results of its tool alone (O16)", async () => {
    const all = readFileSync(fileOf("omp-18.2.3/todos"), "utf8").split("\n")
    const results = all.filter((line) => !line.includes('"tool_execution_start"'))
    expect(results.length).toBeLessThan(all.length)
    const whole = await rebuildSession({ lines: all })
    expect(whole.plan.todos.length).toBeGreaterThan(1)
    const rebuilt = await rebuildSession({ lines: results }, { from: "oh-my-pi" })
    expect(rebuilt.plan.todos.map(({ content, status }) => [content, status])).toEqual(
      whole.plan.todos.map(({ content, status }) => [content, status]),
    )
  })
})
