/** What is on disk, to the letter: folders, modes, the published list, and what a damaged home must not do. */
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { dialects } from "../../src/dialects/index.ts"
import { createFold, edits, type Problem } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { publishedText } from "../../src/stores/file/published.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import type { Tracker } from "../../src/tracker/tracker.ts"
import { entryOf } from "../contracts/store.ts"
import { contentsUnder, namesIn, temporaryFolder } from "./temporary.ts"

const person = { kind: "person", id: "ada" } as const
const key = { session: "s", agent: "main" }

const open = async (home: string, problems: Problem[] = [], session = "s"): Promise<Tracker> =>
  openTracker({ store: createFileStore({ home }), session, onProblem: (problem) => problems.push(problem) })

const add = (tracker: Tracker, content: string) => tracker.edit(person, () => edits.add(content))

const journalOf = (home: string, name = "s-agent-main"): string => join(home, "journal", `${name}.jsonl`)
const listOf = (home: string, name = "s-agent-main"): string => join(home, "todos", `${name}.json`)
const snapshotOf = (home: string): string => join(home, "cache", "s-agent-main.json")

const publishedIn = (home: string): { content: string }[] => JSON.parse(readFileSync(listOf(home), "utf8"))

/** A home with a plan of these todos that no process has open. */
const homeWith = async (...contents: string[]): Promise<string> => {
  const home = temporaryFolder()
  const tracker = await open(home)
  for (const content of contents) await add(tracker, content)
  await tracker.close()
  return home
}

const contentsIn = async (home: string, problems: Problem[] = []): Promise<string[]> => {
  const tracker = await open(home, problems)
  await tracker.close()
  return tracker.plan.todos.map(({ content }) => content)
}

/** Only root may, and not in every container. */
const canMountFiles = (): boolean => {
  const folder = temporaryFolder()
  const [one, other] = [join(folder, "one"), join(folder, "other")]
  for (const path of [one, other]) writeFileSync(path, "")
  try {
    execFileSync("mount", ["--bind", one, other], { stdio: "ignore" })
    execFileSync("umount", [other])
    return true
  } catch {
    return false
  }
}

