/** Sessions found on disk: every recorded home says what a person reads in it, and nothing there stops the search. */

import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import Database from "libsql"
import { describe, expect, test } from "vitest"
import { type DiscoveredSession, type DiscoverOptions, discover } from "../../src/sessions/discover.ts"
import { sources } from "../agents/loaded.ts"
import type { ExpectedList } from "../contracts/stream.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { writeOpencodeDatabase } from "../streams/write-opencode-database.ts"
import { memoryIndex } from "./memory-index.ts"
import { stored } from "./zstandard-frames.ts"

const recorded = "test/fixtures/streams"

type Looked = { sessions: DiscoveredSession[]; problems: string[]; bytes: number }

const look = async (home: string, options: Partial<DiscoverOptions> = {}): Promise<Looked> => {
  const looked: Looked = { sessions: [], problems: [], bytes: 0 }
  looked.sessions = await discover({
    sources,
    env: {},
    home,
    now: new Date("2026-11-15T19:00:00Z"),
    // Where the machine is busy, the process that unpacks takes its time to start.
    silenceLimit: 60_000,
    onProblem: ({ code }) => looked.problems.push(code),
    onRead: (bytes) => {
      looked.bytes += bytes
    },
    ...options,
  })
  return looked
}

const listed = (sessions: readonly DiscoveredSession[]) =>
  sessions
    .flatMap(({ session, agent, plan }) => {
      const todos = plan?.todos.map(({ content, status }) => ({ content, status })) ?? []
      return todos.length > 0 ? [{ session, agent, todos }] : []
    })
    .sort((one, other) => (`${one.session}${one.agent}` < `${other.session}${other.agent}` ? -1 : 1))

const recordings = readdirSync(recorded).flatMap((client) =>
  readdirSync(join(recorded, client)).flatMap((name) => {
    const folder = join(recorded, client, name)
    return existsSync(join(folder, "home")) && !/^(?:opencode|kilo)-/.test(client) ? [folder] : []
  }),
)

/** What the session files are expected to hold; of lists that lie beside them only those no session file has. */
const expectedIn = (folder: string) => {
  const { home = {}, named = {} } = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8")) as {
    home?: Record<string, ExpectedList[]>
    /** Of files that speak as a main agent would, by the sub-agents they are named after. */
    named?: Record<string, ExpectedList["todos"]>
  }
  const found = new Map<string, ExpectedList["todos"]>(Object.entries(named))
  const files = Object.entries(home).sort(([one], [other]) => Number(isBeside(one)) - Number(isBeside(other)))
  for (const [path, lists] of files) {
    for (const { agent, todos } of lists) {
      const isShared = path.includes("/subagents/") && agent === "main"
      const isTwin = isBeside(path) && [...found.values()].some((list) => same(list, todos))
      if (todos.length > 0 && !isShared && !isTwin) found.set(agent, todos)
    }
  }
  return [...found]
    .map(([agent, todos]) => ({ agent, todos: todos.map(({ content, status }) => ({ content, status })) }))
    .sort((one, other) => (one.agent < other.agent ? -1 : 1))
}

const isBeside = (path: string): boolean => /\/(?:todos|tasks|tracker)(?:\/|$)/.test(path)
const same = (one: ExpectedList["todos"], other: ExpectedList["todos"]): boolean =>
  JSON.stringify(one.map(({ content, status }) => [content, status])) ===
  JSON.stringify(other.map(({ content, status }) => [content, status]))

