/** Removing plans: by their file, asked again, and never what a writer was told is kept. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, test, vi } from "vitest"
import { edits } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { atHome } from "../cli/run-cli.ts"
import { entryOf } from "../contracts/store.ts"
import { bundle } from "./faults.ts"
import { contentsUnder, namesIn, temporaryFolder } from "./temporary.ts"
import { sweepTogether } from "./together.ts"

const person = { kind: "person", id: "ada" } as const

const journalOf = (home: string, session: string): string => join(home, "journal", `${session}-agent-main.jsonl`)

/** A finished plan. */
const finish = async (home: string, session: string): Promise<void> => {
  const now = () => new Date("2020-01-01T00:00:00Z")
  const tracker = await openTracker({ store: createFileStore({ home }), session, now })
  await tracker.edit(person, () => edits.add(`Work of ${session}`, { status: "completed" }))
  await tracker.close()
}

const sessionsIn = async (home: string): Promise<string[]> =>
  (await createFileStore({ home }).list()).plans.map(({ session }) => session).toSorted()

describe("headway gc", () => {
  const old = ["gc", "--older-than", "1d"]

  test("removes a plan with all that was made from it, and reports it", async () => {
    const { home, run } = atHome()
    const own = join(home, ".headway")
    for (const session of ["a", "b"]) await finish(own, session)
    const { out, err, code } = await run([...old, "--session", "a"])
    expect({ code, out }).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^removed a main \(1\/1, \d+d old\)\n$/),
    })
    expect(err).toBe("headway: removed 1 of 2 plans\n")
    expect(Object.keys(contentsUnder(own)).filter((path) => path.includes("a-agent-main"))).toEqual([])
    expect(await sessionsIn(own)).toEqual(["b"])
  })

  test("uses the name of a file: one that claims another plan removes neither, and is reported", async () => {
    const { home, run } = atHome()
    const own = join(home, ".headway")
    await finish(own, "victim")
    const open = await openTracker({ store: createFileStore({ home: own }), session: "victim" })
    await open.edit(person, () => edits.add("Still to do"))
    await open.close()
    await finish(own, "liar")
    const lie = readFileSync(journalOf(own, "liar"), "utf8").replace('"session":"liar"', '"session":"victim"')
    writeFileSync(journalOf(own, "liar"), lie)
    const before = contentsUnder(join(own, "journal"))
    const { out, err } = await run(old)
    expect(out).toBe("")
    expect(err).toContain('liar-agent-main.jsonl was kept: it says it is the plan of session "victim"')
    expect(contentsUnder(join(own, "journal"))).toEqual(before)
  })

  test("does not follow a link: the link and its target stay", async () => {
    const { home, run } = atHome()
    const own = join(home, ".headway")
    await finish(own, "a")
    const elsewhere = join(temporaryFolder(), "elsewhere.jsonl")
    renameSync(journalOf(own, "a"), elsewhere)
    symlinkSync(elsewhere, journalOf(own, "a"))
    const { out, err } = await run(old)
    expect(out).toBe("")
    expect(err).toMatch(/a-agent-main\.jsonl is a link/)
    expect(existsSync(elsewhere)).toBe(true)
    expect(existsSync(journalOf(own, "a"))).toBe(true)
  })

  test("keeps a plan that could not be read whole, unless unfinished ones are removed too", async () => {
    const { home, run } = atHome()
    const own = join(home, ".headway")
    await finish(own, "a")
    appendFileSync(journalOf(own, "a"), '{"v":2,"what":"only a newer one knows"}\n')
    expect((await run(old)).err).toMatch(/newer Headway[\s\S]*removed 0 of 1 plans/)
    expect(existsSync(journalOf(own, "a"))).toBe(true)
    expect((await run([...old, "--unfinished"])).err).toContain("removed 1 of 1 plans")
    expect(existsSync(journalOf(own, "a"))).toBe(false)
  })

  test("uses the journal, not the index in the cache", async () => {
    const { home, run } = atHome()
    const own = join(home, ".headway")
    await finish(own, "a")
    const tracker = await openTracker({
      store: createFileStore({ home: own }),
      session: "a",
      now: () => new Date("2020-01-01T00:00:00Z"),
    })
    await tracker.edit(person, () => edits.add("Still to do"))
    await tracker.close()
    await run(["list", "--own"])
    const index = join(own, "cache", "plans.json")
    const rows = JSON.parse(readFileSync(index, "utf8")) as { rows: unknown[][] }
    expect(rows.rows[0]?.[9]).toBe(0)
    if (rows.rows[0]) rows.rows[0][9] = 1
    writeFileSync(index, JSON.stringify(rows))
    expect((await run([...old, "--dry-run"])).out).toContain("would remove a")
    expect((await run(old)).out).toBe("")
    expect(existsSync(journalOf(own, "a"))).toBe(true)
  })
})

