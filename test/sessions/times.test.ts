/** When observed todos were begun and finished: the same however a file was read, and free until they are asked for. */

import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createDiscovery, scanFile } from "../../src/sessions/index.ts"
import { createObserver } from "../../src/streams/index.ts"
import { observedSpans } from "../../src/streams/times.ts"
import { sources } from "../agents/loaded.ts"
import { claudeLine, claudeSays } from "../board/live-board.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { recordings } from "../streams/recordings.ts"
import { memoryIndex } from "./memory-index.ts"

type Agents = Iterable<Parameters<typeof observedSpans>[0] & { agent: string }>

const spansOf = (agents: Agents) =>
  [...agents]
    .flatMap((one) => (one.plan ? [{ agent: one.agent, spans: Object.values(observedSpans(one)) }] : []))
    .sort((one, other) => (one.agent < other.agent ? -1 : 1))

describe.each(recordings)("$path", ({ path, stream }) => {
  const observer = createObserver()
  const reader = stream.open()
  for (const line of readFileSync(path, "utf8").split("\n")) {
    for (const signal of reader.read(line)) observer.take(signal)
  }

  test("a timed scan gives the times that reading every line gives", () => {
    const timed = scanFile(path, stream, { readsAll: true }).observer
    expect(spansOf(timed.agents())).toEqual(spansOf(observer.agents.values()))
  })
})

test("recordings have todos with durations", () => {
  const taken = recordings.flatMap(({ path, stream }) =>
    spansOf(scanFile(path, stream, { readsAll: true }).observer.agents()).flatMap(({ spans }) =>
      spans.filter(({ started, finished }) => started !== undefined && finished !== undefined),
    ),
  )
  expect(taken.length).toBeGreaterThan(3)
})

const withSession = () => {
  const home = temporaryFolder()
  const folder = join(home, ".claude/projects/-p")
  mkdirSync(folder, { recursive: true })
  const file = join(folder, "s.jsonl")
  const filler = claudeLine(file, at(0), { type: "user", message: { role: "user", content: "x".repeat(5_000) } })
  writeFileSync(file, filler)
  claudeSays(file, at(1), ["Read", "in_progress"], ["Write", "pending"])
  appendFileSync(file, filler.repeat(100))
  claudeSays(file, at(5), ["Read", "completed"], ["Write", "in_progress"])
  let bytes = 0
  const { index } = memoryIndex()
  const onRead = (count: number): void => {
    bytes += count
  }
  const discovery = () => createDiscovery({ sources, env: {}, home, index, onRead })
  return { file, discovery, bytes: () => bytes }
}

const at = (seconds: number): string => new Date(Date.parse("2030-01-01T00:00:00Z") + seconds * 1000).toISOString()
const now = new Date(at(10))

describe("a session file", () => {
  test("is read for its times once, on demand, and not again when it grows", async () => {
    const { file, discovery, bytes } = withSession()
    const first = discovery()
    expect(await first.refresh(now)).toMatchObject([{ times: {}, isTimed: false }])
    first.wantWhole(file)
    expect(await first.refresh(now, new Set())).toMatchObject([
      { times: { "1": { started: at(1), finished: at(5) }, "2": { started: at(5) } }, isTimed: true },
    ])
    first.save()
    const before = bytes()
    claudeSays(file, at(9), ["Read", "completed"], ["Write", "completed"])
    const expected = [{ times: { "2": { started: at(5), finished: at(9) } }, isTimed: true }]
    expect(await first.refresh(now)).toMatchObject(expected)
    expect(bytes() - before).toBeLessThan(150_000)
    // Also by a later reader, through the index.
    expect(await discovery().refresh(now)).toMatchObject(expected)
  })

  test("has the times seen while it was watched, even when they were not requested before", async () => {
    const { file, discovery } = withSession()
    const watching = discovery()
    await watching.refresh(now)
    claudeSays(file, at(8), ["Read", "completed"], ["Write", "completed"], ["Rest", "in_progress"])
    const [session] = await watching.refresh(now)
    expect(session?.times).toEqual({ "2": { finished: at(8) }, "3": { started: at(8) } })
  })

  test("has the ids and times of all its lists once its plan is read, and from then on", async () => {
    const { file, discovery } = withSession()
    claudeSays(file, at(6), ["Write", "in_progress"], ["Tidy", "pending"])
    const watching = discovery()
    const [session] = await watching.refresh(now)
    expect(session?.isWhole).toBe(false)
    const plan = await session?.readPlan()
    expect(plan?.todos.map(({ id, content }) => [id, content])).toEqual([
      ["2", "Write"],
      ["3", "Tidy"],
    ])
    expect(session).toMatchObject({ isWhole: true, isTimed: true, times: { "2": { started: at(5) } }, plan })
    claudeSays(file, at(7), ["Tidy", "in_progress"], ["Rest", "pending"])
    const [later] = await watching.refresh(now)
    expect(later?.isWhole).toBe(true)
    expect(later?.plan?.todos.map(({ id }) => id)).toEqual(["3", "4"])
  })
})

test("only changed paths are scanned again, unless something is new or gone", async () => {
  const { file, discovery, bytes } = withSession()
  const watching = discovery()
  await watching.refresh(now)
  const other = file.replace("s.jsonl", "other.jsonl")
  claudeSays(other, at(1), ["Else", "pending"])
  const before = bytes()
  expect(await watching.refresh(now, new Set())).toHaveLength(1)
  expect(bytes()).toBe(before)
  expect(await watching.refresh(now, new Set([other]))).toHaveLength(2)
  claudeSays(other, at(2), ["Else", "completed"])
  const [, changed] = (await watching.refresh(now, new Set([other]))).toSorted((one) => (one.session === "s" ? -1 : 1))
  expect(changed?.summary).toMatchObject({ isFinished: true })
  expect(watching.folders()).toContain(join(file, ".."))
})
