/** The end of a turn, and of a process: what is known of the agent behind a session. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { describe, expect, test } from "vitest"
import { googleGemini } from "../../src/agents/google-gemini/index.ts"
import { ohMyPi } from "../../src/agents/oh-my-pi/index.ts"
import { opencode } from "../../src/agents/opencode/index.ts"
import { pi } from "../../src/agents/pi/index.ts"
import { isProcessOf } from "../../src/agents/process.ts"
import { type ClientReport, type Noted, noteClient } from "../../src/home/processes/clients.ts"
import { type Processes, processesHere } from "../../src/home/processes/processes.ts"
import { type ClientQuery, createClientStateReader } from "../../src/sessions/clients.ts"
import { discover } from "../../src/sessions/discover.ts"
import { sources } from "../agents/loaded.ts"
import { homeWith } from "../board/live-board.ts"
import { temporaryFolder } from "../stores/temporary.ts"
import { writeOpencodeDatabase } from "../streams/write-opencode-database.ts"

type Running = { pid: number; words: string[]; folder?: string; started?: string; children?: number[] }

/** A machine on which only these processes run. */
const running = (...all: Running[]): Processes => {
  const one = ({ pid, started = "2026-11-15T18:00:00Z" }: Running) => ({
    pid,
    parent: 1,
    user: 1000,
    start: started,
    started: Date.parse(started),
  })
  const named = (pid: number): Running | undefined => all.find((other) => other.pid === pid)
  const find: Processes["find"] = (pid) => {
    const found = named(pid)
    return found && one(found)
  }
  return {
    find,
    wordsOf: (pid) => named(pid)?.words ?? [],
    withWords: (isWanted) =>
      all.filter(({ words }) => isWanted(words)).map((found) => ({ ...one(found), words: found.words })),
    folderOf: (pid) => named(pid)?.folder,
    childrenOf: (pid) => (named(pid)?.children ?? []).flatMap((child) => find(child) ?? []),
  }
}

const now = new Date("2026-11-15T19:00:00Z")
const gemini = ["node", "--max-old-space-size=8192", "/usr/lib/node_modules/.bin/gemini", "--prompt", "Go"]

