/** Homes in which it is not plain whose list is whose: every agent has its own, under ids that never change. */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { openPlanToChange } from "../../src/board/kept-sessions.ts"
import type { Plan } from "../../src/plan/index.ts"
import { type DiscoveredSession, discover } from "../../src/sessions/discover.ts"
import type { PartedIndexFile } from "../../src/sessions/session-index.ts"
import { createMemoryStore } from "../../src/stores/memory.ts"
import { createObserver } from "../../src/streams/index.ts"
import { sources, streams } from "../agents/loaded.ts"
import { rounds } from "../rounds.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { writeOpencodeDatabase } from "../streams/write-opencode-database.ts"
import { memoryIndex } from "./memory-index.ts"

const recorded = "test/fixtures/homes"
const now = new Date("2026-11-16T04:00:00Z")

type Lists = Record<string, string[]>

const expected = JSON.parse(readFileSync(join(recorded, "expected.json"), "utf8")) as Record<string, Lists>

const folder = temporaryFolder()

const copyOf = (name: string): string => {
  const home = mkdtempSync(join(folder, "home-"))
  cpSync(join(recorded, name, "home"), home, { recursive: true })
  return home
}

const createIndex = (): PartedIndexFile => memoryIndex().index

type Index = PartedIndexFile

const look = (home: string, index?: Index): Promise<DiscoveredSession[]> =>
  // Where the machine is busy, the process that unpacks takes its time to start.
  discover({ sources, env: {}, home, now, index, silenceLimit: 60_000 })

const todosOf = (plan: Plan | undefined): string[] =>
  (plan?.todos ?? []).map(({ id, status, content }) => `${id} ${status} ${content}`)

const listsIn = async (home: string, index?: Index): Promise<Lists> => {
  const sessions = await look(home, index)
  const lists = sessions.map(
    async (one) => [`${one.session}/${one.agent}`, todosOf(await one.readPlan())] as [string, string[]],
  )
  return Object.fromEntries((await Promise.all(lists)).sort(([one], [other]) => (one < other ? -1 : 1)))
}

const filesIn = (home: string): string[] =>
  readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** A session file, and not a list beside it. */
const isSession = (path: string): boolean => path.endsWith(".jsonl")

const touch = (home: string, secondsOf: (path: string, index: number) => number): void => {
  for (const [index, path] of filesIn(home).sort().entries()) utimesSync(path, 0, secondsOf(path, index))
}

test("every recording has its row", () => {
  const names = readdirSync(recorded).flatMap((client) =>
    !client.endsWith(".json") ? readdirSync(join(recorded, client)).map((name) => `${client}/${name}`) : [],
  )
  const homes = names.filter((name) => existsSync(join(recorded, name, "home")))
  expect(Object.keys(expected).sort()).toEqual(homes.sort())
})

describe.each(Object.entries(expected))("%s", (name, lists) => {
  test.each([
    ["the session files are newest", (path: string) => (isSession(path) ? 1_800_000_000 : 1_000_000_000)],
    ["the lists beside them are newest", (path: string) => (isSession(path) ? 1_000_000_000 : 1_800_000_000)],
    ["the first file is newest", (_: string, index: number) => 1_800_000_000 - 1_000 * index],
    ["the last file is newest", (_: string, index: number) => 1_700_000_000 + 1_000 * index],
  ])("C28 every agent has its own list when %s", async (_, secondsOf) => {
    const home = copyOf(name)
    touch(home, secondsOf)
    expect(await listsIn(home)).toEqual(lists)
  })

  test("N3 the ids are the same by an index, and without it", async () => {
    const index = createIndex()
    expect(await listsIn(copyOf(name), index)).toEqual(lists)
    const home = copyOf(name)
    expect(await listsIn(home, index)).toEqual(lists)
    expect(await listsIn(home, index)).toEqual(lists)
    expect(await listsIn(home)).toEqual(lists)
  })

  test("N3 the ids are the same when the session files have grown line by line", async () => {
    const home = copyOf(name)
    const texts = filesIn(home).flatMap((path) =>
      isSession(path) ? [{ path, lines: readFileSync(path, "utf8").split("\n") }] : [],
    )
    for (const { path, lines } of texts) writeFileSync(path, `${lines[0]}\n`)
    const index = createIndex()
    const longest = Math.max(...texts.map(({ lines }) => lines.length))
    for (let at = 1; at < longest; at += 1) {
      for (const { path, lines } of texts) if (lines[at]) appendFileSync(path, `${lines[at]}\n`)
      // A list is asked for now and then, as on a board.
      if (at % 5 === 0) await listsIn(home, index)
      else await look(home, index)
    }
    expect(await listsIn(home, index)).toEqual(lists)
  })
})

