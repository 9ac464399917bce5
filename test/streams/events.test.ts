import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { describe, expect, test } from "vitest"
import { todoStatuses } from "../../src/plan/index.ts"
import {
  createDetector,
  createEventReader,
  type EventReader,
  type StreamEvent,
  type TodoListEvent,
  type TurnEvent,
} from "../../src/streams/index.ts"
import { streamIds, streams, streamsOf } from "../agents/loaded.ts"
import type { ExpectedList } from "../contracts/stream.ts"
import { rounds } from "../rounds.ts"
import { fixture, ofType } from "./damage.ts"
import { surviveDamage } from "./mutations.ts"
import { captures, samples } from "./samples.ts"

const schema = JSON.parse(readFileSync(new URL("../../docs/events.schema.json", import.meta.url), "utf8"))
const { todoList, turn: turnSchema } = schema.$defs
const isEvent = new Ajv2020({ strict: true, allErrors: true }).compile<StreamEvent>(schema)
const now = (): Date => new Date("2030-01-01T00:00:00Z")

type Read = { events: TodoListEvent[]; turns: TurnEvent[]; reader: EventReader }

type ReadOptions = { size?: number; from?: string; maxLength?: number; confirmed?: boolean; member?: string }

const read = (bytes: Uint8Array | string, options: ReadOptions = {}): Read => {
  const { size = 65_536, from = "auto", ...rest } = options
  const all = Buffer.from(bytes)
  const [events, turns]: [TodoListEvent[], TurnEvent[]] = [[], []]
  const onEvent = (event: StreamEvent): void => void (event.type === "turn" ? turns.push(event) : events.push(event))
  const reader = createEventReader({ candidates: streamsOf(from), now, onEvent, ...rest })
  for (let at = 0; at < all.length; at += size) reader.push(all.subarray(at, at + size))
  reader.end()
  return { events, turns, reader }
}

const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join("")

const files = readdirSync(captures, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(?:jsonl|txt)$/.test(path))
  .toSorted()

describe.each(files)("%s", (path) => {
  const { events, turns } = read(fixture(path))

  test("every event is valid by the schema, with no field it does not name (A2)", () => {
    for (const event of [...events, ...turns]) {
      const names = Object.keys((event.type === "turn" ? turnSchema : todoList).properties)
      expect(isEvent(event), JSON.stringify(isEvent.errors)).toBe(true)
      expect(Object.keys(event).filter((name) => !names.includes(name))).toEqual([])
      if (event.type === "turn") continue
      expect(event.items.flatMap(Object.keys).filter((name) => name !== "text" && name !== "status")).toEqual([])
    }
  })

  test("ids are unique, and the same however often and in whatever pieces it is read", () => {
    const ids = [...events, ...turns].map(({ eventId }) => eventId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const size of [1, 7]) expect(read(fixture(path), { size })).toMatchObject({ events, turns })
  })

  test("confirmed lists end the same, and none of them is unconfirmed", () => {
    const confirmed = read(fixture(path), { confirmed: true }).events
    const last = (all: readonly TodoListEvent[]) =>
      Object.fromEntries(all.flatMap(({ agentId, items }) => (items.length > 0 ? [[agentId, items]] : [])))
    expect(confirmed.filter(({ unconfirmed }) => unconfirmed)).toEqual([])
    expect(last(confirmed)).toEqual(last(events))
  })

  test("a turn of an agent begins or ends once, and only a failed one has a reason", () => {
    for (const [index, { agentId, state }] of turns.entries()) {
      const before = turns.slice(0, index).findLast((one) => one.agentId === agentId)?.state
      if (state !== "started") expect([undefined, "started"]).toContain(before)
    }
  })

  test("every event is a change", () => {
    const lists = new Map<string, string>()
    for (const { agentId, items } of events) {
      expect(lists.get(agentId)).not.toBe(JSON.stringify(items))
      lists.set(agentId, JSON.stringify(items))
    }
  })
})

const outputs = files.filter((path) => path.endsWith("stdout.jsonl"))