describe("the layout", () => {
  test("a plan is a journal and a published list, named by session and agent (C11)", async () => {
    const home = await homeWith("Read")
    expect(namesIn(home)).toEqual(["cache", "journal", "tmp", "todos"])
    expect(namesIn(join(home, "journal"))).toEqual(["s-agent-main.jsonl"])
    expect(namesIn(join(home, "todos"))).toEqual(["s-agent-main.json"])
    expect(namesIn(join(home, "tmp"))).toEqual([])
  })

  test("a journal is one entry a line, and the first line names its plan", async () => {
    const home = await homeWith("Read", "Write")
    const lines = readFileSync(journalOf(home), "utf8").split("\n")
    expect(lines.pop()).toBe("")
    const entries = lines.map((line) => JSON.parse(line) as { v: number; events: { type: string }[] })
    expect(entries.map(({ v }) => v)).toEqual([1, 1])
    expect(entries[0]?.events[0]).toEqual({ type: "plan-opened", session: "s", agent: "main" })
    expect(entries[1]?.events.map(({ type }) => type)).toEqual(["todo-added"])
  })

  test("files are 0600 and folders 0700, whatever the umask", async () => {
    const home = join(temporaryFolder(), "deep", "home")
    const before = process.umask(0)
    try {
      const tracker = await open(home)
      for (let count = 0; count < 12; count += 1) await add(tracker, `todo ${count} ${"x".repeat(10_000)}`)
      await tracker.close()
      await createFileStore({ home }).list()
    } finally {
      process.umask(before)
    }
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
    const folders = [home, dirname(home), ...["journal", "todos", "cache", "tmp"].map((name) => join(home, name))]
    expect(folders.map(modeOf)).toEqual(folders.map(() => "700"))
    const files = Object.keys(contentsUnder(home))
    expect(files).toContain(snapshotOf(home))
    expect(files.map(modeOf)).toEqual(files.map(() => "600"))
  })

  test("a journal is only appended to: earlier lines stay, byte for byte", async () => {
    const home = await homeWith("Read")
    const before = readFileSync(journalOf(home))
    const tracker = await open(home)
    await tracker.clear(person)
    await tracker.undo(person)
    await tracker.close()
    expect(readFileSync(journalOf(home)).subarray(0, before.length)).toEqual(before)
  })

  test("only the list that changed is written, at once (C13)", async () => {
    const home = await homeWith("Read")
    const other = await open(home, [], "other")
    await add(other, "Rest")
    const old = new Date("2020-01-01T00:00:00Z")
    utimesSync(listOf(home, "other-agent-main"), old, old)
    const tracker = await open(home)
    await add(tracker, "Write")
    expect(publishedIn(home).map(({ content }) => content)).toEqual(["Read", "Write"])
    expect(statSync(listOf(home, "other-agent-main")).mtime).toEqual(old)
    await Promise.all([tracker.close(), other.close()])
  })

  test("starting a session loads its list; one without todos starts empty (C14, G7)", async () => {
    const home = await homeWith("Read")
    expect(await contentsIn(home)).toEqual(["Read"])
    const fresh = await open(home, [], "fresh")
    expect(fresh.plan.todos).toEqual([])
    await fresh.close()
    expect(namesIn(join(home, "journal"))).toEqual(["s-agent-main.jsonl"])
  })

  test("a journal without todos still opens (G7)", async () => {
    const home = temporaryFolder()
    const store = createFileStore({ home })
    await store.append(key, entryOf("e", [], key))
    expect(await contentsIn(home)).toEqual([])
  })

  test("hostile ids stay inside the home", async () => {
    const outside = temporaryFolder()
    const home = join(outside, "home")
    const ids = ["../../x", "/etc/x", "..", "a/../../b", "C:\\x", "\u0000", "~/x", "$HOME", `${"../".repeat(80)}x`]
    for (const id of ids) {
      for (const [session, agent] of [
        [id, "main"],
        ["s", id],
      ] as const) {
        const tracker = await openTracker({ store: createFileStore({ home }), session, agent })
        await add(tracker, "Read")
        await tracker.close()
      }
    }
    expect(namesIn(outside)).toEqual(["home"])
    expect(namesIn(home)).toEqual(["cache", "journal", "tmp", "todos"])
    expect(namesIn(join(home, "journal"))).toHaveLength(ids.length * 2)
    expect(namesIn(join(home, "todos"))).toHaveLength(ids.length * 2)
  })

  test("a journal belongs to the ids in its name, though it claims others that differ only in case", async () => {
    const home = temporaryFolder()
    const key = { session: "abc", agent: "main" }
    const store = createFileStore({ home })
    await store.append(key, entryOf("e", ["Ours"], { session: "ABC", agent: "main" }))
    expect((await createFileStore({ home }).load(key)).entries.map(({ id }) => id)).toEqual(["e"])
    expect((await createFileStore({ home }).load({ session: "ABC", agent: "main" })).entries).toEqual([])
    expect(namesIn(join(home, "journal"))).toEqual(["abc-agent-main.jsonl"])
  })

  test("a journal that was copied under another name is that session's plan", async () => {
    const home = await homeWith("Read")
    copyFileSync(journalOf(home), journalOf(home, "copy-agent-main"))
    const tracker = await open(home, [], "copy")
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Read"])
    await tracker.close()
  })
})

