/** The file under a journal: what is synced, how long a line may be, and what is not a file at all. */
import { spawnSync } from "node:child_process"
import fs, {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { loadToken, makeToken, saveToken } from "../../src/home/serve/token.ts"
import { saveSettings } from "../../src/home/settings.ts"
import { createSeal } from "../../src/home/trust/seal.ts"
import { trustProject } from "../../src/home/trust/trust.ts"
import { type Entry, edits, type PlanEvent } from "../../src/plan/index.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { openTracker } from "../../src/tracker/open-tracker.ts"
import { atHome } from "../cli/run-cli.ts"
import { entryOf } from "../contracts/store.ts"
import { namesIn, temporaryFolder } from "./temporary.ts"

const person = { kind: "person", id: "ada" } as const
const key = { session: "s", agent: "main" }

/** What is made durable while something is done: the paths, in order. */
const syncedBy = async (action: () => Promise<unknown>): Promise<string[]> => {
  const synced: string[] = []
  const { fsyncSync, fdatasyncSync } = fs
  const noting =
    (sync: typeof fsyncSync) =>
    (file: number): void => {
      synced.push(readlinkSync(`/proc/self/fd/${file}`))
      sync(file)
    }
  Object.assign(fs, { fsyncSync: noting(fsyncSync), fdatasyncSync: noting(fdatasyncSync) })
  syncBuiltinESMExports()
  try {
    await action()
  } finally {
    Object.assign(fs, { fsyncSync, fdatasyncSync })
    syncBuiltinESMExports()
  }
  return synced
}

describe.runIf(process.platform === "linux")("durability", () => {
  test("the first write of a journal syncs it and all its parent folders, the others only itself", async () => {
    const home = join(temporaryFolder(), "home")
    const journal = join(home, "journal", "s-agent-main.jsonl")
    const tracker = await openTracker({ store: createFileStore({ home }), session: "s" })
    const first = await syncedBy(() => tracker.edit(person, () => edits.add("Read")))
    expect(first.toSorted()).toEqual([join(home, ".."), home, journal, join(home, "journal")].toSorted())
    const next = await syncedBy(() => tracker.edit(person, () => edits.add("Write")))
    expect(next).toEqual([journal])
    await tracker.close()
  })

  test("a home several folders deep is synced in each of them", async () => {
    const top = temporaryFolder()
    const home = join(top, "a", "b", "home")
    const synced = await syncedBy(() => createFileStore({ home }).append(key, entryOf("e", ["Read"])))
    expect(synced).toEqual(expect.arrayContaining([top, join(top, "a"), join(top, "a", "b"), home]))
  })

  test.each([
    ["settings", (home: string) => saveSettings(home, { showExpandedTodos: true }), "settings.json"],
    ["trust", (home: string) => trustProject(home, "/", new Date()), "trusted-projects.json"],
    ["the first token", (home: string) => loadToken(home), "serve-token"],
    ["a new token", (home: string) => saveToken(home, makeToken()), "serve-token"],
    ["the key of seals", (home: string) => createSeal(home)(["x"]).seal("{}"), "seal.key"],
  ])("%s and its name outlive a crash of the system", async (_what, write, file) => {
    const above = temporaryFolder()
    const home = join(above, "home")
    const synced = await syncedBy(async () => write(home))
    expect(existsSync(join(home, file))).toBe(true)
    // The content first, under whatever name it had then; the names after it.
    expect(synced[0]).toMatch(new RegExp(`^${home}/(?:tmp/.*\\.tmp|${file})$`))
    expect(synced).toEqual(expect.arrayContaining([home, above]))
  })
})

/** The names of the calls to the file system while something is done, in order. */
const callsBy = async (action: () => Promise<unknown>): Promise<string[]> => {
  const calls: string[] = []
  const own = Object.entries(fs).filter(([name, value]) => /^[a-z]+Sync$/.test(name) && typeof value === "function")
  const noting = own.map(([name, call]) => [
    name,
    (...words: unknown[]): unknown => {
      calls.push(name)
      return (call as (...words: unknown[]) => unknown)(...words)
    },
  ])
  Object.assign(fs, Object.fromEntries(noting))
  syncBuiltinESMExports()
  try {
    await action()
  } finally {
    Object.assign(fs, Object.fromEntries(own))
    syncBuiltinESMExports()
  }
  return calls
}

describe("system calls", () => {
  // The last one asks whether anything was left for the launcher, which is no longer true.
  const onward = ["writeSync", "lstatSync", "fdatasyncSync", "readSync", "existsSync"]

  test("an append checks its folder, its file and the file's name, and nothing twice", async () => {
    const home = temporaryFolder()
    const { cursor } = await createFileStore({ home }).append(key, entryOf("one", ["Read"], key))
    const store = createFileStore({ home })
    await store.append({ session: "other", agent: "main" }, entryOf("x", ["Read"]))
    await store.load(key)
    const calls = await callsBy(() => store.append(key, entryOf("two", ["Write"]), cursor))
    // What is closed is the journal that was open before.
    expect(calls).toEqual(["lstatSync", "openSync", "fstatSync", "closeSync", ...onward])
  })

  test("the journal that was written last is still open: only its folder and its name are checked before the next entry", async () => {
    const store = createFileStore({ home: temporaryFolder() })
    const { cursor } = await store.append(key, entryOf("one", ["Read"], key))
    const calls = await callsBy(() => store.append(key, entryOf("two", ["Write"]), cursor))
    expect(calls).toEqual(["lstatSync", "lstatSync", ...onward])
    expect(await callsBy(() => store.close())).toEqual(["closeSync"])
  })

  test("one check finds what came after a cursor, and a cursor taken within the resolution of time is checked again", async () => {
    const home = temporaryFolder()
    const store = createFileStore({ home })
    const { cursor } = await store.append(key, entryOf("one", ["Read"], key))
    expect(await callsBy(async () => store.hasMore?.(key, cursor))).toEqual(["lstatSync"])
    await expect.poll(() => store.hasMore?.(key, cursor)).toBe(true)
    const again = await store.load(key, cursor)
    expect(again).toEqual({ entries: [], cursor, problems: [] })
    expect(store.hasMore?.(key, again.cursor)).toBe(false)
    await createFileStore({ home }).append(key, entryOf("two", ["Write"]))
    expect(store.hasMore?.(key, again.cursor)).toBe(true)
  })
})

describe("an open journal", () => {
  const begun = async () => {
    const home = temporaryFolder()
    const store = createFileStore({ home })
    const { cursor } = await store.append(key, entryOf("one", ["Read"], key))
    return { home, store, cursor, folder: join(home, "journal"), path: join(home, "journal", "s-agent-main.jsonl") }
  }
  const idsOf = ({ entries }: { entries: Entry[] }) => entries.map(({ id }) => id)

  test("is not written to once it has been renamed", async () => {
    const { home, store, cursor, path } = await begun()
    const backup = join(home, "backup.jsonl")
    renameSync(path, backup)
    const before = readFileSync(backup, "utf8")
    expect(await store.append(key, entryOf("two", ["Write"]), cursor)).toMatchObject({ entries: [], restarted: true })
    expect(readFileSync(backup, "utf8")).toBe(before)
    expect(existsSync(path)).toBe(false)
  })

  test("is not written to once another journal has its name; the other one is", async () => {
    const { home, store, cursor, path } = await begun()
    const backup = join(home, "backup.jsonl")
    renameSync(path, backup)
    const other = createFileStore({ home })
    await other.append(key, entryOf("three", ["Test"], key))
    const loaded = await store.append(key, entryOf("two", ["Write"]), cursor)
    expect(idsOf(loaded)).toEqual(["three", "two"])
    expect(loaded.restarted).toBe(true)
    expect(readFileSync(backup, "utf8")).not.toContain('"two"')
  })

  test("is not followed through a link that replaces it or its folder", async () => {
    const { home, store, cursor, path, folder } = await begun()
    const elsewhere = join(home, "elsewhere")
    cpSync(folder, elsewhere, { recursive: true })
    const copy = join(elsewhere, "s-agent-main.jsonl")
    rmSync(path)
    symlinkSync(copy, path)
    await expect(store.append(key, entryOf("two", ["Write"]), cursor)).rejects.toMatchObject({ code: "not-a-file" })
    rmSync(folder, { recursive: true })
    symlinkSync(elsewhere, folder)
    await expect(store.append(key, entryOf("two", ["Write"]), cursor)).rejects.toMatchObject({ code: "link-refused" })
    expect(readFileSync(copy, "utf8")).not.toContain('"two"')
  })

  test("is not written to through a link to the new place of its folder", async () => {
    const { home, store, cursor, folder } = await begun()
    const moved = join(home, "moved")
    renameSync(folder, moved)
    symlinkSync(moved, folder)
    await expect(store.append(key, entryOf("two", ["Write"]), cursor)).rejects.toMatchObject({ code: "link-refused" })
    expect(readFileSync(join(moved, "s-agent-main.jsonl"), "utf8")).not.toContain('"two"')
  })

  test("of a repository is not reached through a link that replaces the folder of all plans", async () => {
    const folder = temporaryFolder()
    const [home, elsewhere] = [join(folder, ".headway"), join(folder, "elsewhere")]
    const own = join(folder, "own")
    const project = { person: own, local: join(folder, "local"), seal: createSeal(own), isReadOnly: false }
    const store = createFileStore({ home, project })
    const { cursor } = await store.append(key, entryOf("one", ["Read"], key))
    const copy = join(elsewhere, "journal", "s-agent-main.jsonl")
    cpSync(home, elsewhere, { recursive: true })
    rmSync(home, { recursive: true })
    symlinkSync(elsewhere, home)
    const refused = { code: "link-refused" }
    await expect(store.append(key, entryOf("two", ["Write"]), cursor)).rejects.toMatchObject(refused)
    await expect(store.append({ session: "new", agent: "main" }, entryOf("x", ["Read"]))).rejects.toMatchObject(refused)
    await expect(store.load(key)).rejects.toMatchObject(refused)
    await expect(store.list()).rejects.toMatchObject(refused)
    expect(readFileSync(copy, "utf8")).not.toContain('"two"')
    expect(namesIn(join(elsewhere, "journal"))).toEqual(["s-agent-main.jsonl"])
  })

  test("is no longer used when other users may put plans into its folder", async () => {
    const { store, folder, cursor } = await begun()
    chmodSync(folder, 0o777)
    const refused = { code: "unsafe-folder", message: expect.stringContaining("Other users may write to") }
    await expect(store.append(key, entryOf("two", ["Write"]), cursor)).rejects.toMatchObject(refused)
    await expect(store.load(key)).rejects.toMatchObject(refused)
    await expect(store.list()).rejects.toMatchObject(refused)
    chmodSync(folder, 0o755)
    expect((await store.load(key)).entries).toHaveLength(1)
  })

  test.skipIf(process.geteuid?.() !== 0)("is not used where its folder is another user's", async () => {
    const { store, folder } = await begun()
    chownSync(folder, 61_002, 61_002)
    const message = `${folder} belongs to another user, so it is ignored. Move it away.`
    await expect(store.load(key)).rejects.toMatchObject({ code: "unsafe-folder", message })
  })

  test("is closed by removing its plan", async () => {
    const { store, path } = await begun()
    expect(await callsBy(() => store.remove(key))).toContain("closeSync")
    expect(existsSync(path)).toBe(false)
  })
})

describe("an entry is checked before it is written", () => {
  const wrong = [{ type: "todo-added", todo: { id: "", content: "Read", status: "pending", notes: "x" } }]

  test.each(["file", "memory"])("in the %s store, no part of an invalid one is written", async (kind) => {
    const home = temporaryFolder()
    const store = kind === "file" ? createFileStore({ home }) : createMemoryStore()
    const tracker = await openTracker({ store, session: "s" })
    await expect(tracker.edit(person, () => wrong as unknown as PlanEvent[])).rejects.toMatchObject({
      code: "invalid-change",
      message: 'The change was not written: the "todo" of a "todo-added" event is missing or of the wrong kind.',
    })
    expect((await store.load(key)).entries).toEqual([])
    expect(namesIn(join(home, "journal"))).toEqual([])
    await tracker.edit(person, () => edits.add("Write"))
    expect(tracker.plan.todos.map(({ content }) => content)).toEqual(["Write"])
    await tracker.close()
  })

  test("an invalid clock or actor is reported as well", async () => {
    const store = createMemoryStore()
    const late = await openTracker({ store, session: "s", now: () => new Date("+012030-01-01T00:00:00Z") })
    await expect(late.edit(person, () => edits.add("Read"))).rejects.toThrow('its "at"')
    const tracker = await openTracker({ store, session: "s" })
    await expect(tracker.edit({ kind: "robot" } as never, () => edits.add("Read"))).rejects.toThrow('its "by"')
    expect((await store.load(key)).entries).toEqual([])
  })
})

test("refreshing returns the same plan object, which cannot be changed", async () => {
  const tracker = await openTracker({ store: createMemoryStore(), session: "s" })
  await tracker.edit(person, () => edits.add("Read"))
  const plan = await tracker.refresh()
  expect(plan).toBe(tracker.plan)
  expect(Object.isFrozen(plan) && Object.isFrozen(plan.todos) && Object.isFrozen(plan.todos[0])).toBe(true)
})

describe("a line", () => {
  test("that is too long is skipped and reported, and the lines around it are read", {
    timeout: 60_000,
  }, async () => {
    const home = temporaryFolder()
    const store = createFileStore({ home })
    await store.append(key, entryOf("one", ["Read"], key))
    const file = openSync(join(home, "journal", "s-agent-main.jsonl"), "a")
    const part = Buffer.alloc(1 << 20, "x")
    for (let count = 0; count < 70; count += 1) writeSync(file, part)
    writeSync(file, `\n${JSON.stringify(entryOf("two", ["Write"]))}\n`)
    const { entries, problems, cursor } = await createFileStore({ home }).load(key)
    expect(entries.map(({ id }) => id)).toEqual(["one", "two"])
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("1 line of")])
    expect(await store.load(key, cursor)).not.toHaveProperty("restarted")
  })

  test("of several megabytes is read whole", async () => {
    const home = temporaryFolder()
    const store = createFileStore({ home })
    const long = entryOf("long", ["x".repeat(9 << 20)], key)
    await store.append(key, long)
    await store.append(key, entryOf("short", ["Read"]))
    expect((await store.load(key)).entries).toEqual([long, entryOf("short", ["Read"])])
  })

  test("that would be too long is not written", { timeout: 60_000 }, async () => {
    const home = temporaryFolder()
    const store = createFileStore({ home })
    await expect(store.append(key, entryOf("long", ["x".repeat(65 << 20)], key))).rejects.toThrow("too long")
    expect(namesIn(join(home, "journal"))).toEqual([])
  })
})

test.runIf(process.platform === "linux")("a pipe in place of a journal blocks no command", async () => {
  const { home, run } = atHome()
  const folder = join(home, ".headway", "journal")
  mkdirSync(folder, { recursive: true })
  spawnSync("mkfifo", [join(folder, "s-agent-main.jsonl")])
  for (const words of [
    ["list", "--own"],
    ["show", "--session", "s"],
    ["gc", "--older-than", "1d"],
    ["todo", "add", "x", "--session", "s"],
  ]) {
    const { err } = await run(words)
    expect(err, words.join(" ")).toMatch(/s-agent-main\.jsonl is a link or not a regular file/)
  }
  expect((await run(["statusline", "--session", "s"])).out).toBe("")
})

test("a journal whose ids changed case inside is still the same", async () => {
  const home = temporaryFolder()
  const store = createFileStore({ home })
  await store.append(key, entryOf("one", ["Read"], { session: "S", agent: "main" }))
  expect((await createFileStore({ home }).load(key)).entries).toHaveLength(1)
  expect(readFileSync(join(home, "journal", "s-agent-main.jsonl"), "utf8")).toContain('"session":"S"')
})