test.each(outputs)("%s ends with the lists a person reads in it (A1)", (path) => {
  const { stdout } = JSON.parse(fixture(join(path, "../expected.json"))) as { stdout: ExpectedList[] }
  const { events } = read(fixture(path))
  const sessions = new Set(events.map(({ todoId }) => todoId.split("/")[0]))
  const final = new Map(events.map(({ agentId, items }) => [agentId, items]))
  const wanted = stdout.map(({ agent, todos }) => [
    agent === "main" ? [...sessions][0] : agent,
    todos.map(({ content, status }) => ({ text: content, status })),
  ])
  expect(sessions.size).toBeLessThanOrEqual(1)
  expect(Object.fromEntries(final)).toEqual(Object.fromEntries(wanted))
})

test("the schema has exactly the known agents and statuses", () => {
  const agentTypes = [...new Set(Object.values(streams).map(({ agentType }) => agentType))]
  expect([todoList, turnSchema].map(({ properties }) => properties.agentType.enum)).toEqual([agentTypes, agentTypes])
  expect(todoList.properties.items.items.properties.status.enum).toEqual(todoStatuses)
})

const codex = (...texts: string[]) => ({
  type: "item.updated",
  item: { id: "item_1", type: "todo_list", items: texts.map((text) => ({ text, completed: false })) },
})
const thread = (id: string) => ({ type: "thread.started", thread_id: id })
const gemini = (id: string, todos: unknown, timestamp = "2026-11-15T18:50:00Z") => ({
  type: "tool_use",
  timestamp,
  tool_name: "write_todos",
  tool_id: id,
  parameters: { todos },
})
const answer = (id: string, status: string) => ({
  type: "tool_result",
  timestamp: "2026-11-15T18:50:01Z",
  tool_id: id,
  status,
})
const todo = (description: string, status = "pending") => ({ description, status })