describe("the process of a session", () => {
  const project = temporaryFolder()
  const home = temporaryFolder()
  const session: ClientQuery = { agentType: "google-gemini", session: "s-1", project, updated: "2026-11-15T18:59:50Z" }
  const look = (processes: Processes, about: Partial<ClientQuery> = {}) =>
    createClientStateReader({ home, processes })({ ...session, ...about }, now)

  test("has ended where no process of the agent works in the folder", () => {
    expect(look(running())).toEqual({ isEnded: true })
    expect(look(running({ pid: 7, words: gemini, folder: temporaryFolder() }))).toEqual({ isEnded: true })
    expect(look(running({ pid: 7, words: ["vim", "gemini.md"], folder: project }))).toEqual({ isEnded: true })
  })

  test("has ended where the folder was removed and the one it was in is still there", () => {
    expect(look(running(), { project: join(project, "removed-worktree") })).toEqual({ isEnded: true })
  })

  test("has not ended where one works in the folder, above or below it", () => {
    for (const folder of [project, join(project, "src"), join(project, "..")])
      expect(look(running({ pid: 7, words: gemini, folder }))).toEqual({})
  })

  test("is unknown where nothing can be known", () => {
    expect(look(running(), { project: "a-label" })).toEqual({})
    expect(look(running(), { project: "/home/in-a-container/project" })).toEqual({})
    expect(look(running(), { project: "/workspace-of-a-container" })).toEqual({})
    expect(look(running(), { updated: now.toISOString() })).toEqual({})
    expect(look(running({ pid: 7, words: gemini }))).toEqual({})
    expect(look(running({ pid: 7, words: ["opencode", "serve"], folder: "/" }), { agentType: "opencode" })).toEqual({})
    expect(look(running(), { agentType: "acp" })).toEqual({})
  })

  test("works while a tool runs that was started after the last text", () => {
    const child = { pid: 8, words: ["sh"], started: "2026-11-15T18:59:51Z" }
    const client = { pid: 7, words: gemini, folder: project, children: [8] }
    expect(look(running(client, child))).toEqual({ isBusy: true })
    expect(look(running(client, { ...child, started: "2026-11-15T18:30:00Z" }))).toEqual({})
  })

  test("has ended where the only one in the folder started after the last record, whatever that one runs", () => {
    const later = { pid: 7, words: gemini, folder: project, started: "2026-11-15T18:59:55Z", children: [8] }
    expect(look(running(later, { pid: 8, words: ["sh"], started: "2026-11-15T18:59:56Z" }))).toEqual({ isEnded: true })
  })

  test("is assigned to one session: the newest, in the folder itself before those above and below", () => {
    const [old, recent, below] = [
      { session: "s-1", project, updated: "2026-11-15T18:30:00Z" },
      { session: "s-2", project, updated: "2026-11-15T18:40:00Z" },
      { session: "s-3", project: join(project, "src"), updated: "2026-11-15T18:50:00Z" },
    ]
    const open = () => [old, recent, below]
    mkdirSync(below.project)
    const looks = (...all: Running[]) => open().map((one) => look(running(...all), { ...one, open }))
    const one = { pid: 7, words: gemini, folder: project }
    const two = { ...one, pid: 8 }
    expect(looks(one)).toEqual([{ isEnded: true }, {}, { isEnded: true }])
    expect(looks(one, two)).toEqual([{}, {}, { isEnded: true }])
    expect(looks({ ...one, started: "2026-11-15T18:35:00Z" }, two)).toEqual([{}, {}, { isEnded: true }])
    expect(looks({ ...one, folder: below.project })).toEqual([{ isEnded: true }, { isEnded: true }, {}])
  })

  test("is not assigned to a session that has its own, or that was left", async () => {
    const noted = temporaryFolder()
    const client = (pid: number) => ({ agentType: "google-gemini", process: { pid, start: "2026-11-15T18:00:00Z" } })
    const at = new Date("2026-11-15T18:59:00Z")
    await noteClient(noted, client(8), { session: "s-2", through: "hook", isCurrent: true }, at)
    const left = { session: "s-3", through: "hook" } as const
    await noteClient(noted, client(9), left, at)
    await noteClient(noted, client(9), { ...left, told: { kind: "ended", agent: "main" } }, at)
    const others = ["s-2", "s-3"].map((id) => ({ session: id, project, updated: "2026-11-15T18:58:00Z" }))
    const older = { ...session, updated: "2026-11-15T18:30:00Z" }
    const processes = running(...[7, 8].map((pid) => ({ pid, words: gemini, folder: project })))
    const read = createClientStateReader({ home: noted, processes })
    expect(read({ ...older, open: () => [older, ...others] }, now)).toEqual({})
  })
})

describe("a client with a known process", () => {
  const called = async (told?: Omit<ClientReport, "at">, isOwnServer = false) => {
    const home = temporaryFolder()
    const project = temporaryFolder()
    const client = { pid: 7, words: gemini, folder: project }
    const process = { pid: 7, start: "2026-11-15T18:00:00Z" }
    const note = (more: Pick<Noted, "told">, at: string) => {
      const noted = { session: "s-1", through: isOwnServer ? "server" : "hook", ...more } as const
      return noteClient(home, { agentType: "google-gemini", process, isOwnServer }, noted, new Date(at))
    }
    await note({}, "2026-11-15T18:49:00Z")
    if (told) await note({ told }, "2026-11-15T18:50:00Z")
    const session = { agentType: "google-gemini", session: "s-1", project, updated: "2026-11-15T18:59:59Z" }
    const look = (...all: Running[]) => createClientStateReader({ home, processes: running(...all) })(session, now)
    const goTo = (other: string) =>
      noteClient(
        home,
        { agentType: "google-gemini", process },
        { session: other, through: "hook", isCurrent: true },
        now,
      )
    const lookWith = (notes: ClientQuery["notes"] & {}) =>
      createClientStateReader({ home, processes: running(client) })({ ...session, notes }, now)
    return { client, look, lookWith, goTo }
  }

  test("has ended as soon as its process has, even next to another one in the same folder", async () => {
    const { client, look } = await called()
    expect(look(client)).toEqual({ isThere: true })
    expect(look({ ...client, pid: 9 })).toEqual({ isEnded: true })
    expect(look({ ...client, started: "2026-11-15T18:55:00Z" })).toEqual({})
  })

  test("has left a session as soon as its hook or its own note names another one, though its process runs", async () => {
    const { client, look, goTo, lookWith } = await called()
    expect(lookWith([{ session: "s-2", pid: 7, noted: "2026-11-15T18:59:00Z" }])).toEqual({ isEnded: true })
    expect(look(client)).toEqual({ isThere: true })
    await goTo("s-2")
    expect(look(client)).toEqual({ isEnded: true })
    await goTo("s-1")
    expect(look(client)).toEqual({ isThere: true })
  })

  test("that was allowed to stop has ended its turn", async () => {
    const told = { kind: "stopped", agent: "main" } as const
    const { client, look } = await called(told)
    expect(look(client)).toEqual({ isThere: true, told: { ...told, at: "2026-11-15T18:50:00.000Z" } })
  })

  test("of a plan that our server kept for an unknown client has ended with the server, whatever else runs", async () => {
    const { client, look } = await called(undefined, true)
    expect(look(client)).toEqual({ isThere: true })
    expect(look({ ...client, pid: 9, started: "2026-11-15T18:55:00Z" })).toEqual({ isEnded: true })
  })
})