describe.each(recordings.filter((folder) => !folder.endsWith("reminders")))("%s", (folder) => {
  const home = join(folder, "home")

  test("C28 gives the lists a person reads in it", async () => {
    const { sessions } = await look(home)
    expect(listed(sessions).map(({ agent, todos }) => ({ agent, todos }))).toEqual(expectedIn(folder))
  })

  test("one of its sessions alone is the same as among all of them", async () => {
    const { sessions } = await look(home)
    for (const one of sessions) {
      const only = { session: one.session, agent: one.agent }
      const alone = await look(home, { only })
      const found = alone.sessions.find(({ session, agent }) => session === only.session && agent === only.agent)
      expect(JSON.stringify(found)).toBe(JSON.stringify(one))
    }
  })

  test("sub-agents are under the agent that started them, in the same session and project", async () => {
    const { sessions } = await look(home)
    for (const { parent, agent, session, agentType, project } of sessions) {
      if (agent === "main") expect(parent).toBeUndefined()
      else {
        const above = sessions.find((one) => one.session === parent?.session && one.agent === parent.agent)
        expect(above).toMatchObject({ session, agentType, project })
      }
    }
  })

  test("the same is found with the home as root, and with the agent's own folder", async () => {
    const { sessions } = await look(home)
    expect(await look("/nowhere", { paths: [home] }).then(({ sessions }) => listed(sessions))).toEqual(listed(sessions))
    const [own = ""] = readdirSync(home)
    expect(await look("/nowhere", { paths: [join(home, own)] }).then(({ sessions }) => listed(sessions))).toEqual(
      listed(sessions),
    )
  })

  test("a second scan by the index gives the same and opens nothing", async () => {
    const { index } = memoryIndex()
    const first = await look(home, { index })
    const second = await look(home, { index })
    const dataOf = ({ sessions }: Looked) => sessions.map(({ readPlan: _, ...data }) => data)
    expect(dataOf(second)).toEqual(dataOf(first))
    expect(second.bytes).toBe(0)
  })
})

test("three reminders are three sessions, of which the empty one has no list yet", async () => {
  const { sessions } = await look(join(recorded, "claude-2.1.197/reminders/home"))
  expect(sessions.map(({ summary, planTool }) => `${planTool} ${summary?.todos}`).toSorted()).toEqual([
    "present 2",
    "present 2",
    "unknown undefined",
  ])
})

test("a session without tools and plan may still have a plan tool", async () => {
  const { sessions } = await look(join(recorded, "codex-0.166.0/goal/home"))
  expect(sessions).toMatchObject([
    { agentType: "openai-codex", planTool: "unknown", state: "finished", plan: undefined },
  ])
})

/** A copy of a recorded home that may be changed. */
const copyOf = (name: string): string => {
  const home = temporaryFolder()
  cpSync(join(recorded, name, "home"), home, { recursive: true })
  return home
}

const transcriptIn = (home: string): string => {
  const folder = join(home, ".claude/projects/-home-user-project")
  const [name = ""] = readdirSync(folder).filter((file) => file.endsWith(".jsonl"))
  return join(folder, name)
}

/** Everything there, with times: nothing may be written to an agent's folder. */
const stateOfTree = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: "utf8" }).map((path) => {
    const { size, mtimeMs } = statSync(join(home, path))
    return `${path} ${size} ${mtimeMs}`
  })

