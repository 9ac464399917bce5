/** What a durable write costs, how little it grows, and how quickly the shell answers over large stores; on the built library. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { findDialect, openStore, openTracker, type Tracker } from "../dist/lib/index.js"
import { createFold, type Entry } from "../dist/lib/plan/index.js"
import { publishedText } from "../src/stores/file/published.ts"
import { bareStart, bin, byTurns, median, milliseconds, percentile, type Row, runNode } from "./measure.ts"

const todosOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ content: `Migrate module number ${index + 1} to the new interface` }))

const headway = findDialect("headway")

const newHome = (): string => mkdtempSync(join(tmpdir(), "headway-bench-"))

const begin = async (home: string, session: string, count: number): Promise<Tracker> => {
  const tracker = await openTracker({ store: await openStore(`file:${home}`), session })
  await tracker.write({ tool: "todo", input: { todos: todosOf(count) } }, headway)
  return tracker
}

/** A call that always changes the first todo. */
const patch = async (tracker: Tracker): Promise<void> => {
  const status = tracker.ledger.entries % 2 === 1 ? "completed" : "pending"
  const { events } = await tracker.write({ tool: "todo", input: { todos: [{ id: "1", status }] } }, headway)
  if (events.length !== 1) throw new Error("the patch changed nothing")
}

const timed = async (action: () => unknown): Promise<number> => {
  const started = performance.now()
  await action()
  return performance.now() - started
}

const appends = async (count: number): Promise<Row[]> => {
  const home = newHome()
  const tracker = await begin(home, "bench", count)
  await patch(tracker)
  const line = `${readFileSync(join(home, "journal", "bench-agent-main.jsonl"), "utf8")
    .trimEnd()
    .split("\n")
    .at(-1)}\n`
  const file = join(home, "bare.jsonl")
  const bare = () => {
    const descriptor = openSync(file, "a", 0o600)
    writeSync(descriptor, line)
    fdatasyncSync(descriptor)
    closeSync(descriptor)
  }
  const publishing: number[] = []
  // A small plan is published with each write, a large one in bursts: publishing is measured apart.
  const unpublished = await openTracker({
    store: { ...(await openStore(`file:${home}`)), publish: async () => {} },
    session: "bench",
  })
  const early = await inTurn(bare, () => patch(unpublished), 500)
  const late = await inTurn(bare, () => patch(unpublished), 5_000)
  for (let round = 0; round < 20; round += 1)
    publishing.push(await timed(() => writeFileSync(join(home, "list.json"), publishedText(unpublished.plan))))
  await tracker.close()
  rmSync(home, { recursive: true })
  return [
    { what: `write + fdatasync of ${line.length} bytes`, figure: milliseconds(late.bare) },
    {
      what: `committed append, ${count} todos, after 500`,
      figure: milliseconds(early.time),
      ratio: early.time / early.bare,
      limit: 1.6,
    },
    {
      what: `committed append, ${count} todos, after 5,000`,
      figure: milliseconds(late.time),
      ratio: late.time / late.bare,
      limit: 1.6,
    },
    { what: `publishing beside it, ${count} todos`, figure: milliseconds(median(publishing)) },
  ]
}

/**
 * Median times of an action and of its baseline, one by one in turn: how long a disk takes to sync depends on how long ago it
 * did so last, and so both have the same pause before them. V8 has compiled the action in full only after some thousand times.
 */
const inTurn = async (
  baseline: () => void,
  action: () => Promise<void>,
  before: number,
): Promise<{ bare: number; time: number }> => {
  const [bares, times]: [number[], number[]] = [[], []]
  for (let count = 0; count < before; count += 1) await action()
  for (let round = 0; round < 400; round += 1) {
    bares.push(await timed(baseline))
    times.push(await timed(action))
  }
  return { bare: median(bares), time: median(times) }
}

const growth = async (): Promise<Row[]> => {
  const home = newHome()
  const old = await begin(home, "bench", 20)
  for (let count = 0; count < 9_900; count += 1) await patch(old)
  const young = await begin(home, "young", 20)
  for (let count = 0; count < 50; count += 1) await patch(young)
  const times: Record<"early" | "late", number[]> = { early: [], late: [] }
  for (let count = 0; count < 100; count += 1) {
    times.early.push(await timed(() => patch(young)))
    times.late.push(await timed(() => patch(old)))
  }
  await Promise.all([old.close(), young.close()])
  const [early, late] = [median(times.early), median(times.late)]
  const path = join(home, "journal", "bench-agent-main.jsonl")
  rmSync(join(home, "cache"), { recursive: true })
  const parse = (): Entry[] =>
    readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Entry)
  const opens: number[] = []
  const parses: number[] = []
  for (let round = 0; round < 15; round += 1) {
    parses.push(await timed(parse))
    opens.push(await timed(async () => openTracker({ store: await openStore(`file:${home}`), session: "bench" })))
  }
  const folded = createFold()
  for (const entry of parse()) folded.add(entry)
  if (folded.ledger.entries < 10_000) throw new Error("entries are missing")
  rmSync(home, { recursive: true })
  return [
    { what: "the 100th entry", figure: milliseconds(early) },
    { what: "the 10,000th entry", figure: milliseconds(late), ratio: late / early, limit: 1.2 },
    { what: "read and parse 10,000 entries", figure: milliseconds(median(parses)) },
    {
      what: "open 10,000 entries, no snapshot",
      figure: milliseconds(median(opens)),
      ratio: median(opens) / median(parses),
      limit: 3,
    },
  ]
}