describe("a sweep that was killed before it decided", () => {
  const deadProcess = 4_194_305

  const goneOf = (home: string, session: string): string => `${journalOf(home, session)}.gone-${deadProcess}-k3j2`

  test("has its journal restored by the next list", async () => {
    const home = temporaryFolder()
    await finish(home, "a")
    renameSync(journalOf(home, "a"), goneOf(home, "a"))
    expect(await sessionsIn(home)).toEqual(["a"])
    expect(namesIn(join(home, "journal"))).toEqual(["a-agent-main.jsonl"])
  })

  test("has its journal merged with one started in the meantime, the older first, each entry once", async () => {
    const home = temporaryFolder()
    await finish(home, "a")
    copyFileSync(journalOf(home, "a"), goneOf(home, "a"))
    appendFileSync(goneOf(home, "a"), `${JSON.stringify(entryOf("late", ["Late"]))}\n{"torn`)
    writeFileSync(journalOf(home, "a"), ["new", "late"].map((id) => `${JSON.stringify(entryOf(id, [id]))}\n`).join(""))
    await createFileStore({ home }).list()
    const tracker = await openTracker({ store: createFileStore({ home }), session: "a" })
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Work of a", "Late", "new"])
    expect(namesIn(join(home, "journal"))).toEqual(["a-agent-main.jsonl"])
    await tracker.close()
  })

  test("that had already restored the journal leaves it as it is", async () => {
    const home = temporaryFolder()
    await finish(home, "a")
    const before = readFileSync(journalOf(home, "a"), "utf8")
    linkSync(journalOf(home, "a"), goneOf(home, "a"))
    expect(await sessionsIn(home)).toEqual(["a"])
    expect(readFileSync(journalOf(home, "a"), "utf8")).toBe(before)
    expect(namesIn(join(home, "journal"))).toEqual(["a-agent-main.jsonl"])
  })

  test("is left alone while its process runs", async () => {
    const home = temporaryFolder()
    await finish(home, "a")
    const gone = `${journalOf(home, "a")}.gone-${process.ppid}-k3j2`
    renameSync(journalOf(home, "a"), gone)
    expect(await sessionsIn(home)).toEqual([])
    expect(existsSync(gone)).toBe(true)
  })

  test.each([process.pid, process.ppid])("is undone when a later process has its number (%#)", async (pid) => {
    const home = temporaryFolder()
    await finish(home, "a")
    renameSync(journalOf(home, "a"), `${journalOf(home, "a")}.gone-${pid}-k3j2`)
    const later = Date.now() + 120_000
    const clock = vi.spyOn(Date, "now").mockReturnValue(later)
    try {
      expect(await sessionsIn(home)).toEqual(["a"])
      expect(namesIn(join(home, "journal"))).toEqual(["a-agent-main.jsonl"])
    } finally {
      clock.mockRestore()
    }
  })
})

test("the list of a plan that was kept after all exists again", async () => {
  const home = temporaryFolder()
  await finish(home, "a")
  const store = createFileStore({ home })
  let asked = 0
  const { removed, problems } = await store.sweep(() => {
    asked += 1
    // The second time is right before it goes: what is written then is only seen once the file has lost its name.
    if (asked === 2) void createFileStore({ home }).append({ session: "a", agent: "main" }, entryOf("late", ["Late"]))
    return true
  })
  expect(removed).toEqual([])
  expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("it was written to in the meantime")])
  const list = JSON.parse(readFileSync(join(home, "todos", "a-agent-main.json"), "utf8")) as { content: string }[]
  expect(list.map(({ content }) => content)).toEqual(["Work of a", "Late"])
})

test("a list with a torn or empty journal, or a folder in place of one, is not rebuilt each time", async () => {
  const home = temporaryFolder()
  await finish(home, "a")
  writeFileSync(journalOf(home, "torn"), '{"v":1,"id":"x')
  writeFileSync(journalOf(home, "empty"), "")
  mkdirSync(journalOf(home, "folder"))
  const index = join(home, "cache", "plans.json")
  await createFileStore({ home }).list()
  writeFileSync(index, `${readFileSync(index, "utf8")} `)
  const before = readFileSync(index, "utf8")
  const { plans } = await createFileStore({ home }).list()
  expect(plans.map(({ session }) => session)).toEqual(["a"])
  expect(readFileSync(index, "utf8")).toBe(before)
})

describe("an index with a wrong position", () => {
  test.each([3, 4, 6, 7, 10, 11])("%i of a row is not trusted", async (place) => {
    const home = temporaryFolder()
    await finish(home, "a")
    const { plans } = await createFileStore({ home }).list()
    const index = join(home, "cache", "plans.json")
    const rows = JSON.parse(readFileSync(index, "utf8")) as { rows: unknown[][] }
    if (rows.rows[0]) rows.rows[0][place] = { odd: true }
    writeFileSync(index, JSON.stringify(rows))
    expect((await createFileStore({ home }).list()).plans).toEqual(plans)
  })
})

describe("a plan that is opened while a sweep has moved its journal away for a second check", () => {
  const takenAway = async (pid: number) => {
    const home = temporaryFolder()
    const open = () => openTracker({ store: createFileStore({ home }), session: "s" })
    const gone = `${journalOf(home, "s")}.gone-${pid}-x`
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Read"))
    // The list was published after the sweep had removed it.
    renameSync(journalOf(home, "s"), gone)
    return { home, open, gone, journal: journalOf(home, "s") }
  }
  const contentsIn = ({ plan }: Tracker): string[] => plan.todos.map(({ content }) => content)

  test("does not import the list that was made from it, so that no todo is there twice", async () => {
    const { open, gone, journal } = await takenAway(process.pid)
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Write"))
    await tracker.close()
    // The journal had been written to in the meantime, so that the sweep puts both together.
    writeFileSync(journal, Buffer.concat([readFileSync(gone), readFileSync(journal)]))
    expect(contentsIn(await open())).toEqual(["Read", "Write"])
  })

  test("gets its journal back where the sweep was killed before it decided", async () => {
    const { open, home } = await takenAway(2 ** 30)
    const tracker = await open()
    await tracker.edit(person, () => edits.add("Write"))
    expect(contentsIn(tracker)).toEqual(["Read", "Write"])
    await createFileStore({ home }).list()
    expect(contentsIn(await open())).toEqual(["Read", "Write"])
  })
})

test("writers and sweepers at once lose no acknowledged entry", { timeout: 240_000 }, async () => {
  const program = await bundle("sweeping.ts", temporaryFolder())
  const { removed } = await sweepTogether({ home: temporaryFolder(), program, plans: 60 })
  expect(removed).toBeGreaterThan(0)
})
