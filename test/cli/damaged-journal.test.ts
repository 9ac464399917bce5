/** Whatever stands in a journal, every command still works: the good lines count, the bad ones are told, the next write is kept. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { type Entry, fold, type PlanEvent, readEntry } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { eventArbitrary } from "../plan/arbitraries.ts"
import { isFull, rounds } from "../rounds.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"
import { atHome, type CliResult } from "./run-cli.ts"

const key = { session: "s", agent: "main" }

const journalIn = (home: string): string => join(home, ".headway", "journal", "s-agent-main.jsonl")

/** A journal with every kind of line a plan gets: an agent's list, a person's edits, a claim, a note, an undo. */
const writeGenuine = async (): Promise<Buffer> => {
  const { home, run } = atHome()
  const todos = [
    { content: "Read", phase: "Find" },
    { content: "Write", notes: ["a"], priority: "high" },
    { content: "Ship" },
  ]
  for (const words of [
    ["write", "--new", "--session", "s"],
    ["todo", "start", "1", "--session", "s"],
    ["todo", "claim", "2", "--as", "ada", "--session", "s"],
    ["todo", "note", "2", "look twice", "--session", "s"],
    ["todo", "rm", "3", "--session", "s"],
    ["todo", "undo", "--session", "s"],
  ]) {
    expect(await run(words, { input: JSON.stringify({ todos }) })).toMatchObject({ code: 0 })
  }
  return readFileSync(journalIn(home))
}

let written: Promise<Buffer> | undefined
const genuine = (): Promise<Buffer> => {
  written ??= writeGenuine()
  return written
}

/** A person at a machine whose only plan has this journal. */
const withJournal = (bytes: Buffer | string) => {
  const person = atHome()
  mkdirSync(join(person.home, ".headway", "journal"), { recursive: true })
  writeFileSync(journalIn(person.home), bytes)
  return person
}

const expectCalm = ({ code, out, err }: CliResult, words: readonly string[]): void => {
  expect([0, 1], words.join(" ")).toContain(code)
  expect(`${out}${err}`, words.join(" ")).not.toMatch(/\n {4}at |TypeError|RangeError|internal error/)
}

const reading = [
  ["show", "--session", "s"],
  ["show", "--session", "s", "--json"],
  ["history", "--session", "s"],
  ["history", "--session", "s", "--times"],
  ["history", "--session", "s", "--json"],
  ["list", "--own"],
  ["list", "--own", "--json"],
  ["statusline", "--session", "s", "--json"],
  ["gc", "--older-than", "1d", "--dry-run", "--unfinished"],
  ["todo", "undo", "--session", "s"],
] as const

/** Every command, then a write, which must be there afterwards. */
const survives = async (bytes: Buffer | string): Promise<void> => {
  const { home, run } = withJournal(bytes)
  for (const words of reading) expectCalm(await run(words), words)
  const written = await run(["write", "--new", "--session", "s"], {
    input: '{"todos":[{"content":"Written afterwards"}]}',
  })
  expectCalm(written, ["write"])
  expect(written.code, written.err).toBe(0)
  const shown = await run(["show", "--session", "s", "--json"])
  const { todos } = JSON.parse(shown.out) as { todos: { content: string }[] }
  expect(todos.filter(({ content }) => content === "Written afterwards")).toHaveLength(1)
  rmSync(home, { recursive: true })
}

const opening = { type: "plan-opened", ...key }
const todo = { id: "1", content: "Read", status: "pending" }

const entryWith = (part: object): string =>
  JSON.stringify({
    v: 1,
    id: "x",
    at: "2030-01-01T00:00:00.000Z",
    by: { kind: "agent", id: "main" },
    events: [],
    ...part,
  })

const withEvents = (...events: object[]): string => entryWith({ events })

/** Deeper than anything that walks a value step by step can follow; so it cannot be printed from a value either. */
const deepened = (line: string): string => line.replace('"deep"', `${"[".repeat(5_000)}${"]".repeat(5_000)}`)