test("processes are recognised by their program, or by what an interpreter runs", () => {
  const isGemini = (...words: string[]): boolean => isProcessOf(googleGemini, words)
  expect(isGemini(...gemini)).toBe(true)
  expect(isGemini("/usr/bin/node", "/x/node_modules/@google/gemini-cli/dist/index.js")).toBe(true)
  expect(isGemini("gemini (project)")).toBe(true)
  expect(isGemini("grep", "gemini")).toBe(false)
  expect(isProcessOf(opencode, ["/x/node_modules/opencode-ai/bin/opencode.exe", "run"])).toBe(true)
})

test("a package of the same name in another scope belongs to another agent", () => {
  const cli = (scope: string): string[] => ["node", `/x/node_modules/@${scope}/pi-coding-agent/dist/cli.js`]
  const owners = (scope: string): string[] =>
    [pi, ohMyPi].flatMap((agent) => (isProcessOf(agent, cli(scope)) ? [agent.id] : []))
  expect([owners("earendil-works"), owners("oh-my-pi"), owners("other")]).toEqual([["pi"], ["oh-my-pi"], []])
  expect(isProcessOf(pi, ["pi", "-c"])).toBe(true)
})

test("this very process is found where the system lists processes", () => {
  const processes = processesHere()
  if (!processes) return expect(process.platform).not.toBe("linux")
  const found = processes.find(process.pid)
  expect(found).toMatchObject({ pid: process.pid, parent: process.ppid })
  expect(Math.abs((found?.started ?? 0) - (Date.now() - process.uptime() * 1000))).toBeLessThan(60_000)
  expect(processes.folderOf(process.pid)).toBe(process.cwd())
  expect(processes.withWords((words) => words.join() === processes.wordsOf(process.pid).join())).toContainEqual(
    expect.objectContaining({ pid: process.pid }),
  )
})

test("what a thread of a process has started is found too", async () => {
  const processes = processesHere("linux")
  // Not every kernel tells them.
  if (!processes || !existsSync(`/proc/${process.pid}/task/${process.pid}/children`)) return expect.assertions(0)
  const code = `const { spawn } = require("node:child_process"); const child = spawn("sleep", ["60"]); process.on("exit", () => child.kill()); require("node:worker_threads").parentPort.postMessage(child.pid)`
  const worker = new Worker(code, { eval: true })
  const pid = await new Promise<number>((resolve) => worker.once("message", resolve))
  expect(processes.childrenOf(process.pid).map((child) => child.pid)).toContain(pid)
  process.kill(pid)
  await worker.terminate()
})

