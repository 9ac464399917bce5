/** A journal is known again: replaced ones are noticed, doubled lines count once, wrong snapshots are not believed. */
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createFold, edits, type Problem } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { entryOf } from "../contracts/store.ts"
import { temporaryFolder } from "./temporary.ts"

const person = { kind: "person", id: "ada" } as const
const key = { session: "s", agent: "main" }

const journalOf = (home: string): string => join(home, "journal", "s-agent-main.jsonl")
const snapshotOf = (home: string): string => join(home, "cache", "s-agent-main.json")

const open = (home: string, problems: Problem[] = []): Promise<Tracker> =>
  openTracker({ store: createFileStore({ home }), session: "s", onProblem: (problem) => problems.push(problem) })

const homeWith = async (...contents: string[]): Promise<string> => {
  const home = temporaryFolder()
  const tracker = await open(home)
  for (const content of contents) await tracker.edit(person, () => edits.add(content))
  await tracker.close()
  return home
}

const contentsOf = ({ plan }: Pick<Tracker, "plan">): string[] => plan.todos.map(({ content }) => content)

const contentsIn = async (home: string): Promise<string[]> => {
  const tracker = await open(home)
  await tracker.close()
  return contentsOf(tracker)
}

const publishedIn = (home: string): string[] =>
  (JSON.parse(readFileSync(join(home, "todos", "s-agent-main.json"), "utf8")) as { content: string }[]).map(
    ({ content }) => content,
  )

/** Long enough for a snapshot. */
const longHome = (word = "todo"): Promise<string> =>
  homeWith(...Array.from({ length: 12 }, (_, index) => `${word} ${index} ${"x".repeat(10_000)}`))

describe("a journal replaced under an open plan by another of the same size", () => {
  const ways: Record<string, (from: string, to: string) => void> = {
    "written over": (from, to) => copyFileSync(from, to),
    "renamed over": (from, to) => {
      copyFileSync(from, `${to}.new`)
      renameSync(`${to}.new`, to)
    },
    "with the time it had": (from, to) => {
      const { atime, mtime } = statSync(to)
      copyFileSync(from, to)
      utimesSync(to, atime, mtime)
    },
  }

  test.each(Object.entries(ways))("%s is noticed by reading and by writing", async (_, replace) => {
    const [home, other] = [await homeWith("Read", "Write"), await homeWith("Cook", "Dance")]
    writeFileSync(journalOf(other), readFileSync(journalOf(other), "utf8").replace("Dance", "Dozes"))
    const pad = statSync(journalOf(home)).size - statSync(journalOf(other)).size
    expect(Math.abs(pad)).toBeLessThan(20)
    const longer = pad > 0 ? other : home
    const text = readFileSync(journalOf(longer), "utf8").trimEnd()
    writeFileSync(journalOf(longer), `${text}${" ".repeat(Math.abs(pad))}\n`)
    expect(statSync(journalOf(home)).size).toBe(statSync(journalOf(other)).size)
    const [reader, writer] = [await open(home), await open(home)]
    replace(journalOf(other), journalOf(home))
    expect((await reader.refresh()).todos.map(({ content }) => content)).toEqual(["Cook", "Dozes"])
    await writer.edit(person, () => edits.add("Sleep"))
    expect(contentsOf(writer)).toEqual(["Cook", "Dozes", "Sleep"])
    await Promise.all([reader.close(), writer.close()])
    expect(publishedIn(home)).toEqual(["Cook", "Dozes", "Sleep"])
  })

  test("edited in the middle, in place, with the same length, is noticed", async () => {
    const home = await homeWith("Read", "Write", ...Array.from({ length: 20 }, (_, index) => `Todo ${index}`))
    const tracker = await open(home)
    // A file's time is told in steps: an edit within the same step as the last write would not be told apart from it.
    await expect.poll(() => Date.now() - statSync(journalOf(home)).ctimeMs).toBeGreaterThan(50)
    writeFileSync(journalOf(home), readFileSync(journalOf(home), "utf8").replace("Read", "Bead"))
    expect((await tracker.refresh()).todos[0]?.content).toBe("Bead")
    await tracker.close()
  })

  test("that is a copy of itself, or touched, counts as the same: no change is reported again", async () => {
    const home = await homeWith("Read", "Write")
    const tracker = await open(home)
    const ids: string[] = []
    tracker.subscribe(({ entry }) => ids.push(entry.id))
    copyFileSync(journalOf(home), `${journalOf(home)}.new`)
    renameSync(`${journalOf(home)}.new`, journalOf(home))
    chmodSync(journalOf(home), 0o600)
    await tracker.refresh()
    expect(ids).toEqual([])
    await tracker.edit(person, () => edits.add("Sleep"))
    expect(ids).toHaveLength(1)
    await tracker.close()
  })

  test("has its own snapshots only", async () => {
    const [home, other] = [await longHome("todo"), await longHome("task")]
    const tracker = await open(home)
    copyFileSync(journalOf(other), journalOf(home))
    for (const count of [1, 2, 3]) await tracker.edit(person, () => edits.add(`${count} ${"x".repeat(90_000)}`))
    await tracker.close()
    expect((await contentsIn(home)).filter((content) => content.startsWith("todo"))).toEqual([])
    expect(await contentsIn(home)).toHaveLength(15)
  })
})