/** Lines that are entries but for one thing. */
const wrongLines: Record<string, string> = {
  "agent-told without entries": withEvents({ type: "agent-told" }),
  "plan-opened without ids": withEvents({ type: "plan-opened" }),
  "a project that is not text": withEvents({ ...opening, project: {} }),
  "a parent that is no agent": withEvents({ ...opening, parent: "main" }),
  "a time that is none": entryWith({ at: "yesterday" }),
  "a time out of range": entryWith({ at: "+275760-09-13T00:00:00.001Z" }),
  "a claim at the end of time": entryWith({
    at: "+275760-09-13T00:00:00.000Z",
    events: [{ type: "todo-claimed", id: "1", owner: "a", minutes: 30 }],
  }),
  "a via without a tool": entryWith({ via: {} }),
  "a via of numbers": entryWith({ via: { dialect: 1, tool: 2 } }),
  "a settle of texts": entryWith({ settle: { oneActive: "yes" } }),
  "an undoes that is not an id": entryWith({ undoes: 7 }),
  "an empty id": entryWith({ id: "" }),
  "an actor without an id": entryWith({ by: { kind: "agent" } }),
  "a todo in no phase": withEvents({ type: "todo-added", todo: { ...todo, phase: null } }),
  "notes that are one text": withEvents({ type: "todo-added", todo: { ...todo, notes: "x" } }),
  "an unknown priority": withEvents({ type: "todo-added", todo: { ...todo, priority: "urgent" } }),
  "a change to nothing": withEvents({ type: "todo-changed", id: "1" }),
  "a place that is a number": withEvents({ type: "todo-moved", id: "1", after: 5 }),
  "a cleared plan without todos": withEvents({ type: "plan-cleared" }),
  "an unknown context": withEvents({ type: "plan-restored", context: "later" }),
  "extra that is too deep": deepened(withEvents({ type: "todo-added", todo: { ...todo, extra: { x: "deep" } } })),
  "an unknown field that is too deep": deepened(withEvents({ type: "plan-resumed", x: "deep" })),
}

describe("a damaged line", () => {
  const outputsOf = async (journal: string): Promise<string[]> => {
    const { run } = withJournal(journal)
    const outputs: string[] = []
    for (const words of reading) outputs.push((await run(words)).out)
    return outputs
  }
  /** What the commands print for a journal without damage. */
  let expected: string[] | undefined

  test.each(Object.entries(wrongLines))("%s affects nothing else and is reported", async (_, line) => {
    const good = (await genuine()).toString("utf8")
    const { run } = withJournal(`${good}${line}\n`)
    expected ??= await outputsOf(good)
    for (const [index, words] of reading.entries()) {
      const result = await run(words)
      expectCalm(result, words)
      // That not all of it was read is said where programs read, too.
      const out = result.out.replace(',\n    "unread": 1', "")
      expect(out, words.join(" ")).toBe(expected[index])
    }
    expect((await run(["show", "--session", "s"])).err).toMatch(/1 line of .*s-agent-main\.jsonl could not be read/)
    await survives(`${line}\n${good}`)
  })

  test("is reported by every list, not only by the first", async () => {
    const { run } = withJournal(`${await genuine()}${wrongLines["an empty id"]}\n`)
    for (const _ of [1, 2, 3]) expect((await run(["list", "--own"])).err).toMatch(/1 line of .* could not be read/)
  })

  test("with an event of an unknown kind loses only the event, and that is reported", async () => {
    const line = withEvents(opening, { type: "todo-admired", id: "1" }, { type: "todo-added", todo })
    const { run } = withJournal(`${line}\n`)
    const { out, err } = await run(["show", "--session", "s", "--json"])
    expect(JSON.parse(out)).toMatchObject({ todos: [{ content: "Read" }] })
    expect(err).toMatch(/1 line of .* does not know/)
  })
})

