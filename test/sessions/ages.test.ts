/** How old a session is follows from its records: a tree that was copied a moment ago is as old as what is in it. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { type DiscoveredSession, discover } from "../../src/sessions/discover.ts"
import { sources } from "../agents/loaded.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const folder = temporaryFolder()
const recordings = "test/fixtures/streams"
/** Half a year after the recordings were made. */
const now = new Date("2027-05-01T00:00:00Z")

const filesIn = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** A copy of a recorded home, all of whose files were written just now. */
const copyOf = (name: string, change: (home: string) => void = () => {}): string => {
  const home = mkdtempSync(join(folder, "home-"))
  cpSync(join(recordings, name, "home"), home, { recursive: true })
  change(home)
  for (const path of filesIn(home)) utimesSync(path, now, now)
  return home
}

const look = (home: string): Promise<DiscoveredSession[]> => discover({ sources, env: {}, home, now })

const days = ({ updated }: DiscoveredSession): number => (now.getTime() - Date.parse(updated)) / 86_400_000

const withSessions = readdirSync(recordings).flatMap((client) =>
  readdirSync(join(recordings, client)).flatMap((name) => {
    const isSession = (file: string): boolean => /\.jsonl$/.test(file)
    const files = readdirSync(join(recordings, client, name), { recursive: true, encoding: "utf8" })
    return files.some((file) => file.startsWith("home") && isSession(file)) ? [`${client}/${name}`] : []
  }),
)

test.each(withSessions)("%s is as old as its records, though it was copied just now", async (name) => {
  const sessions = (await look(copyOf(name))).filter(({ path }) => path.endsWith(".jsonl"))
  expect(sessions.length).toBeGreaterThan(0)
  for (const one of sessions) {
    expect(days(one)).toBeGreaterThan(100)
    expect(["working", "waiting", "stalled"]).not.toContain(one.state)
  }
})

describe("a session of Claude Code that was copied just now", () => {
  const inFile = (home: string, change: (path: string) => void): void =>
    filesIn(home)
      .filter((path) => path.endsWith(".jsonl"))
      .forEach(change)

  test("is not newer if the files of its tasks differ from its records", async () => {
    const home = copyOf("claude-2.1.197/tasks", (copy) => {
      const [task = ""] = filesIn(copy).filter((path) => path.includes("/tasks/") && path.endsWith("3.json"))
      writeFileSync(task, readFileSync(task, "utf8").replace('"completed"', '"in_progress"'))
    })
    const [session] = await look(home)
    expect(session?.plan?.todos.map(({ status }) => status)).toContain("in_progress")
    expect(session && days(session)).toBeGreaterThan(100)
  })

  test("is not newer if its list is only in another file", async () => {
    const home = copyOf("claude-2.1.197/tasks", (copy) =>
      inFile(copy, (path) => {
        const lines = readFileSync(path, "utf8").split("\n")
        writeFileSync(path, lines.filter((line) => !/Task[A-Z]|"tasks?":/.test(line)).join("\n"))
      }),
    )
    const [session] = await look(home)
    expect(session?.plan?.todos).not.toHaveLength(0)
    expect(session && days(session)).toBeGreaterThan(100)
  })

  test("is not newer if its last line is longer than the end that is usually read", async () => {
    const line = (content: string, minute: number): string =>
      `${JSON.stringify({
        type: "user",
        isSidechain: false,
        sessionId: "s",
        uuid: "u",
        timestamp: `2026-11-15T19:0${minute}:00.000Z`,
        message: { role: "user", content },
      })}\n`
    for (const size of [100_000, 3_000_000]) {
      const home = mkdtempSync(join(folder, "long-"))
      const path = join(home, ".claude/projects/-p/s.jsonl")
      mkdirSync(join(path, ".."), { recursive: true })
      writeFileSync(path, line("Go", 1) + line("x".repeat(size), 2))
      utimesSync(path, now, now)
      expect((await look(home)).map(({ updated }) => updated)).toEqual(["2026-11-15T19:02:00.000Z"])
    }
  })

  test("is as old as its last line with a time where no line shows activity", async () => {
    const home = mkdtempSync(join(folder, "quiet-"))
    const path = join(home, ".claude/projects/-p/s.jsonl")
    mkdirSync(join(path, ".."), { recursive: true })
    const about = { sessionId: "s", isSidechain: false, uuid: "u" }
    const lines = [
      { ...about, type: "attachment", attachment: { type: "file" }, timestamp: "2026-11-15T19:00:00.000Z" },
      { ...about, type: "attachment", attachment: { type: "file" }, timestamp: "2026-11-15T19:01:00.000Z" },
      { type: "file-history-snapshot", snapshot: {} },
    ]
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    utimesSync(path, now, now)
    expect((await look(home)).map(({ updated }) => updated)).toEqual(["2026-11-15T19:01:00.000Z"])
  })
})