describe("a forked session of Claude Code", () => {
  const [fork, own] = [
    "f5774032-57dc-4f12-9d9a-4b095281764d",
    ["1 in_progress FORK draw a map", "2 pending FORK sail away"],
  ]
  const path = (home: string): string => join(home, ".claude/projects/-home-user-project", `${fork}.jsonl`)

  const changed = (change: (lines: string[]) => string[]): string => {
    const home = copyOf("claude-2.1.197/fork-tasks")
    rmSync(join(home, ".claude/tasks"), { recursive: true })
    writeFileSync(path(home), `${change(readFileSync(path(home), "utf8").trim().split("\n")).join("\n")}\n`)
    return home
  }

  const forkIn = async (home: string): Promise<string[] | undefined> => (await listsIn(home))[`${fork}/main`]

  const isCopied = (line: string): boolean => line.includes('"timestamp":"2026-11-16T03:00:57')

  test("has no tasks as long as it has made none", async () => {
    expect(await forkIn(changed((lines) => lines.filter((line) => !/FORK|toolu_call_m000[89]/.test(line))))).toEqual([])
  })

  test("has its own list without its files", async () => {
    expect(await forkIn(changed((lines) => lines))).toEqual(own)
  })

  test("has its own list if its beginning is unknown: no number is given twice in one list", async () => {
    expect(await forkIn(changed((lines) => lines.filter((line) => line.includes('"uuid"'))))).toEqual(own)
  })

  test("has none of the tasks on lines that name their original session", async () => {
    const source = { forkedFrom: { sessionId: "12a28460-a5aa-4e5e-a22b-556b968e7e02", messageUuid: "m" } }
    const home = changed((lines) =>
      lines
        .filter((line) => line.includes('"uuid"') && !/FORK|toolu_call_m000[89]/.test(line))
        .map((line) => (isCopied(line) ? JSON.stringify({ ...JSON.parse(line), ...source }) : line)),
    )
    expect(await forkIn(home)).toEqual([])
  })

  test.each([
    ["as data", { toolUseResult: { tasks: [] } }],
    ["in words", {}],
  ])("has no tasks once it was told so %s", async (_, data) => {
    const home = changed((lines) => lines.filter((line) => line.includes('"uuid"') && !/FORK|m0008/.test(line)))
    const content = [{ tool_use_id: "toolu_call_m0009", type: "tool_result", content: "No tasks found" }]
    const about = { sessionId: fork, version: "2.1.197", cwd: "/home/user/project", isSidechain: false }
    const line = { ...about, type: "user", uuid: "u", message: { role: "user", content }, ...data }
    appendFileSync(path(home), `${JSON.stringify(line)}\n`)
    expect(await forkIn(home)).toEqual([])
  })
})

test("a task whose file is gone has the status in the session file, whatever was seen of it before", async () => {
  const home = mkdtempSync(join(folder, "tasks-"))
  cpSync("test/fixtures/streams/claude-2.1.197/tasks/home", home, { recursive: true })
  const [session = ""] = readdirSync(join(home, ".claude/tasks"))
  const file = join(home, ".claude/tasks", session, "3.json")
  const index = createIndex()
  const third = async (kept?: Index) => (await listsIn(home, kept))[`${session}/main`]?.[2]
  writeFileSync(file, readFileSync(file, "utf8").replace('"status": "completed"', '"status": "in_progress"'))
  expect([await third(index), await third()]).toEqual(Array(2).fill("3 in_progress Summarise findings"))
  rmSync(file)
  expect([await third(index), await third()]).toEqual(Array(2).fill("3 completed Summarise findings"))
})