describe("the published list", () => {
  test("is a JSON array of content, status and active form, two-space indented, with what else is known (C11)", async () => {
    const home = temporaryFolder()
    const tracker = await open(home)
    const todos = [
      { content: "Run the tests", status: "completed" },
      { content: "Deploy", status: "blocked", activeForm: "Rolling it out", reason: "no key", notes: ["a", "b"] },
      { content: "Sleep", status: "cancelled" },
    ]
    await tracker.write({ tool: "todo", input: { todos } }, dialects.headway)
    const text = readFileSync(listOf(home), "utf8")
    const items = JSON.parse(text) as Record<string, unknown>[]
    expect(text).toBe(`${JSON.stringify(items, null, 2)}\n`)
    expect(items).toMatchObject([
      { ...todos[0], activeForm: "Running the tests", id: "1" },
      todos[1] ?? {},
      todos[2] ?? {},
    ])
    expect(items.map((item) => Object.keys(item).slice(0, 3))).toEqual(
      items.map(() => ["content", "status", "activeForm"]),
    )
    await tracker.clear(person)
    expect(readFileSync(listOf(home), "utf8")).toBe("[]\n")
    await tracker.close()
  })

  test("is the same text whether printed whole or patched in place", async () => {
    const home = temporaryFolder()
    const tracker = await open(home)
    const todos = Array.from({ length: 600 }, (_, index) => ({ content: `Todo ${index} "quoted" \\ 🦊` }))
    await tracker.write({ tool: "todo", input: { todos } }, dialects.headway)
    for (const id of ["1", "300", "600", "300"]) {
      const patch = { id, status: "completed", notes: ['"id": "2"', '\n  }\n    "id": "5"'], description: `d${id}` }
      await tracker.write({ tool: "todo", input: { todos: [patch] } }, dialects.headway)
    }
    await tracker.close()
    expect(readFileSync(listOf(home), "utf8")).toBe(publishedText(tracker.plan))
    expect(publishedIn(home)).toHaveLength(600)
    for (const [content, after] of [["Behind all others"], ["In the middle", "300"], ["Behind them again"]] as const) {
      const next = await open(home)
      await next.edit(person, () => edits.add(content, {}, after))
      await next.close()
      expect(readFileSync(listOf(home), "utf8")).toBe(publishedText(next.plan))
    }
    expect(publishedIn(home)).toHaveLength(603)
  })

  test("with a link in its place is not written, and the plan continues (N11)", async () => {
    const home = await homeWith("Read")
    const elsewhere = join(temporaryFolder(), "list.json")
    writeFileSync(elsewhere, "precious")
    rmSync(listOf(home))
    symlinkSync(elsewhere, listOf(home))
    const problems: Problem[] = []
    const tracker = await open(home, problems)
    await add(tracker, "Write")
    await tracker.close()
    expect(readFileSync(elsewhere, "utf8")).toBe("precious")
    expect(problems.map(({ message }) => message).join()).toContain(`${listOf(home)} is a link`)
    expect((await open(home)).plan.todos).toHaveLength(2)
  })

  test.runIf(canMountFiles())("is written directly where renaming fails (C11)", async () => {
    const home = await homeWith("Read")
    const elsewhere = join(temporaryFolder(), "list.json")
    writeFileSync(elsewhere, "[]\n")
    // A file that is a mount of its own cannot be replaced, only written.
    execFileSync("mount", ["--bind", elsewhere, listOf(home)])
    try {
      const problems: Problem[] = []
      const tracker = await open(home, problems)
      await add(tracker, "Write")
      await tracker.close()
      expect(JSON.parse(readFileSync(elsewhere, "utf8"))).toHaveLength(2)
      expect(problems).toEqual([])
      expect(namesIn(join(home, "tmp"))).toEqual([])
    } finally {
      execFileSync("umount", [listOf(home)])
    }
  })

  test.each(["", "\n", "{", "no json", '{"todos":[]}', '"text"', "\u0000\u0000"])(
    "that is damaged, %j, is kept aside, reported and rebuilt from the journal (C12)",
    async (bad) => {
      const home = await homeWith("Read")
      writeFileSync(listOf(home), bad)
      const problems: Problem[] = []
      expect(await contentsIn(home, problems)).toEqual(["Read"])
      expect(publishedIn(home)).toMatchObject([{ content: "Read" }])
      const aside = namesIn(join(home, "todos")).filter((name) => name.includes(".bad-"))
      expect(aside).toHaveLength(1)
      expect(readFileSync(join(home, "todos", aside[0] ?? ""), "utf8")).toBe(bad)
      expect(problems.map(({ code }) => code)).toEqual(["unreadable-list"])
    },
  )

  test.each(["missing", "stale"])("that is %s is corrected by opening the plan (C12)", async (how) => {
    const home = await homeWith("Read")
    if (how === "missing") rmSync(listOf(home))
    else writeFileSync(listOf(home), "[]\n")
    const problems: Problem[] = []
    await contentsIn(home, problems)
    expect(publishedIn(home)).toMatchObject([{ content: "Read" }])
    expect(problems).toEqual([])
  })

  test("is known to match the plan without being printed, whatever its size, and to differ once it does", async () => {
    for (const count of [3, 600]) {
      const home = temporaryFolder()
      const store = createFileStore({ home })
      const tracker = await openTracker({ store, session: "s" })
      const todos = Array.from({ length: count }, (_, index) => ({ content: `Read ${index}`, notes: ["a"] }))
      await tracker.write({ tool: "todo", input: { todos } }, dialects.headway)
      await tracker.close()
      const isPublished = () => store.isPublished?.(tracker.key, tracker.plan)
      expect(isPublished()).toBe(true)
      const text = readFileSync(listOf(home), "utf8")
      for (const other of [text.replace("Read 1", "Read X"), text.replace('"a"', '"b"'), "[]", "{", ""]) {
        writeFileSync(listOf(home), other)
        expect([other.slice(0, 20), isPublished()]).toEqual([other.slice(0, 20), false])
      }
      rmSync(listOf(home))
      expect(isPublished()).toBe(false)
      await store.close()
    }
  })

  test("that cannot be written is reported, and the entry is written", async () => {
    const home = await homeWith("Read")
    rmSync(listOf(home))
    mkdirSync(join(listOf(home), "in the way"), { recursive: true })
    const problems: Problem[] = []
    const tracker = await open(home, problems)
    await add(tracker, "Write")
    await tracker.close()
    expect(problems.map(({ code }) => code)).toEqual(["not-published"])
    expect(existsSync(join(listOf(home), "in the way"))).toBe(true)
    rmSync(listOf(home), { recursive: true })
    expect(await contentsIn(home)).toEqual(["Read", "Write"])
  })
})