describe("a doubled line", () => {
  test("counts once, in the plan, in the history and in the published list", async () => {
    const home = await homeWith("Read", "Write")
    const text = readFileSync(journalOf(home), "utf8")
    writeFileSync(journalOf(home), text + text)
    const problems: Problem[] = []
    const tracker = await open(home, problems)
    expect(contentsOf(tracker)).toEqual(["Read", "Write"])
    expect(tracker.ledger.entries).toBe(2)
    await tracker.undo(person)
    expect(contentsOf(tracker)).toEqual(["Read"])
    await tracker.close()
    expect(publishedIn(home)).toEqual(["Read"])
    expect(problems).toEqual([])
  })

  test("counts once after the snapshot that knew the first of the two", async () => {
    const home = await longHome()
    expect(existsSync(snapshotOf(home))).toBe(true)
    appendFileSync(journalOf(home), readFileSync(journalOf(home)))
    expect(await contentsIn(home)).toHaveLength(12)
  })

  test("of two branches that were merged, what both have counts once and nothing is lost", async () => {
    const home = await homeWith("Read")
    const base = readFileSync(journalOf(home), "utf8")
    const branchOf = async (content: string): Promise<string> => {
      const branch = await homeWith()
      createFileStore({ home: branch })
      await createFileStore({ home: branch }).append(key, entryOf("seed", []))
      writeFileSync(journalOf(branch), base)
      const tracker = await open(branch)
      await tracker.edit(person, () => edits.add(content))
      await tracker.close()
      return readFileSync(journalOf(branch), "utf8")
    }
    writeFileSync(journalOf(home), (await branchOf("Write")) + (await branchOf("Sleep")))
    expect(await contentsIn(home)).toEqual(["Read", "Write", "Sleep"])
  })

  test("a caller with an id that is not new is told, and nothing is written", async () => {
    const home = await homeWith()
    const tracker = await openTracker({ store: createFileStore({ home }), session: "s", newId: () => "same" })
    await tracker.edit(person, () => edits.add("Read"))
    await expect(tracker.edit(person, () => edits.add("Write"))).rejects.toThrow('already has an entry "same"')
    await tracker.close()
    expect((await createFileStore({ home }).load(key)).entries).toHaveLength(1)
  })
})

describe("a wrong snapshot", () => {
  type Saved = { state: { plan: { todos: { content: string }[] }; facts: { entries: number } }; cursor: number }

  const changes: Record<string, (saved: Saved) => void> = {
    "that lacks half of the todos": ({ state }) => state.plan.todos.splice(0, 6),
    "with another wording": ({ state }) => Object.assign(state.plan.todos[0] ?? {}, { content: "Something else" }),
    "with another fact": ({ state }) => Object.assign(state.facts, { entries: 3 }),
    "that ends elsewhere": (saved) => Object.assign(saved, { cursor: saved.cursor - 1 }),
  }

  test.each(Object.entries(changes))("%s is not trusted, and the published list stays right", async (_, change) => {
    const home = await longHome()
    const before = await contentsIn(home)
    const saved = JSON.parse(readFileSync(snapshotOf(home), "utf8")) as Saved
    change(saved)
    writeFileSync(snapshotOf(home), JSON.stringify(saved))
    expect(await contentsIn(home)).toEqual(before)
    expect(publishedIn(home)).toEqual(before)
  })

  test("with any flipped bit makes no difference to the plan", async () => {
    const home = await longHome()
    const before = await contentsIn(home)
    const bytes = readFileSync(snapshotOf(home))
    for (let step = 0; step < 60; step += 1) {
      const flipped = Buffer.from(bytes)
      const bit = Math.floor((step / 60) * bytes.length * 8) + (step % 8)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      writeFileSync(snapshotOf(home), flipped)
      expect(await contentsIn(home)).toEqual(before)
    }
  })

  test("of a journal that was edited anywhere before its end is not trusted", async () => {
    const home = await longHome()
    const text = readFileSync(journalOf(home), "utf8")
    writeFileSync(journalOf(home), text.replace("todo 5 ", "task 5 "))
    expect((await contentsIn(home))[5]).toMatch(/^task 5 /)
  })

  test("keeps reporting what could not be read before it", async () => {
    const home = await homeWith("Read")
    appendFileSync(journalOf(home), "garbage\n")
    const tracker = await open(home)
    for (let count = 0; count < 9; count += 1) await tracker.edit(person, () => edits.add("x".repeat(10_000)))
    await tracker.close()
    expect(existsSync(snapshotOf(home))).toBe(true)
    const problems: Problem[] = []
    await (await open(home, problems)).close()
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("1 line of")])
  })
})

test("a hundred thousand entries are recognised by their ids in little memory", () => {
  const fold = createFold()
  const entries = Array.from({ length: 100_000 }, (_, index) => entryOf(`e${index.toString(36)}`, []))
  for (const entry of entries) fold.add(entry)
  const snapshot = fold.snapshot()
  expect(snapshot.seen.length).toBeLessThan(100_000 * 11)
  const again = createFold(JSON.parse(JSON.stringify(snapshot)))
  expect(entries.every(({ id }) => again.has(id))).toBe(true)
  expect(entries.some(({ id }) => again.has(`${id}-`) || again.has(`-${id}`))).toBe(false)
})