describe("the index", () => {
  test("makes an appended line cost only what is new, however long the file", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const path = transcriptIn(home)
    const line = `${JSON.stringify({ type: "system", subtype: "x", content: "y".repeat(990) })}\n`
    appendFileSync(path, line.repeat(3_000))
    const { index } = memoryIndex()
    expect((await look(home, { index })).bytes).toBeGreaterThan(3_000_000)
    appendFileSync(path, line)
    const { bytes, sessions } = await look(home, { index })
    expect(bytes).toBeLessThan(150_000)
    expect(listed(sessions)).toEqual(listed((await look(home)).sessions))
  })

  test.each([
    "",
    "headway-sessions 1\ngarbage\n[1,2\t{}\n",
    "\0\0\0",
    "headway-sessions 99\n",
    "headway-sessions 11 0 0\n",
  ])("is built anew when it contains %j", async (text) => {
    const home = copyOf("claude-2.1.197/todowrite")
    const { index, kept } = memoryIndex(text)
    const { sessions, problems } = await look(home, { index })
    expect(listed(sessions)).toEqual(listed((await look(home)).sessions))
    expect(problems).toEqual([])
    expect(kept.saved).toBe(1)
  })

  test.each<[string, RegExp, string]>([
    ["a state that is not JSON", /\{"plans".*/g, "{broken"],
    ["an agent that is no name", /"agent":"main"/g, '"agent":7'],
    ["facts that are none", /"about":\{[^}]*\}/g, '"about":null'],
    ["todos that are none", /"todos":\[/g, '"todos":[0,'],
  ])("is rebuilt when it was changed to contain %s", async (_, was, is) => {
    const home = copyOf("claude-2.1.197/todowrite")
    const { index, kept } = memoryIndex()
    await look(home, { index })
    const written = kept.text
    kept.text = written?.replace(was, is)
    expect(kept.text).not.toBe(written)
    expect(listed((await look(home, { index })).sessions)).toEqual(listed((await look(home)).sessions))
    expect(kept.text).toBe(written)
  })

  test("a file that was cut short, replaced or touched is read again", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const path = transcriptIn(home)
    const text = readFileSync(path, "utf8")
    const { index } = memoryIndex()
    const all = listed((await look(home, { index })).sessions)
    truncateSync(path, text.indexOf("\n", text.indexOf("TodoWrite")) + 1)
    expect(listed((await look(home, { index })).sessions)).not.toEqual(all)
    rmSync(path)
    writeFileSync(path, text)
    expect(listed((await look(home, { index })).sessions)).toEqual(all)
    utimesSync(path, new Date(), new Date("2030-01-01"))
    const touched = await look(home, { index })
    expect([touched.bytes > 0, listed(touched.sessions)]).toEqual([true, all])
  })

  test("serves files among others that came and went, and reads only the new ones", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const path = transcriptIn(home)
    const text = readFileSync(path, "utf8")
    const id = basename(path, ".jsonl")
    const named = (start: number): string => `${String(start).padStart(8, "0")}${id.slice(8)}`
    const fileOf = (start: number): string => join(dirname(path), `${named(start)}.jsonl`)
    const add = (start: number): void => writeFileSync(fileOf(start), text.replaceAll(id, named(start)))
    for (const start of [10, 20, 30, 40, 50]) add(start)
    const { index } = memoryIndex()
    const { bytes } = await look(home, { index })
    for (const start of [10, 30]) rmSync(fileOf(start))
    for (const start of [5, 25, 35, 60]) add(start)
    const again = await look(home, { index })
    expect(listed(again.sessions)).toEqual(listed((await look(home)).sessions))
    expect(again.sessions).toHaveLength(8)
    expect(again.bytes).toBeLessThan(bytes)
    expect((await look(home, { index })).bytes).toBe(0)
  })

  test("still has a list after another process has replaced the loaded index", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const { index, kept } = memoryIndex()
    const [first] = (await look(home, { index })).sessions
    const [second] = (await look(home, { index })).sessions
    const path = transcriptIn(home)
    utimesSync(path, new Date(), new Date("2030-01-01"))
    await look(home, { index })
    expect(kept.saved).toBe(2)
    expect(second?.plan?.todos.length).toBeGreaterThan(0)
    expect(second?.plan).toEqual(first?.plan)
  })

  test("is not written again for a few new lines of a long file, which are read again instead", async () => {
    const home = temporaryFolder()
    const folder = join(home, ".claude/projects/-p")
    mkdirSync(folder, { recursive: true })
    const listLines = (session: string, ...contents: string[]): string =>
      `${JSON.stringify({
        parentUuid: null,
        isSidechain: false,
        type: "assistant",
        uuid: contents[0],
        sessionId: session,
        version: "2.1.0",
        timestamp: "2026-11-15T18:00:00Z",
        message: {
          role: "assistant",
          content: [
            {
              type: "tool_use",
              id: `call-${session}-${contents[0]}`,
              name: "TodoWrite",
              input: { todos: contents.map((content) => ({ content, status: "pending" })) },
            },
          ],
        },
      })}\n`
    const long = Array.from({ length: 40 }, (_, at) => `${at} ${"long ".repeat(400)}`)
    for (let number = 0; number < 70; number += 1)
      writeFileSync(join(folder, `s${number}.jsonl`), listLines(`s${number}`, ...long))
    const { index, kept } = memoryIndex()
    await look(home, { index })
    for (const content of ["New", "Newer"]) {
      appendFileSync(join(folder, "s0.jsonl"), listLines("s0", content))
      const { sessions, bytes } = await look(home, { index })
      const changed = sessions.find(({ session }) => session === "s0")
      expect(changed?.plan?.todos.map((todo) => todo.content)).toEqual([content])
      expect(bytes).toBeLessThan(1_000_000)
    }
    expect(kept.saved).toBe(1)
  })

  test("a session that is gone is forgotten", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const { index, kept } = memoryIndex()
    await look(home, { index })
    rmSync(transcriptIn(home))
    expect((await look(home, { index })).sessions).toEqual([])
    expect(kept.text).not.toContain("todos")
  })

  test("does not confuse folders whose names begin alike", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    cpSync(join(home, ".claude"), join(home, ".claude-work"), { recursive: true })
    const { index } = memoryIndex()
    const env = { CLAUDE_CONFIG_DIR: join(home, ".claude-work") }
    await look(home, { index, env })
    await look(home, { index })
    expect(await look(home, { index, env })).toMatchObject({ bytes: 0, sessions: [{ agent: "main" }] })
  })

  test("that cannot be written is reported, and everything else works", async () => {
    const failing = {
      load: () => {
        throw new Error("no")
      },
      save: () => {
        throw new Error("disk full")
      },
    }
    const { sessions, problems } = await look(copyOf("claude-2.1.197/todowrite"), { index: failing })
    expect([sessions.length, problems]).toEqual([1, ["unsaved-index"]])
  })
})