describe("a damaged journal", () => {
  const damages: Record<string, string> = {
    "a torn last line": '{"v":1,"id":"torn","at":"2030-01-01T00:00:00Z","by":{"ki',
    "a torn last line of one brace": "{",
    "a garbage line": "what is this\n",
    "several garbage lines": "]\n{}\nnull\n42\n",
    "NULs, as after a crash": "\u0000".repeat(512),
    "NULs on a line": `${"\u0000".repeat(512)}\n`,
    "half a character": "\u00c3",
    "an entry that is none":
      '{"v":1,"id":"x","at":"t","by":{"kind":"agent","id":"a"},"events":[{"type":"todo-added"}]}\n',
    "a line from a future version": '{"v":2,"id":"x","news":true}\n',
  }

  test.each(Object.entries(damages))(
    "%s loses only itself, is reported once, and is never overwritten",
    async (_, bytes) => {
      const home = await homeWith("Read")
      writeFileSync(journalOf(home), Buffer.from(bytes, "latin1"), { flag: "a" })
      const damaged = readFileSync(journalOf(home))
      const problems: Problem[] = []
      const tracker = await open(home, problems)
      expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Read"])
      await add(tracker, "Write")
      await add(tracker, "Rest")
      await tracker.refresh()
      await tracker.close()
      expect(readFileSync(journalOf(home)).subarray(0, damaged.length)).toEqual(damaged)
      expect(problems).toHaveLength(1)
      expect(problems[0]?.message).toContain(journalOf(home))
      expect(await contentsIn(home)).toEqual(["Read", "Write", "Rest"])
      expect(publishedIn(home)).toHaveLength(3)
    },
  )

  test.each(["a torn last line", "a torn last line of one brace", "NULs, as after a crash", "half a character"])(
    "%s is no longer reported once an entry was written after it",
    async (damage) => {
      const home = await homeWith("Read")
      writeFileSync(journalOf(home), Buffer.from(damages[damage] ?? "", "latin1"), { flag: "a" })
      const tracker = await open(home)
      await add(tracker, "Write")
      await tracker.close()
      const problems: Problem[] = []
      expect(await contentsIn(home, problems)).toEqual(["Read", "Write"])
      expect(problems).toEqual([])
      const store = createFileStore({ home })
      expect((await store.list()).problems).toEqual([])
      expect(readFileSync(journalOf(home), "utf8")).toContain(" (not written in full)\n")
      await store.close()
    },
  )

  test("a last entry that only lacks its line end is kept", async () => {
    const home = await homeWith("Read", "Write")
    truncateSync(journalOf(home), readFileSync(journalOf(home)).length - 1)
    const tracker = await open(home)
    await add(tracker, "Rest")
    await tracker.close()
    const problems: Problem[] = []
    expect(await contentsIn(home, problems)).toEqual(["Read", "Write", "Rest"])
    expect(problems).toEqual([])
  })

  test("a line from a future version is distinguished from a broken one", async () => {
    const home = await homeWith("Read")
    writeFileSync(journalOf(home), `${damages["a line from a future version"]}`, { flag: "a" })
    const problems: Problem[] = []
    await contentsIn(home, problems)
    expect(problems.map(({ code }) => code)).toEqual(["future-entries"])
    expect(problems[0]?.message).toContain("newer Headway")
  })

  test("an event of an unknown kind changes nothing and is reported", async () => {
    const home = await homeWith("Read")
    const entry = {
      v: 1,
      id: "x",
      at: "2030-01-01T00:00:00Z",
      by: { kind: "system", id: "x" },
      events: [{ type: "new" }],
    }
    writeFileSync(journalOf(home), `${JSON.stringify(entry)}\n`, { flag: "a" })
    const problems: Problem[] = []
    expect(await contentsIn(home, problems)).toEqual(["Read"])
    expect(problems.map(({ code }) => code)).toEqual(["unknown-events"])
  })

  test("an entry joined to an unfinished line of another writer's crash is written again", async () => {
    const home = await homeWith("Read")
    const tracker = await open(home)
    const store = createFileStore({ home })
    // The crash happens between this tracker's last look and its write.
    const racing = await openTracker({
      store: {
        ...store,
        append: async (one, entry, from) => {
          if (readFileSync(journalOf(home), "utf8").endsWith("\n") && !existsSync(join(home, "crashed"))) {
            writeFileSync(join(home, "crashed"), "")
            writeFileSync(journalOf(home), '{"torn', { flag: "a" })
          }
          return store.append(one, entry, from)
        },
      },
      session: "s",
    })
    await add(racing, "Write")
    expect(racing.plan.todos.map(({ content }) => content)).toEqual(["Read", "Write"])
    expect((await tracker.refresh()).todos).toHaveLength(2)
    await Promise.all([racing.close(), tracker.close()])
  })

  test("lines may have Windows line ends", async () => {
    const home = await homeWith("Read", "Write")
    writeFileSync(journalOf(home), readFileSync(journalOf(home), "utf8").replaceAll("\n", "\r\n"))
    const problems: Problem[] = []
    expect(await contentsIn(home, problems)).toEqual(["Read", "Write"])
    expect(problems).toEqual([])
  })

  test("an emptied file is started again from the list that is still there", async () => {
    const home = await homeWith("Read")
    truncateSync(journalOf(home))
    const problems: Problem[] = []
    const tracker = await open(home, problems)
    expect(tracker.plan.todos).toMatchObject([{ content: "Read" }])
    await add(tracker, "Again")
    await tracker.close()
    expect(await contentsIn(home, problems)).toEqual(["Read", "Again"])
    expect(problems).toEqual([])
    expect(readFileSync(journalOf(home), "utf8")).toContain('"plan-opened"')
  })

  test("a folder in place of a journal hides no other plan and is left alone", async () => {
    const home = await homeWith("Read")
    mkdirSync(join(journalOf(home, "bad-agent-main"), "in the way"), { recursive: true })
    const store = createFileStore({ home })
    const { plans, problems } = await store.list()
    expect(plans.map(({ session }) => session)).toEqual(["s"])
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toContain("bad-agent-main.jsonl could not be read")
    await expect(open(home, [], "bad")).rejects.toThrow(/bad-agent-main\.jsonl is a link or not a regular file/)
    await expect(store.append({ session: "bad", agent: "main" }, entryOf("e", ["x"]))).rejects.toThrow(
      /could not be written/,
    )
    await expect(store.remove({ session: "bad", agent: "main" })).rejects.toThrow(/could not be removed/)
    expect(existsSync(join(journalOf(home, "bad-agent-main"), "in the way"))).toBe(true)
  })

  test("a journal replaced under an open plan is read from its beginning", async () => {
    const home = await homeWith("Read", "Write")
    const other = await homeWith(
      "A much longer todo than the others have, so that no line ends where one ended",
      "Rest",
    )
    const tracker = await open(home)
    copyFileSync(journalOf(other), journalOf(home))
    expect((await tracker.refresh()).todos.map(({ content }) => content)).toEqual([
      expect.stringContaining("much"),
      "Rest",
    ])
    truncateSync(journalOf(home))
    expect((await tracker.refresh()).todos).toEqual([])
    rmSync(journalOf(home))
    expect((await tracker.refresh()).todos).toEqual([])
    await tracker.close()
  })

  test("a home that disappears under an open plan is created again by the next write", async () => {
    const home = await homeWith("Read")
    const tracker = await open(home)
    rmSync(home, { recursive: true })
    await add(tracker, "Again")
    await tracker.close()
    expect(await contentsIn(home)).toEqual(["Again"])
  })
})