describe("the state of recorded sessions", () => {
  const states = async (home: string, at: string, processes?: Processes) => {
    const readClientState = processes && createClientStateReader({ home: join(home, ".headway"), processes })
    const found = await discover({ sources, env: {}, home, now: new Date(at), readClientState, silenceLimit: 60_000 })
    return found.map(({ session, state }) => [session.slice(0, 12), state])
  }

  test("opencode's last message shows whether its turn has ended", async () => {
    const home = temporaryFolder()
    const rows = "test/fixtures/endings/opencode-1.18.33/opencode.db"
    writeOpencodeDatabase(rows, join(home, ".local/share/opencode/opencode.db"))
    // One that finished its list, one that stopped with work left, and later one that was interrupted while it asked its model.
    expect(await states(home, "2026-11-16T02:13:55Z")).toEqual([
      ["ses_e1dde85b", "waiting"],
      ["ses_e1dde3e4", "waiting"],
      ["ses_e1b516fd", expect.any(String)],
    ])
    expect((await states(home, "2026-11-16T14:07:00Z")).at(-1)).toEqual(["ses_e1b516fd", "working"])
  })

  test("text of Gemini CLI after which nothing came for three seconds ends its turn, unless a tool works; so does a cancellation", async () => {
    const home = homeWith("gemini-0.61.0/write-todos")
    const folder = join(home, ".gemini/tmp/project/chats")
    const [name = ""] = readdirSync(folder)
    const lines = readFileSync(join(folder, name), "utf8").trimEnd().split("\n")
    const words = lines.findLastIndex((line) => line.includes('"type":"gemini"'))
    const at = Date.parse((JSON.parse(lines[words] ?? "{}") as { timestamp: string }).timestamp)
    writeFileSync(join(folder, name), `${lines.slice(0, words + 1).join("\n")}\n`)
    const timeAfter = (seconds: number): string => new Date(at + seconds * 1000).toISOString()
    const [[, soon] = []] = await states(home, timeAfter(2))
    const [[, later] = []] = await states(home, timeAfter(4))
    expect([soon, later]).toEqual(["working", expect.stringMatching(/^(?:waiting|finished)$/)])
    const prompt = { id: "p", timestamp: timeAfter(1), type: "user", content: [{ text: "Go on." }] }
    const cancelled = { id: "c", timestamp: timeAfter(2), type: "info", content: "Request cancelled." }
    const [until, ...more] = [lines.slice(0, words + 1), prompt, cancelled]
    const written = (...records: object[]) =>
      writeFileSync(join(folder, name), `${[...until, ...records.map((one) => JSON.stringify(one))].join("\n")}\n`)
    written(prompt)
    expect(await states(home, timeAfter(2))).toMatchObject([[expect.any(String), "working"]])
    written(...more)
    expect((await states(home, timeAfter(2)))[0]?.[1]).toBe(later)
    written()
    const project = temporaryFolder()
    mkdirSync(join(home, ".gemini"), { recursive: true })
    writeFileSync(join(home, ".gemini/projects.json"), JSON.stringify({ projects: { [project]: "project" } }))
    const client = { pid: 7, words: gemini, folder: project, children: [8] }
    const tool = { pid: 8, words: ["sh"], started: timeAfter(1) }
    expect(await states(home, timeAfter(60), running(client, tool))).toMatchObject([[expect.any(String), "working"]])
    expect(await states(home, timeAfter(60), running())).toMatchObject([[expect.any(String), "finished"]])
  })

  test("a process is in one session, and does not reopen those that ended before it started", async () => {
    const [home, project] = [temporaryFolder(), temporaryFolder()]
    const folder = join(home, ".codex/sessions/2026/11/15")
    mkdirSync(folder, { recursive: true })
    const records = (id: string, hour: number, ...payloads: object[]): void => {
      const timed = (minute: number) => `2026-11-15T${hour}:0${minute}:00.000Z`
      const meta = { id, cwd: project, source: "cli", cli_version: "0.166.0" }
      const lines = [
        { timestamp: timed(0), type: "session_meta", payload: meta },
        ...payloads.map((payload, index) => ({ timestamp: timed(index + 1), type: "event_msg", payload })),
      ]
      const path = join(folder, `rollout-2026-11-15T${hour}-00-00-${id}.jsonl`)
      writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
    }
    const turn = [{ type: "task_started" }, { type: "task_complete", last_agent_message: null }]
    const ids = [10, 11, 12].map((hour) => `01a1e937-e3d5-7752-9a9c-0000000000${hour}`)
    for (const [index, id] of ids.entries()) records(id, 10 + index, ...turn)
    const client = (started: string) => running({ pid: 7, words: ["codex"], folder: project, started })
    const statesBeside = async (...all: Parameters<typeof client>) => {
      const found = await states(home, "2026-11-15T13:00:00Z", client(...all))
      return found.map(([, state]) => state).toSorted()
    }
    expect(await statesBeside("2026-11-15T12:30:00Z")).toEqual(["finished", "finished", "finished"])
    expect(await statesBeside("2026-11-15T09:00:00Z")).toEqual(["finished", "finished", "waiting"])
  })
})