test("a chat of Gemini CLI without its first line belongs to the session that another file names", async () => {
  const home = copyOf("gemini-0.61.0/twins-headerless")
  const session = "67308247-59b9-40e0-a1bd-5e740de06b0e"
  const chats = join(home, ".gemini/tmp/project/chats", session)
  mkdirSync(chats)
  writeFileSync(
    join(chats, "sub-1.jsonl"),
    `${JSON.stringify({ sessionId: "sub-1", projectHash: "h", kind: "subagent" })}\n`,
  )
  const found = (await look(home)).filter((one) => one.session.startsWith("67308247"))
  expect(found.map((one) => [one.session, one.agent, one.isStart])).toEqual([
    [session, "sub-1", undefined],
    [session, "main", undefined],
  ])
})

test.each([
  ["another project", "other", "67308247-59b9-40e0-a1bd-5e740de06b0e", true],
  ["a project whose session has a chat of its own", "project", "67308247-0000-4000-8000-000000000000", false],
])("a chat of Gemini CLI without its first line replaces nothing in %s", async (_, project, session, isChild) => {
  const home = copyOf("gemini-0.61.0/twins-headerless")
  const chats = join(home, ".gemini/tmp", project, "chats")
  const header = isChild ? { sessionId: "sub-1", kind: "subagent" } : { sessionId: session }
  const path = isChild ? join(chats, session, "sub-1.jsonl") : join(chats, "session-2026-11-16T10-00-67308247.jsonl")
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify({ ...header, projectHash: "h" })}\n`)
  const found = (await look(home)).filter((one) => one.session.startsWith("67308247"))
  expect(found.map((one) => [one.session, one.agent, one.isStart]).sort()).toEqual([
    ["67308247", "main", true],
    [session, isChild ? "sub-1" : "main", undefined],
  ])
})

test("a chat that claims the session of another project keeps a name of its own, also while a call has no result", async () => {
  const home = mkdtempSync(join(folder, "claimed-"))
  const chat = (project: string, ...statuses: string[]): void => {
    const records = statuses.map((status, index) => {
      const at = new Date(now.getTime() - 10_000 + index).toISOString()
      const args = { todos: [{ description: `${project} ${index}`, status: "pending" }] }
      const call = { id: `c${index}`, name: "write_todos", args, status, timestamp: at }
      return { id: `r${index}`, type: "gemini", content: "", timestamp: at, toolCalls: [call] }
    })
    const path = join(home, ".gemini/tmp", project, "chats/session-1-abcdefgh.jsonl")
    mkdirSync(dirname(path), { recursive: true })
    const lines = [{ sessionId: "abcdefgh-1", projectHash: "h" }, ...records]
    writeFileSync(path, lines.map((one) => `${JSON.stringify(one)}\n`).join(""))
  }
  chat("a", "success")
  chat("b", "success", "executing")
  expect(await listsIn(home)).toEqual({ "abcdefgh-1/main": ["1 pending a 0"], "b:abcdefgh-1/main": ["1 pending b 0"] })
})

describe("a list that opencode has rewritten twenty times", () => {
  const rows = join(recorded, "opencode-1.18.33/long-todowrite")
  const lists = JSON.parse(readFileSync(join(rows, "lists.json"), "utf8")) as [
    key: string,
    status: string,
    text: string,
  ][][]

  const homeOf = (): string => {
    const home = mkdtempSync(join(folder, "opencode-"))
    writeOpencodeDatabase(join(rows, "opencode.db"), join(home, ".local/share/opencode/opencode.db"))
    return home
  }

  /** Ids are given in the order in which todos first appear. */
  const ids = new Map([...new Set(lists.flat().map(([key]) => key))].map((key, index) => [key, String(index + 1)]))
  const last = (lists.at(-1) ?? []).map(([key, status, text]) => `${ids.get(key)} ${status} ${text}`)

  test("N3 keeps the id of every todo, with an index and without", async () => {
    const index = createIndex()
    const home = homeOf()
    const [first] = Object.values(await listsIn(home, index))
    expect(first).toEqual(last)
    expect(Object.values(await listsIn(home, index))).toEqual([last])
    expect(Object.values(await listsIn(homeOf()))).toEqual([last])
  })

  test("N3 keeps these ids from a person's first edit on", async () => {
    const [session] = await look(homeOf())
    if (!session) throw new Error("there is no session")
    const tracker = await openPlanToChange(session, { store: createMemoryStore(), now: () => now, onProblem: () => {} })
    expect(todosOf(tracker.plan)).toEqual(last)
    await tracker.close()
  })
})

describe("lists of any kind", () => {
  const texts = ["Read the notes", "Run all tests", "Tidy", "Ask for help", "Publish version two"]
  const list = fc.array(
    fc.record({ content: fc.constantFrom(...texts), status: fc.constantFrom("pending", "in_progress", "completed") }),
    { maxLength: 5 },
  )

  const lineOf = (todos: unknown, at: number): string =>
    `${JSON.stringify({ sessionId: "s", isSidechain: false, type: "assistant", version: "2.1.0", uuid: `u${at}`, timestamp: new Date(Date.UTC(2030, 0, 1, 0, 0, at)).toISOString(), cwd: "/p", message: { role: "assistant", model: "m", content: [{ type: "tool_use", id: `c${at}`, name: "TodoWrite", input: { todos } }] } })}\n${JSON.stringify({ sessionId: "s", isSidechain: false, type: "user", version: "2.1.0", uuid: `r${at}`, timestamp: new Date(Date.UTC(2030, 0, 1, 0, 0, at)).toISOString(), cwd: "/p", message: { role: "user", content: [{ type: "tool_result", tool_use_id: `c${at}`, content: "Todos have been modified" }] } })}\n`

  /** What reading every line as it comes gives after each of them. */
  const observed = (lines: readonly string[]): (Plan | undefined)[] => {
    const [observer, reader] = [createObserver(), streams["claude-transcript"].open()]
    return lines.map((text) => {
      for (const line of text.trim().split("\n")) for (const signal of reader.read(line)) observer.take(signal)
      return observer.agents.get("main")?.plan
    })
  }

  test("N3 have the ids that reading every line gives, whenever they are read and whatever is cached", async () => {
    const action = fc.constantFrom("write", "look", "read", "forget")
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(action, list), { minLength: 1, maxLength: 12 }), async (steps) => {
        const home = mkdtempSync(join(folder, "any-"))
        const path = join(home, ".claude/projects/p/s.jsonl")
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, "")
        let index = createIndex()
        const lines: string[] = []
        for (const [action, todos] of steps) {
          if (action === "forget") index = createIndex()
          if (action === "look") await look(home, index)
          if (action === "read") {
            const [session] = await look(home, index)
            expect(todosOf(await session?.readPlan())).toEqual(todosOf(observed(lines).at(-1)))
          }
          if (action !== "write") continue
          lines.push(lineOf(todos, lines.length))
          appendFileSync(path, lines.at(-1) ?? "")
        }
        const [session] = await look(home, index)
        expect(todosOf(await session?.readPlan())).toEqual(todosOf(observed(lines).at(-1)))
      }),
      { numRuns: rounds(20) },
    )
  })

  test("N3 never reuse an id that a list has lost", () => {
    fc.assert(
      fc.property(fc.array(list, { maxLength: 12 }), (lists) => {
        const gone = new Set<string>()
        let before: string[] = []
        for (const plan of observed(lists.map(lineOf))) {
          const ids = plan?.todos.map(({ id }) => id) ?? []
          for (const id of ids) expect(gone.has(id)).toBe(false)
          for (const id of before) if (!ids.includes(id)) gone.add(id)
          before = ids
        }
      }),
    )
  })
})