describe("an event", () => {
  test("is the whole list in one shape (A1, A2)", () => {
    const { events } = read(lines(thread("t1"), codex("a", "b")))
    expect(events).toEqual([
      {
        type: "todo_list",
        eventId: expect.stringMatching(/^[0-9a-f]{24}$/),
        agentId: "t1",
        agentType: "openai-codex",
        timestamp: now().getTime(),
        todoId: "t1/main/item_1",
        items: [
          { text: "a", status: "pending" },
          { text: "b", status: "pending" },
        ],
        statusPrecision: "binary",
      },
    ])
  })

  test("has the time of its call where that is known, and no precision where all statuses are known", () => {
    const [event] = read(lines(gemini("1", [todo("a", "in_progress")]))).events
    expect(event).toMatchObject({ timestamp: Date.parse("2026-11-15T18:50:00Z"), agentId: "main", todoId: "main/1" })
    expect(event).not.toHaveProperty("statusPrecision")
  })

  test("comes with the line that contains it, not later (client row 6)", () => {
    for (const id of streamIds) {
      const events: TodoListEvent[] = []
      const onEvent = (event: StreamEvent): void => void (event.type === "todo_list" && events.push(event))
      const reader = createEventReader({ candidates: [streams[id]], now, onEvent })
      for (const line of samples[id].lines) reader.push(Buffer.from(`${line}\n`))
      const list = Buffer.from(JSON.stringify(samples[id].list("The newest list")))
      reader.push(list)
      expect(events.at(-1)?.items).not.toContainEqual({ text: "The newest list", status: expect.any(String) })
      reader.push(Buffer.from("\n"))
      expect(events.at(-1)?.items.map(({ text }) => text)).toEqual(["The newest list"])
    }
  })

  test.each(files)("is not also a started tool, in %s (A3)", (path) => {
    const detector = createDetector(streamsOf("auto"))
    const signals = fixture(path)
      .split("\n")
      .flatMap((line) => detector.read(line))
    const tools = ofType(signals, "activity").map(({ tool }) => tool)
    expect(
      tools.filter((tool) => /^(?:Todo|Task[CULG]|update_plan|write_todos|tracker_|todo)/.test(tool ?? "")),
    ).toEqual([])
  })

  test("is the same for a list sent whole, made by ids, by operations on texts, or of flags (client row 2)", () => {
    const recordings = ["gemini-0.61.0/hooks", "claude-2.1.197/tasks", "omp-18.2.3/todos", "codex-0.166.0/subagent"]
    for (const name of recordings) {
      const last = read(fixture(`${name}/stdout.jsonl`)).events.at(-1)
      expect(last?.items.length).toBeGreaterThan(1)
      expect(last?.items.every(({ text, status }) => text !== "" && status === "completed")).toBe(true)
    }
  })

  test("is not printed for a repeated list", () => {
    expect(read(lines(codex("a"), codex("a"), codex("a"))).events).toHaveLength(1)
  })

  test("clears when the list is sent empty (A5)", () => {
    const { events } = read(lines(codex("a"), codex()))
    expect(events.map(({ items }) => items.length)).toEqual([1, 0])
  })

  test("repeats the list before when a call is refused (client row 1)", () => {
    const calls = [gemini("1", [todo("a")]), answer("1", "success"), gemini("2", [todo("x y")]), answer("2", "error")]
    expect(read(lines(...calls)).events.map(({ items, todoId }) => [todoId, items[0]?.text])).toEqual([
      ["main/1", "a"],
      ["main/2", "x y"],
      ["main/1", "a"],
    ])
  })

  test("is empty when the first list is taken back", () => {
    const { events } = read(lines(gemini("1", [todo("a")]), answer("1", "error")))
    expect(events.map(({ items, todoId }) => [todoId, items.length])).toEqual([
      ["main/1", 1],
      ["main/1", 0],
    ])
  })

  test("is marked until the result of its call is there", () => {
    const calls = [gemini("1", [todo("a")]), answer("1", "success"), gemini("2", [todo("b")]), answer("2", "error")]
    const { events } = read(lines(...calls))
    expect(events.map(({ items, unconfirmed }) => [items[0]?.text, unconfirmed])).toEqual([
      ["a", true],
      ["b", true],
      ["a", undefined],
    ])
    // A list that was told with its result, or without any call, waits for nothing.
    expect(read(lines(codex("a"))).events[0]).not.toHaveProperty("unconfirmed")
    const opencode = read(fixture("opencode-1.18.33/todos/stdout.jsonl")).events
    expect(opencode.length).toBeGreaterThan(2)
    expect(opencode.filter(({ unconfirmed }) => unconfirmed)).toEqual([])
  })

  test("waits for the result where only confirmed lists are wanted: a refused call never shows", () => {
    const calls = [gemini("1", [todo("a")]), gemini("2", [todo("b")]), answer("1", "success"), answer("2", "error")]
    const texts = read(lines(...calls), { confirmed: true }).events.map(({ items }) => items[0]?.text)
    expect(texts).toEqual(["a"])
  })

  test("counts an unanswered call as accepted when its agent's turn ends, and at the end", () => {
    const end = { type: "result", timestamp: "2026-11-15T18:51:00Z", status: "success" }
    const later = gemini("2", [todo("b")])
    const { events, turns } = read(lines(gemini("1", [todo("a")]), end, later), { confirmed: true })
    expect(events.map(({ items }) => items[0]?.text)).toEqual(["a", "b"])
    expect(turns.map(({ state }) => state)).toEqual(["ended"])
  })

  test("names the member, and the agent that a sub-agent works for", () => {
    const { events, turns } = read(fixture("claude-2.1.197/subagents-todowrite/stdout.jsonl"), { member: "Ada" })
    expect(new Set([...events, ...turns].map(({ member }) => member))).toEqual(new Set(["Ada"]))
    const session = "f53816a2-a98a-4e21-8afe-ab762e5ceecb"
    expect(new Map(events.map(({ agentId, parentId }) => [agentId, parentId]))).toEqual(
      new Map([
        [session, undefined],
        ["a3b22d34f61719c9b", session],
        ["abf7d66e28674ba19", session],
      ]),
    )
  })

  test("leaves out items that cannot be shown, and is dropped when none can (A4)", () => {
    const odd = [todo("a"), todo(""), todo("b", "purple"), todo(" \u0000 "), 7, null]
    const { events, reader } = read(lines(gemini("1", odd), gemini("2", [todo("b", "purple")])))
    expect(events.map(({ items }) => items)).toEqual([[{ text: "a", status: "pending" }]])
    expect(reader.problems.get("unknown-status")?.count).toBe(2)
  })
})

