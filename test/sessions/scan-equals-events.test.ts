/** A scan arrives at the plans and times that reading every event gives, for every format, wherever its file is cut. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { ScanState } from "../../src/sessions/file/scan.ts"
import { scanFile } from "../../src/sessions/index.ts"
import {
  createEventReader,
  createObserver,
  type ObservedAgent,
  type Stream,
  type StreamEvent,
  type TodoListEvent,
} from "../../src/streams/index.ts"
import { type StreamId, streamIds, streams } from "../agents/loaded.ts"
import { rounds } from "../rounds.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { damage, damagedBytes } from "../streams/mutations.ts"
import { printed, recordings } from "../streams/recordings.ts"
import { samples } from "../streams/samples.ts"
import { type Writer, type WrittenList, writers } from "../streams/written.ts"

type Agents = Iterable<ObservedAgent>

const byAgent = (one: { agent: string }, other: { agent: string }): number => (one.agent < other.agent ? -1 : 1)

/** Ids depend on the lists before, which a scan may leave out; so todos are named by their places here. */
const plansOf = (agents: Agents) =>
  [...agents]
    .flatMap(({ agent, plan }) => {
      if (!plan) return []
      const places = new Map(plan.todos.map(({ id }, index) => [id, index]))
      const todos = plan.todos.map(({ id: _, blockedBy, ...todo }) => ({
        ...todo,
        ...(blockedBy ? { blockedBy: blockedBy.map((id) => places.get(id)) } : {}),
      }))
      return [{ agent, todos, phases: plan.phases }]
    })
    .sort(byAgent)

const exactPlansOf = (agents: Agents) =>
  [...agents]
    .flatMap(({ agent, plan, times }) => (plan ? [{ agent, todos: plan.todos, phases: plan.phases, times }] : []))
    .sort(byAgent)

const itemsOf = (agents: Agents): Record<string, string> =>
  Object.fromEntries(
    [...agents].flatMap(({ agent, plan }) =>
      plan ? [[agent, JSON.stringify(plan.todos.map(({ content: text, status }) => ({ text, status })))]] : [],
    ),
  )

/** The last event of each agent; the main agent is named by its session there. */
const lastItems = (events: readonly TodoListEvent[], agents: ReadonlyMap<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    events.map(({ agentId, items }) => [agents.has(agentId) ? agentId : "main", JSON.stringify(items)]),
  )

const pieces = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const places = [...new Set(cuts.map((cut) => Math.floor(cut * bytes.length)))].sort((one, other) => one - other)
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length))
}

const readEvents = (stream: Stream, parts: readonly Buffer[]): TodoListEvent[] => {
  const events: TodoListEvent[] = []
  const onEvent = (event: StreamEvent): void => void (event.type === "todo_list" && events.push(event))
  const reader = createEventReader({ candidates: [stream], now: () => new Date(0), onEvent })
  for (const part of parts) reader.push(part)
  reader.end()
  return events
}

const observe = (stream: Stream, text: string): ReturnType<typeof createObserver> => {
  const observer = createObserver()
  const reader = stream.open()
  for (const line of text.split("\n")) for (const signal of reader.read(line)) observer.take(signal)
  return observer
}

/** What is kept between two scans must be plain data. */
const scanGrowing = (stream: Stream, parts: readonly Buffer[], readsAll: boolean): ObservedAgent[] => {
  const path = join(folder, "session.jsonl")
  writeFileSync(path, "")
  let state: ScanState | undefined
  let agents: ObservedAgent[] = []
  for (const part of parts) {
    appendFileSync(path, part)
    const from = state && (JSON.parse(JSON.stringify(state)) as ScanState)
    const scanned = scanFile(path, stream, { from, readsAll })
    state = scanned.state
    agents = scanned.observer.agents()
  }
  return agents
}

const folder = temporaryFolder()

const expectSame = (stream: Stream, bytes: Buffer, cuts: readonly number[]): void => {
  const parts = pieces(bytes, cuts)
  const observer = observe(stream, bytes.toString())
  const live = [...observer.agents.values()]
  expect(plansOf(scanGrowing(stream, [bytes], false))).toEqual(plansOf(live))
  expect(plansOf(scanGrowing(stream, parts, false))).toEqual(plansOf(live))
  expect(exactPlansOf(scanGrowing(stream, [bytes], true))).toEqual(exactPlansOf(live))
  expect(exactPlansOf(scanGrowing(stream, parts, true))).toEqual(exactPlansOf(live))
  const scanned = itemsOf(live)
  const told = lastItems(readEvents(stream, parts), observer.agents)
  for (const [agent, items] of Object.entries(told)) expect([agent, items]).toEqual([agent, scanned[agent] ?? "[]"])
}

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 })