const shell = async (): Promise<Row[]> => {
  const home = newHome()
  for (const count of [100, 10_000]) await (await begin(home, `plan-${count}`, count)).close()
  let flips = 0
  const write = (session: string) => () => {
    flips += 1
    const status = flips % 4 < 2 ? "completed" : "pending"
    runNode([bin, "write", "--new", "--session", session], {
      home,
      input: JSON.stringify({ todos: [{ id: "1", status }] }),
    })
  }
  const times = byTurns(
    {
      bare: bareStart,
      show: () => void runNode([bin, "show", "--session", "plan-10000"], { home }),
      small: write("plan-100"),
      large: write("plan-10000"),
    },
    25,
  )
  rmSync(home, { recursive: true })
  return [
    { what: "headway show, 10,000 todos", figure: milliseconds(times.show), ratio: times.show / times.bare, limit: 3 },
    {
      what: "headway write, 10,000 todos",
      figure: milliseconds(times.large),
      ratio: times.large / times.bare,
      limit: 2,
    },
    {
      what: "the same against 100 todos",
      figure: milliseconds(times.small),
      ratio: times.large / times.small,
      limit: 1.3,
    },
  ]
}

const listing = async (): Promise<Row[]> => {
  const home = newHome()
  mkdirSync(join(home, "journal"), { recursive: true })
  for (let plan = 0; plan < 10_000; plan += 1) {
    const events = [
      { type: "plan-opened", session: `session-${plan}`, agent: "main", project: `/projects/${plan % 50}` },
      ...todosOf(5).map(({ content }, index) => ({
        type: "todo-added",
        todo: { id: String(index + 1), content, status: "pending" },
      })),
    ]
    const entry = {
      v: 1,
      id: `e${plan}`,
      at: new Date(1_700_000_000_000 + plan).toISOString(),
      by: { kind: "agent", id: "main" },
      events,
    }
    writeFileSync(join(home, "journal", `session-${plan}-agent-main.jsonl`), `${JSON.stringify(entry)}\n`)
  }
  const list = () => void runNode([bin, "list"], { home })
  list()
  const times = byTurns({ bare: bareStart, list }, 11)
  const probe = `process.argv.push("list"); process.on("exit", () => console.error(process.resourceUsage().maxRSS)); await import(${JSON.stringify(join(process.cwd(), bin))})`
  const { spawnSync } = await import("node:child_process")
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", probe], {
    env: { ...process.env, HEADWAY_HOME: home },
    encoding: "utf8",
    maxBuffer: 1 << 30,
  })
  const memory = Number(stderr.trim().split("\n").at(-1)) / 1024
  rmSync(home, { recursive: true })
  return [
    {
      what: "headway list, 10,000 plans, warm",
      figure: milliseconds(times.list),
      ratio: times.list / times.bare,
      limit: 3,
    },
    { what: "memory of it", figure: `${memory.toFixed(0)} MB`, ratio: memory, limit: 150 },
  ]
}

/** Writes todos that say when they were written, by the clock all processes share. */
const writer = (home: string): string => `
import { findDialect, openStore, openTracker } from ${JSON.stringify(pathToFileURL("dist/lib/index.js").href)}
const tracker = await openTracker({ store: await openStore("file:" + ${JSON.stringify(home)}), session: "bench" })
for (let count = 0; count < 200; count += 1) {
  await new Promise((resolve) => setTimeout(resolve, 15 + Math.random() * 30))
  const content = String(process.hrtime.bigint())
  await tracker.write({ tool: "todo", input: { todos: [{ content }] } }, findDialect("headway"))
}
await tracker.close()
`

const crossing = async (): Promise<Row[]> => {
  const home = newHome()
  const reader = await openTracker({ store: await openStore(`file:${home}`), session: "bench" })
  const times: number[] = []
  reader.subscribe(({ events }) => {
    for (const event of events) {
      if (event.type === "todo-added") times.push(Number(process.hrtime.bigint() - BigInt(event.todo.content)) / 1e6)
    }
  })
  const stop = await reader.follow()
  const child = spawn(process.execPath, ["--input-type=module", "-e", writer(home)], { stdio: "inherit" })
  await once(child, "exit")
  for (let wait = 0; wait < 100 && times.length < 200; wait += 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
  await stop()
  await reader.close()
  rmSync(home, { recursive: true })
  const figure = `p50 ${milliseconds(median(times))}, p99 ${milliseconds(percentile(times, 0.99))}`
  return [{ what: `a change seen by another process, ${times.length} of 200`, figure }]
}

export const store = async (): Promise<Row[]> => [
  ...(await appends(20)),
  ...(await appends(1_000)),
  ...(await appends(10_000)),
  ...(await growth()),
  ...(await shell()),
  ...(await listing()),
  ...(await crossing()),
]