describe("snapshots", () => {
  /** A plan long enough for a snapshot. */
  const longHome = async (word = "todo"): Promise<string> => {
    const home = temporaryFolder()
    const tracker = await open(home)
    for (let count = 0; count < 12; count += 1) await add(tracker, `${word} ${count} ${"x".repeat(10_000)}`)
    await tracker.edit(person, (plan) => plan.todos.slice(0, 2).flatMap(edits.remove))
    await tracker.close()
    expect(existsSync(snapshotOf(home))).toBe(true)
    return home
  }

  const stateOf = async (home: string): Promise<unknown> => {
    const tracker = await open(home)
    await tracker.close()
    const { plan, ledger } = tracker
    return JSON.parse(JSON.stringify([plan, ledger.opened, [...ledger.todos], [...ledger.removed], [...ledger.untold]]))
  }

  test("opening from one gives the same as opening from the first entry", async () => {
    const home = await longHome()
    const fold = createFold()
    for (const entry of (await createFileStore({ home }).load(key)).entries) fold.add(entry)
    const { plan, ledger } = fold
    const whole = JSON.parse(
      JSON.stringify([plan, ledger.opened, [...ledger.todos], [...ledger.removed], [...ledger.untold]]),
    )
    expect(await stateOf(home)).toEqual(whole)
    rmSync(snapshotOf(home))
    expect(await stateOf(home)).toEqual(whole)
  })

  test("one is really used: earlier lines are not read again", async () => {
    const home = await longHome()
    const loaded: number[] = []
    const store = createFileStore({ home })
    const load: typeof store.load = async (one, cursor) => {
      const found = await store.load(one, cursor)
      loaded.push(found.entries.length)
      return found
    }
    await openTracker({ store: { ...store, load }, session: "s" })
    expect((await store.load(key)).entries).toHaveLength(13)
    expect(Math.max(...loaded)).toBeLessThan(13)
  })

  const broken: Record<string, string> = {
    empty: "",
    "cut off": '{"v":2,"cursor":1',
    "not an object": "null",
    "of another version": '{"v":99}',
    "without its parts": "<parts>",
  }

  test.each(Object.entries(broken))("one that is %s is not trusted", async (_, text) => {
    const home = await longHome()
    const before = await stateOf(home)
    const saved = JSON.parse(readFileSync(snapshotOf(home), "utf8"))
    const partly = JSON.stringify({ ...saved, state: { plan: { todos: [], phases: [], revision: 1 }, records: [] } })
    writeFileSync(snapshotOf(home), text === "<parts>" ? partly : text)
    expect(await stateOf(home)).toEqual(before)
  })

  test("a folder in its place costs only time", async () => {
    const home = await longHome()
    const before = await stateOf(home)
    rmSync(snapshotOf(home))
    mkdirSync(join(snapshotOf(home), "in the way"), { recursive: true })
    expect(await stateOf(home)).toEqual(before)
    const problems: Problem[] = []
    const tracker = await open(home, problems)
    await add(tracker, "x".repeat(200_000))
    await tracker.close()
    expect(tracker.plan.todos).toHaveLength(11)
    expect(problems.map(({ code }) => code)).toEqual(["no-snapshot"])
  })

  test("one of another journal of the same size is not trusted", async () => {
    const home = await longHome("todo")
    const other = await longHome("task")
    expect(statSync(journalOf(home)).size).toBe(statSync(journalOf(other)).size)
    copyFileSync(journalOf(other), journalOf(home))
    const contents = await contentsIn(home)
    expect(contents).toHaveLength(10)
    expect(contents.every((content) => content.startsWith("task"))).toBe(true)
    expect(publishedIn(home).map(({ content }) => content)).toEqual(contents)
  })

  test("one of a journal that ends alike but began otherwise is not trusted", async () => {
    const home = await longHome()
    const text = readFileSync(journalOf(home), "utf8").replace("todo 2 ", "task 2 ")
    writeFileSync(journalOf(home), text)
    // The first entry is where two journals differ: it has an id and a time of its own.
    writeFileSync(journalOf(home), text.replace(/"at":"[^"]+"/, '"at":"2031-01-01T00:00:00.000Z"'))
    expect((await contentsIn(home))[0]).toMatch(/^task 2/)
  })

  test("one of a longer journal is not trusted when the journal was cut", async () => {
    const home = await longHome()
    const lines = readFileSync(journalOf(home), "utf8").split("\n")
    writeFileSync(journalOf(home), `${lines.slice(0, 3).join("\n")}\n`)
    expect(await contentsIn(home)).toHaveLength(3)
    expect(publishedIn(home)).toHaveLength(3)
  })
})

describe("temporary files", () => {
  const deadProcess = 4_194_305

  test("of dead processes are removed when the home is opened, and those of running ones stay", async () => {
    const home = await homeWith("Read")
    const temporary = join(home, "tmp")
    const names = [
      `${deadProcess}-1.tmp`,
      `${deadProcess}-k3j2.tmp`,
      `${process.ppid}-1.tmp`,
      `${process.pid}-1.tmp`,
      "notes.txt",
    ]
    for (const name of names) writeFileSync(join(temporary, name), "")
    createFileStore({ home })
    expect(namesIn(temporary)).toEqual(names.slice(2).toSorted())
  })

  test("are not left behind by a write that fails", async () => {
    const home = await homeWith("Read")
    rmSync(listOf(home))
    mkdirSync(join(listOf(home), "in the way"), { recursive: true })
    const store = createFileStore({ home })
    await expect(store.publish?.(key, { todos: [], phases: [], revision: 1 })).rejects.toThrow("could not be written")
    expect(namesIn(join(home, "tmp"))).toEqual([])
  })
})

describe("a home that cannot be used", () => {
  test("below a file names the path and the reason in every action", async () => {
    const file = join(temporaryFolder(), "file")
    writeFileSync(file, "precious")
    const store = createFileStore({ home: join(file, "home") })
    await expect(store.append(key, entryOf("e", ["x"]))).rejects.toThrow(/could not be written: ENOTDIR/)
    await expect(store.load(key)).rejects.toThrow(/could not be read: ENOTDIR/)
    await expect(store.list()).rejects.toThrow(/could not be read: ENOTDIR/)
    await expect(store.watch(() => {})).rejects.toThrow(/could not be watched: ENOTDIR/)
    expect(readFileSync(file, "utf8")).toBe("precious")
  })

  test("with a temporary file that cannot be removed can still be read", async () => {
    const home = await homeWith("Read")
    mkdirSync(join(home, "tmp", "99999999-left.tmp"))
    expect(await contentsIn(home)).toEqual(["Read"])
  })

  test.skipIf(process.getuid?.() === 0)("because it is read-only can still be read", async () => {
    const home = await homeWith("Read")
    for (const folder of ["journal", "todos", "cache", "tmp", ""]) chmodSync(join(home, folder), 0o500)
    chmodSync(journalOf(home), 0o400)
    const tracker = await open(home)
    await expect(add(tracker, "Write")).rejects.toThrow(/could not be written: EACCES/)
    await tracker.close()
    expect(await contentsIn(home)).toEqual(["Read"])
    for (const folder of ["journal", "todos", "cache", "tmp", ""]) chmodSync(join(home, folder), 0o700)
  })

  test("that is a link works like its target", async () => {
    const real = await homeWith("Read")
    const link = join(temporaryFolder(), "link")
    symlinkSync(real, link)
    const tracker = await open(link)
    await add(tracker, "Write")
    await tracker.close()
    expect(await contentsIn(real)).toEqual(["Read", "Write"])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  test("that is a link to nothing is reported so", async () => {
    const link = join(temporaryFolder(), "link")
    symlinkSync(join(temporaryFolder(), "gone"), link)
    const tracker = await open(link)
    await expect(add(tracker, "Write")).rejects.toThrow(/is a link that leads to no folder/)
    await tracker.close()
  })
})

describe("the listing", () => {
  test("reads only what is new, and survives a broken cache", async () => {
    const home = await homeWith("Read")
    const { plans } = await createFileStore({ home }).list()
    const index = join(home, "cache", "plans.json")
    for (const text of ["", "null", '{"v":2,"plans":{"s-agent-main":5}}', '{"v":2,"plans":[]}', '{"v":1}']) {
      writeFileSync(index, text)
      expect((await createFileStore({ home }).list()).plans).toEqual(plans)
    }
    rmSync(join(home, "cache"), { recursive: true })
    writeFileSync(join(home, "cache"), "a file in the way")
    expect((await createFileStore({ home }).list()).plans).toEqual(plans)
  })

  test("sees a change by another process", async () => {
    const home = await homeWith("Read")
    const store = createFileStore({ home })
    await store.list()
    const tracker = await open(home)
    await tracker.edit(person, ({ todos }) => todos.flatMap(edits.done))
    await tracker.close()
    expect((await store.list()).plans).toMatchObject([{ isFinished: true, progress: { completed: 1, total: 1 } }])
  })
})

test("C14 a list that is there before the plan has a log is loaded, and not overwritten by the first write", async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, "todos"))
  const items = [{ content: "Left by another program", status: "in_progress", activeForm: "Working" }]
  writeFileSync(join(home, "todos", "s-agent-main.json"), JSON.stringify(items))
  const tracker = await openTracker({ store: createFileStore({ home }), session: "s" })
  expect(tracker.plan.todos).toMatchObject([{ id: "1", content: "Left by another program", status: "in_progress" }])
  await add(tracker, "New")
  await tracker.close()
  const published = JSON.parse(readFileSync(join(home, "todos", "s-agent-main.json"), "utf8")) as { content: string }[]
  expect(published.map(({ content }) => content)).toEqual(["Left by another program", "New"])
})