describe("the id of a list", () => {
  const idsOf = (...values: unknown[]): string[] => read(lines(...values)).events.map(({ todoId }) => todoId)

  test("stays for its life and changes when it was emptied or replaced", () => {
    const lists = [["a"], ["a", "b"], ["b"], [], ["a"], ["x y z"]].map((texts, index) =>
      gemini(
        String(index),
        texts.map((text) => todo(text, "pending")),
      ),
    )
    expect(idsOf(...lists)).toEqual(["main/1", "main/1", "main/1", "main/1", "main/2", "main/3"])
  })

  test("is the id that the agent itself gives the list, as the items of Codex do (A1)", () => {
    const next = {
      type: "item.started",
      item: { id: "item_7", type: "todo_list", items: [{ text: "c", completed: false }] },
    }
    expect(idsOf(thread("t"), codex("a"), codex("a", "b"), next)).toEqual([
      "t/main/item_1",
      "t/main/item_1",
      "t/main/item_7",
    ])
  })

  test("is the same for a list that begins empty and is filled", () => {
    expect(idsOf(codex(), codex("a"))).toEqual(["main/item_1", "main/item_1"])
  })

  test("contains another session when one begins, but never changes because one becomes known", () => {
    expect(idsOf(codex("a"), thread("t"), codex("a", "b"), codex("x y z"))).toEqual([
      "main/item_1",
      "main/item_1",
      "t/main/item_1",
    ])
    expect(idsOf(thread("t"), codex("a"), thread("u"), codex("a", "b"))).toEqual(["t/main/item_1", "u/main/item_1"])
  })

  test("is another for each agent", () => {
    const { events } = read(fixture("claude-2.1.197/subagents-todowrite/stdout.jsonl"))
    const session = "f53816a2-a98a-4e21-8afe-ab762e5ceecb"
    expect(new Map(events.map(({ agentId, todoId }) => [agentId, todoId]))).toEqual(
      new Map([
        [session, `${session}/main/1`],
        ["a3b22d34f61719c9b", `${session}/a3b22d34f61719c9b/1`],
        ["abf7d66e28674ba19", `${session}/abf7d66e28674ba19/1`],
      ]),
    )
  })
})

describe("bad input", () => {
  test("a malformed line is counted and skipped (A4)", () => {
    const { events, reader } = read(`${lines(codex("a"))}{"half\n\u0001\u0002\nnull\n${lines(codex("b"))}{"end`)
    expect(events).toHaveLength(2)
    expect(reader.problems.get("malformed-line")?.count).toBe(2)
    expect(reader.problems.get("other-text")?.count).toBe(2)
  })

  test("a line over the bound is reported, the next one is read", () => {
    const { events, reader } = read(`${lines(codex("a"), codex("x".repeat(300)), codex("b"))}`, { maxLength: 200 })
    expect(events.map(({ items }) => items[0]?.text)).toEqual(["a", "b"])
    expect(reader.problems.get("long-line")?.count).toBe(1)
  })

  test("a hole in the file hides no line", () => {
    const bytes = Buffer.concat([Buffer.from(lines(codex("a"))), Buffer.alloc(5000), Buffer.from(lines(codex("b")))])
    expect(read(bytes, { size: 64 }).events).toHaveLength(2)
  })

  test("a binary file is not recognised", () => {
    const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, index) => (index * 7919) % 256))
    expect(read(bytes)).toMatchObject({ events: [], reader: { isRecognised: false } })
  })

  test.each(streamIds)("damaged lines of %s never throw, and the good line after them is read (A4)", (id) => {
    surviveDamage(id, rounds(80), (event) => isEvent(event))
  })
})

test("our own events can be read again", () => {
  const { events } = read(fixture("claude-2.1.197/tasks/stdout.jsonl"))
  const again = read(lines(...events)).events
  expect(again.map(({ items, agentId }) => [agentId, items])).toEqual(
    events.map(({ items, agentId }) => [agentId, items]),
  )
})

test("our own turns can be read again, with their agents and reasons of failure", () => {
  const { events, turns } = read(fixture("claude-2.1.197/subagents-todowrite/stdout.jsonl"))
  const failed = { ...turns[0], eventId: "f", agentId: "other", state: "failed", error: "Overloaded" }
  const all = [...events, ...turns, failed].toSorted((one, other) => (one.timestamp ?? 0) - (other.timestamp ?? 0))
  const again = read(lines(...all)).turns
  const about = ({ agentId, parentId, state, error }: Partial<TurnEvent>) => [agentId, parentId, state, error]
  expect(again.map(about)).toEqual([...turns, failed as TurnEvent].map(about))
})