test("completed tasks that vanish from the disk are kept, and never shown as deleted", async () => {
  const home = copyOf("claude-2.1.197/tasks")
  rmSync(join(home, ".claude/projects"), { recursive: true })
  const { index } = memoryIndex()
  const before = listed((await look(home, { index })).sessions)
  expect(before[0]?.todos).toHaveLength(3)
  const [folder = ""] = readdirSync(join(home, ".claude/tasks"))
  for (const name of ["1.json", "2.json", "3.json"]) rmSync(join(home, ".claude/tasks", folder, name))
  expect(listed((await look(home, { index })).sessions)).toEqual(before)
  expect(listed((await look(home, { index })).sessions)).toEqual(before)
})

test("a task that another program changed counts, though the session file does not have the change", async () => {
  const home = copyOf("claude-2.1.197/tasks")
  const [folder = ""] = readdirSync(join(home, ".claude/tasks"))
  const path = join(home, ".claude/tasks", folder, "1.json")
  writeFileSync(path, readFileSync(path, "utf8").replace('"status": "completed"', '"status": "in_progress"'))
  const { sessions } = await look(home)
  expect(listed(sessions)[0]?.todos[0]?.status).toBe("in_progress")
})

test("a sub-agent of Gemini belongs to the session its folder names, and projects.json names the folder", async () => {
  const home = copyOf("gemini-0.61.0/write-todos")
  const chats = join(home, ".gemini/tmp/project/chats")
  writeFileSync(join(home, ".gemini/projects.json"), '{"projects":{"/home/user/project":"project"}}')
  mkdirSync(join(chats, "ec899d38-220c-40c3-971f-1d6370009f71"))
  const call = { id: "c", name: "write_todos", args: { todos: [{ description: "Look", status: "pending" }] } }
  writeFileSync(
    join(chats, "ec899d38-220c-40c3-971f-1d6370009f71", "sub-1.jsonl"),
    `${JSON.stringify({ sessionId: "sub-1", projectHash: "h", kind: "subagent" })}\n${JSON.stringify({
      id: "r",
      type: "gemini",
      content: "",
      toolCalls: [{ ...call, status: "success" }],
    })}\n`,
  )
  const { sessions } = await look(home)
  expect(sessions.find(({ agent }) => agent === "sub-1")).toMatchObject({
    session: "ec899d38-220c-40c3-971f-1d6370009f71",
    parent: { agent: "main" },
    project: "/home/user/project",
    summary: { todos: 1 },
  })
})