test("C14 of several processes that take over a list at once one does", async () => {
  const home = temporaryFolder()
  mkdirSync(join(home, "todos"))
  writeFileSync(
    join(home, "todos", "s-agent-main.json"),
    '[{"content":"Read","status":"pending","activeForm":"Reading"}]',
  )
  const opened = await Promise.all(
    [1, 2, 3, 4].map(() => openTracker({ store: createFileStore({ home }), session: "s" })),
  )
  for (const tracker of opened) expect((await tracker.refresh()).todos).toHaveLength(1)
  await Promise.all(opened.map((tracker) => tracker.close()))
})

describe("the index of a home with damaged journals", () => {
  const opened = (more: object): string =>
    `${JSON.stringify({
      v: 1,
      id: "e",
      at: "2030-01-01T00:00:00.000Z",
      by: { kind: "agent", id: "main" },
      events: [
        { type: "plan-opened", session: "s", agent: "main", ...more },
        { type: "todo-added", todo: { id: "1", content: "Read", status: "pending" } },
      ],
    })}\n`

  test.each([
    ["ends in the middle of a line", `${opened({})}{"v":1,"id":"x`],
    ["holds a line that is no entry", `${opened({})}nonsense\n`],
    ["is empty", ""],
    ["names a project that is not text", opened({ project: 5 })],
    ["names a kind of agent that is not text", opened({ agentType: {} })],
    ["names a parent without an agent", opened({ parent: {} })],
    ["names a parent whose agent is no text", opened({ parent: { agent: 7 } })],
    ["is at no time", opened({}).replace("2030-01-01T00:00:00.000Z", "never")],
  ])("is not written again by every listing: a journal %s", async (_what, text) => {
    const home = temporaryFolder()
    await createFileStore({ home }).append({ session: "whole", agent: "main" }, entryOf("e", ["Read"]))
    writeFileSync(join(home, "journal", "s-agent-main.jsonl"), text)
    mkdirSync(join(home, "journal", "folder-agent-main.jsonl"))
    const { plans, problems } = await createFileStore({ home }).list()
    const written = lstatSync(join(home, "cache", "plans.json"))
    expect(await createFileStore({ home }).list()).toEqual({ plans, problems })
    expect(await createFileStore({ home }).list({ session: "whole" })).toMatchObject({ plans: [{ session: "whole" }] })
    expect(lstatSync(join(home, "cache", "plans.json")).ino).toBe(written.ino)
  })
})