const texts = ["Read the notes", "Run all tests", "Tidy", "Ask for help", "Publish version two"]
const item = fc.record(
  {
    id: fc.constantFrom("1", "2", "3"),
    content: fc.constantFrom(...texts),
    status: fc.constantFrom("pending", "in_progress", "completed"),
    activeForm: fc.constantFrom("Doing it", "Working"),
    priority: fc.constantFrom("high", "low"),
    phase: fc.constantFrom("First", "Second"),
  },
  { requiredKeys: ["content", "status"] },
)
const incomplete = fc.record({ id: fc.constantFrom("1", "2", "3"), content: fc.constantFrom(...texts) })
const patch = fc.record({ id: fc.constantFrom("1", "2", "3"), status: fc.constantFrom("pending", "completed") })
const strange = fc.record({ content: fc.constantFrom(...texts), status: fc.constant("purple") })
const todos = fc.oneof(
  { weight: 12, arbitrary: fc.array(item, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.array(incomplete, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(patch, { minLength: 1, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.array(fc.oneof(item, strange), { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom(42, null, "no list", {}, '[{"content":"Tidy","status":"pen') },
)

const which = fc.nat(20)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("list" as const), todos, merge: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("result" as const), which, isAccepted: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("accepted" as const), todos, merge: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("snapshot" as const), todos }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rewind" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut" as const), which }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A session as its agent would have written it. Where a scan reads only the last lists, agents repeat their last line. */
const write = (writer: Writer, steps: readonly Step[], isQuick: boolean): string => {
  const lines = (writer.start ?? []).map((line) => JSON.stringify(line))
  const made: WrittenList[] = []
  const unknown = { id: "unknown", todos: [], merge: false, at: 0 }
  const listAt = (place: number): WrittenList => made[place % Math.max(made.length, 1)] ?? unknown
  const add = (added: readonly object[] = []): void => void lines.push(...added.map((line) => JSON.stringify(line)))
  for (const [at, one] of steps.entries()) {
    if (one.kind === "list" || one.kind === "accepted") {
      const list: WrittenList = { id: `call_${made.length}`, todos: one.todos, merge: one.merge, at }
      made.push(list)
      add(writer.list(list))
      if (one.kind === "accepted") add(writer.result?.(list, true, at))
    } else if (one.kind === "snapshot") {
      add(writer.snapshot?.({ id: `snapshot_${at}`, todos: one.todos, merge: false, at }))
    } else if (one.kind === "result") add(writer.result?.(listAt(one.which), one.isAccepted, at))
    else if (one.kind === "rewind") add(writer.rewind?.(listAt(one.which).id))
    else {
      const line = (isQuick ? lines.at(-1) : lines[one.which % Math.max(lines.length, 1)]) ?? "{}"
      lines.push(one.kind === "again" ? line : line.slice(0, line.length / 2))
    }
  }
  return `${lines.join("\n")}\n`
}

const streamNamed = (name: string): Stream => streams[name.split(",")[0] as StreamId]

/** A document has no lines to be found: it is read whole. */
const lineStreamIds = streamIds.filter((id) => !streams[id].isDocument)

test("every format of lines has a writer", () => {
  expect(new Set(Object.keys(writers).map((name) => streamNamed(name).id))).toEqual(new Set(lineStreamIds))
})

describe.each(Object.entries(writers))("a session of %s", (name, writer) => {
  test("gives the same plans and times, scanned or read as it came", () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 25 })
    const isQuick = "quickNeedles" in streamNamed(name)
    fc.assert(
      fc.property(steps, cuts, (made, places) =>
        expectSame(streamNamed(name), Buffer.from(write(writer, made, isQuick)), places),
      ),
      { numRuns: rounds(20) },
    )
  })
})

describe.each(lineStreamIds)("damaged lines of %s", (id) => {
  test("give the same plans and times, scanned or read as they came", () => {
    fc.assert(
      fc.property(damage, cuts, (blows, places) =>
        expectSame(streams[id], damagedBytes(samples[id].lines, blows), places),
      ),
      { numRuns: rounds(10) },
    )
  })
})

describe.each([...recordings, ...printed])("$path", ({ path, stream }) => {
  test("gives the same plans and times, scanned or read as it came", () => {
    const bytes = readFileSync(path)
    fc.assert(
      fc.property(cuts, (places) => expectSame(stream, bytes, places)),
      { numRuns: rounds(4) },
    )
  })
})