test("sub-agents next to the session file are found, as in the second generation", async () => {
  const home = copyOf("claude-2.0.37/todowrite")
  const folder = join(home, ".claude/projects/-home-user-project")
  const main = "a71d81d5-53e1-47df-b31c-6ca23158c8ee"
  const line = (fields: object) =>
    `${JSON.stringify({ isSidechain: true, agentId: "ab12cd34", sessionId: main, cwd: "/home/user/project", version: "2.0.37", timestamp: "2026-11-15T18:50:00Z", ...fields })}\n`
  const todos = [{ content: "Look", status: "pending", activeForm: "Looking" }]
  writeFileSync(
    join(folder, "agent-ab12cd34.jsonl"),
    line({ parentUuid: null, uuid: "1", type: "user", message: { role: "user", content: "Look around" } }) +
      line({
        parentUuid: "1",
        uuid: "2",
        type: "assistant",
        message: { role: "assistant", content: [{ type: "tool_use", id: "t", name: "TodoWrite", input: { todos } }] },
      }),
  )
  const { sessions } = await look(home)
  expect(sessions.map(({ session, agent, parent }) => [session, agent, parent?.agent])).toEqual([
    [main, "main", undefined],
    [main, "ab12cd34", "main"],
  ])
})

test("a compressed rollout is read as the plain one", async () => {
  const home = copyOf("codex-0.166.0/plan")
  const plain = listed((await look(home)).sessions)
  const folder = join(home, ".codex/sessions/2026/11/15")
  const [name = ""] = readdirSync(folder)
  writeFileSync(join(folder, `${name}.zst`), stored(readFileSync(join(folder, name))))
  rmSync(join(folder, name))
  expect(listed((await look(home)).sessions)).toEqual(plain)
  writeFileSync(join(folder, `${name}.zst`), "no frame at all")
  expect(await look(home)).toMatchObject({ sessions: [], problems: ["unreadable-file"] })
})