test("flipped bits in a journal never make reading fail, and the other lines count", {
  timeout: 120_000,
}, async () => {
  const bytes = await genuine()
  const lines = bytes.toString("utf8").trimEnd().split("\n")
  const home = temporaryFolder()
  mkdirSync(join(home, "journal"))
  const path = join(home, "journal", "s-agent-main.jsonl")
  // A step of seven hits every byte, and each of its eight bits in turn; the longer one every third or fourth.
  for (let bit = 0; bit < bytes.length * 8; bit += isFull ? 7 : 27) {
    const flipped = Buffer.from(bytes)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    writeFileSync(path, flipped)
    const { entries, problems } = await createFileStore({ home }).load(key)
    fold(entries)
    // A flipped line end joins two lines or parts one; any other flip costs at most its own line.
    expect(entries.length).toBeGreaterThanOrEqual(lines.length - 2)
    if (entries.length < lines.length - 1) expect(problems).toHaveLength(1)
  }
})

test("single flipped bits pass through all commands", { timeout: 300_000 }, async () => {
  const bytes = await genuine()
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length * 8 - 1), async (bit) => {
      const flipped = Buffer.from(bytes)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      await survives(flipped)
    }),
    { numRuns: rounds(25) },
  )
})

test("a journal of any bytes is read", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), (bytes) => survives(Buffer.from(bytes))),
    { numRuns: rounds(15) },
  )
})

test("a journal of any JSON values is read", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 8 }), (values) =>
      survives(values.map((value) => `${JSON.stringify(value)}\n`).join("")),
    ),
    { numRuns: rounds(15) },
  )
})

/** An entry of sound events in which values anywhere were replaced by others. */
const wrongEntry = fc
  .tuple(
    fc.array(eventArbitrary, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat(), fc.option(fc.jsonValue(), { nil: undefined })), { maxLength: 3 }),
    fc.nat(4),
  )
  .map(([events, changes, name]): unknown => {
    const entry: unknown = JSON.parse(withEvents(...events))
    Object.assign(entry as object, { id: `w${name}` })
    for (const [place, value] of changes) {
      const places = placesIn(entry)
      places[place % places.length]?.(value)
    }
    return entry
  })

/** Everything in a value that can be replaced. */
const placesIn = (value: unknown): ((other: unknown) => void)[] =>
  typeof value !== "object" || value === null
    ? []
    : Object.keys(value).flatMap((name) => {
        const parent = value as Record<string, unknown>
        const replace = (other: unknown): void => {
          parent[name] = other
        }
        return [replace, ...placesIn(parent[name])]
      })

test("folding never fails, whatever was read", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(wrongEntry, fc.jsonValue()), { maxLength: 6 }), (values) => {
      const entries = values.flatMap((value): Entry[] => {
        const entry = readEntry(value)
        return entry === undefined || entry === "future" ? [] : [entry]
      })
      const { plan } = fold(entries)
      expect(new Set(plan.todos.map(({ id }) => id)).size).toBe(plan.todos.length)
    }),
    { numRuns: rounds(1_000) },
  )
})

test("entries that are wrong inside pass through all commands", { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wrongEntry, { maxLength: 6 }), (entries) =>
      survives(entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")),
    ),
    { numRuns: rounds(25) },
  )
})

test("valid events are all read", () => {
  fc.assert(
    fc.property(fc.array(eventArbitrary), (events: PlanEvent[]) => {
      const entry: unknown = JSON.parse(withEvents(...events))
      expect(readEntry(entry)).toBe(entry)
    }),
  )
})

test("reading a damaged journal changes no byte of it", async () => {
  const { home, run } = withJournal(`${await genuine()}${Object.values(wrongLines).join("\n")}\n{"torn`)
  const before = readFileSync(journalIn(home))
  for (const words of reading.filter(([name]) => name !== "todo")) await run(words)
  expect(readFileSync(journalIn(home))).toEqual(before)
  expect(readdirSync(join(home, ".headway", "journal"))).toEqual(["s-agent-main.jsonl"])
  expect(Object.keys(contentsUnder(join(home, ".headway", "journal")))).toHaveLength(1)
})