test("C28 a sub-agent that does not name its folder is in the folder of its main agent", async () => {
  const home = temporaryFolder()
  const folder = join(home, ".qwen/projects/-home-user-project/chats")
  mkdirSync(folder, { recursive: true })
  const about = { sessionId: "s", timestamp: "2026-11-15T18:50:00Z", cwd: "/home/user/project", version: "0.15.10" }
  const uiEvent = {
    "event.name": "qwen-code.tool_call",
    function_name: "todo_write",
    function_args: { todos: [{ id: "1", content: "Look north", status: "pending" }] },
    status: "success",
    prompt_id: "s#scout#0",
  }
  const lines = [
    { ...about, uuid: "1", parentUuid: null, type: "user", message: { role: "user", parts: [{ text: "Go" }] } },
    { ...about, uuid: "2", parentUuid: "1", type: "system", subtype: "ui_telemetry", systemPayload: { uiEvent } },
  ]
  writeFileSync(join(folder, "s.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const { sessions } = await look(home)
  expect(sessions.map(({ agent, project }) => [agent, project])).toEqual([
    ["main", "/home/user/project"],
    ["scout", "/home/user/project"],
  ])
})

describe("opencode's database", () => {
  const rows = join(recorded, "opencode-1.18.33/todos/home/.local/share/opencode/opencode.db")
  const json = (name: string) => JSON.parse(readFileSync(`${rows}.${name}`, "utf8")) as Record<string, unknown>[]

  const withDatabase = (children: readonly Record<string, unknown>[] = [], home = temporaryFolder()): string => {
    writeOpencodeDatabase(rows, join(home, ".local/share/opencode/opencode.db"), children)
    return home
  }

  test("C28 gives the list in calls of Headway's own tool, which is only in the parts of messages", async () => {
    const folder = join(recorded, "opencode-1.18.33/own-tool")
    const home = temporaryFolder()
    const path = ".local/share/opencode/opencode.db"
    writeOpencodeDatabase(join(folder, "home", path), join(home, path))
    const { sessions, problems } = await look(home)
    expect(problems).toEqual([])
    expect(listed(sessions).map(({ agent, todos }) => ({ agent, todos }))).toEqual(expectedIn(folder))
  })

  test("C28 gives the list a person reads in its rows, and child sessions as sub-agents", async () => {
    const [{ id = "" } = {}] = json("session.json") as { id?: string }[]
    const child = {
      id: "ses_child",
      parent_id: id,
      slug: "c",
      directory: "/home/user/project",
      title: "c",
      version: "1",
    }
    const { sessions, problems } = await look(withDatabase([child]))
    expect(problems).toEqual([])
    expect(sessions).toMatchObject([
      { session: id, agent: "main", project: "/home/user/project", summary: { todos: 4, isFinished: true } },
      { session: id, agent: "ses_child", parent: { session: id, agent: "main" } },
    ])
    expect(listed(sessions)[0]?.todos.map(({ status }) => status)).toEqual([
      "completed",
      "cancelled",
      "completed",
      "completed",
    ])
  })

  test("nothing is written next to it", async () => {
    const home = withDatabase()
    for (const name of ["opencode.db-wal", "opencode.db-shm"])
      rmSync(join(home, ".local/share/opencode", name), { force: true })
    const before = stateOfTree(home)
    expect((await look(home)).sessions).toHaveLength(1)
    expect(stateOfTree(home)).toEqual(before)
  })

  test("counts what its writer has not yet moved from its log", async () => {
    const home = withDatabase()
    const writer = new Database(join(home, ".local/share/opencode/opencode.db"))
    writer.exec("pragma wal_autocheckpoint = 0; update todo set status = 'in_progress' where position = 0")
    expect(listed((await look(home)).sessions)[0]?.todos[0]?.status).toBe("in_progress")
    writer.close()
  })

  /**
   * What a killed writer leaves: a log that is not yet in the file. The shared memory is given. The copy is in a folder that no driver
   * has opened here: one that is closed may remove the log of its file only later, when its memory is freed.
   */
  const leftBehind = (sharedMemory: Buffer): { home: string; log: string } => {
    const [busy, home] = [withDatabase(), temporaryFolder()]
    const [from, path] = [busy, home].map((one) => join(one, ".local/share/opencode/opencode.db")) as [string, string]
    mkdirSync(dirname(path), { recursive: true })
    const writer = new Database(from)
    writer.exec("pragma wal_autocheckpoint = 0; update todo set status = 'in_progress' where position = 0")
    for (const end of ["", "-wal"]) copyFileSync(`${from}${end}`, `${path}${end}`)
    writer.close()
    writeFileSync(`${path}-shm`, sharedMemory)
    return { home, log: `${path}-wal` }
  }

  test.each([
    ["empty", Buffer.alloc(0)],
    ["damaged", Buffer.alloc(32_768, "damage")],
  ])("counts the log of a killed writer, and its %s shared memory is not repaired", async (_, sharedMemory) => {
    const { home, log } = leftBehind(sharedMemory)
    const before = stateOfTree(home)
    expect(listed((await look(home)).sessions)[0]?.todos[0]?.status).toBe("in_progress")
    expect(stateOfTree(home)).toEqual(before)
    expect(readFileSync(log.replace(/wal$/, "shm"))).toEqual(sharedMemory)
  })

  test("with a damaged header of its log counts as without one, and is not awaited", async () => {
    const { home, log } = leftBehind(Buffer.alloc(32_768, "damage"))
    const bytes = readFileSync(log)
    bytes.fill(7, 16, 24)
    writeFileSync(log, bytes)
    const { sessions, problems } = await look(home)
    expect(problems).toEqual([])
    expect(listed(sessions)[0]?.todos[0]?.status).toBe("completed")
  })

  test("a file that is not a database, or another program's, is skipped", async () => {
    const home = temporaryFolder()
    const folder = join(home, ".local/share/opencode")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "opencode.db"), "x".repeat(5_000))
    const other = new Database(join(folder, "other.db"))
    other.exec("create table t (a)")
    other.close()
    expect(await look(home)).toMatchObject({ sessions: [], problems: ["unreadable-file"] })
  })
})

describe("bad homes", () => {
  test("an empty home has no session", async () => {
    expect(await look(temporaryFolder())).toEqual({ sessions: [], problems: [], bytes: 0 })
  })

  test("links in circles, links to nothing, folders named like files and files named like folders", async () => {
    const home = copyOf("claude-2.1.197/subagents-todowrite")
    const projects = join(home, ".claude/projects")
    symlinkSync(projects, join(projects, "loop"))
    symlinkSync(join(projects, "-home-user-project"), join(projects, "again"))
    symlinkSync("/nowhere/at/all.jsonl", join(projects, "-home-user-project/gone.jsonl"))
    mkdirSync(join(projects, "-home-user-project/folder.jsonl"))
    writeFileSync(join(projects, "file"), "")
    writeFileSync(join(home, ".codex"), "")
    const { sessions, problems } = await look(home)
    expect(problems).toEqual([])
    expect(listed(sessions)).toHaveLength(3)
  })

  test("a folder and a file that may not be read are reported", async ({ skip }) => {
    if (process.getuid?.() === 0) skip("nobody is refused to the superuser")
    const home = copyOf("claude-2.1.197/subagents-todowrite")
    chmodSync(transcriptIn(home), 0)
    mkdirSync(join(home, ".claude/projects/secret"), { mode: 0 })
    const { sessions, problems } = await look(home)
    expect(problems.toSorted()).toEqual(["unreadable-file", "unreadable-folder"])
    expect(sessions).toHaveLength(2)
  })

  test("a folder that cannot be looked into is reported, the others are read", async () => {
    const home = copyOf("claude-2.1.197/subagents-todowrite")
    symlinkSync(".codex", join(home, ".codex"))
    const { sessions, problems } = await look(home)
    expect([sessions.length, problems]).toEqual([3, ["unreadable-folder"]])
  })

  test("a file that vanishes between being found and being read is skipped", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const second = join(home, ".claude/projects/-home-user-project/zzz.jsonl")
    cpSync(transcriptIn(home), second)
    const { sessions, problems } = await look(home, { onRead: () => rmSync(second, { force: true }) })
    expect([sessions.length, problems]).toEqual([1, ["vanished-file"]])
  })

  test("binary files, empty files and lines that are not JSON are not sessions", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const folder = join(home, ".claude/projects/-home-user-project")
    writeFileSync(
      join(folder, "binary.jsonl"),
      Buffer.from(Array.from({ length: 9_999 }, (_, at) => (at * 7919) % 256)),
    )
    writeFileSync(join(folder, "empty.jsonl"), "")
    writeFileSync(join(folder, "text.jsonl"), "hello\nTodoWrite\n")
    const { sessions, problems } = await look(home)
    expect(sessions).toHaveLength(1)
    expect(problems).toEqual(["other-text", "other-text"])
  })

  test("a half-written last line is read when it is whole", async () => {
    const home = copyOf("claude-2.1.197/todowrite")
    const path = transcriptIn(home)
    const bytes = readFileSync(path)
    const middle = bytes.lastIndexOf("TodoWrite")
    const { index } = memoryIndex()
    truncateSync(path, middle)
    await look(home, { index })
    appendFileSync(path, bytes.subarray(middle))
    expect(listed((await look(home, { index })).sessions)).toEqual(
      listed((await look(join(recorded, "claude-2.1.197/todowrite/home"))).sessions),
    )
  })

  test("1,500 sessions in one folder are found", async () => {
    const home = temporaryFolder()
    const folder = join(home, ".claude/projects/-p")
    mkdirSync(folder, { recursive: true })
    for (let count = 0; count < 1_500; count += 1) {
      const line = {
        parentUuid: null,
        isSidechain: false,
        type: "user",
        message: { content: "Hi" },
        uuid: "1",
        sessionId: `s${count}`,
      }
      writeFileSync(join(folder, `s${count}.jsonl`), `${JSON.stringify(line)}\n`)
    }
    let seen = 0
    const { sessions } = await look(home, { onProgress: (done) => (seen = done) })
    expect([sessions.length, seen]).toEqual([1_500, 1_500])
  })

  test("no agent's folder is ever written to", async () => {
    for (const folder of recordings) {
      const before = stateOfTree(join(folder, "home"))
      await look(join(folder, "home"), { index: memoryIndex().index })
      expect(stateOfTree(join(folder, "home"))).toEqual(before)
    }
  })
})
