/** Whose call it is, where a client does not say: real clients' processes with a server and hooks of their own. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import fs, { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { announceCall, takeAnnouncedCall } from "../../src/bridges/hooks/call-notes.ts"
import { findCallingProcess } from "../../src/home/processes/calling-process.ts"
import { clientIn, clientsIn, forgetClients, noteClient } from "../../src/home/processes/clients.ts"
import { processesHere } from "../../src/home/processes/processes.ts"
import { atHome } from "../cli/run-cli.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"
import { ownBin } from "./on-path.ts"

const fake = fileURLToPath(new URL("fake-client.mjs", import.meta.url))

let home = ""
let run: ReturnType<typeof atHome>["run"]
const started: ChildProcess[] = []

beforeEach(() => {
  ;({ home, run } = atHome())
  mkdirSync(join(home, "shop", ".git"), { recursive: true })
})
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL")
})

const cwd = () => join(home, "shop")

/** A client in the project; each is a process of its own. */
const client = (name = "gemini-cli-mcp-client", agent = "google-gemini") => {
  const env = { PATH: process.env.PATH ?? "", HOME: home }
  const child = spawn(process.execPath, [fake, ownBin, name], { cwd: cwd(), env, stdio: ["pipe", "pipe", "inherit"] })
  started.push(child)
  const answers: ((answer: string) => void)[] = []
  createInterface({ input: child.stdout }).on("line", (line) => answers.shift()?.(JSON.parse(line)))
  const order = (value: object): Promise<string> =>
    new Promise((resolve) => {
      answers.push(resolve)
      child.stdin.write(`${JSON.stringify(value)}\n`)
    })
  return {
    call: (call: object) => order({ call }),
    hook: (hook_event_name: string, session_id: string, more: object = {}) =>
      order({ hook: agent, event: { hook_event_name, session_id, cwd: cwd(), ...more } }),
    async end() {
      child.stdin.end()
      await once(child, "close")
    },
    /** Kills its server, which has no time to look whose its calls were. */
    async loseServer() {
      const server = clientsIn(join(home, ".headway")).find(({ isOwnServer }) => isOwnServer)
      process.kill(server?.process?.pid ?? 0, "SIGKILL")
      await order({ isServerGone: true })
    },
  }
}

const add = (...contents: string[]) => ({ todos: contents.map((content) => ({ content })) })

type Row = { session: string; agent: string; isOwn: boolean; state: string }

const rows = async (): Promise<Row[]> => JSON.parse((await run(["list", "--own", "--json"], { cwd: cwd() })).out)

const sessions = async (): Promise<string[]> => (await rows()).map(({ session }) => session).toSorted()

const shown = async (session: string, agent = "main"): Promise<string[]> => {
  const { out, code } = await run(["show", "--json", "--session", session, "--agent", agent], { cwd: cwd() })
  if (code !== 0) return []
  return JSON.parse(out).todos.map(({ id, content }: Record<string, string>) => `${id} ${content}`)
}

describe("a client whose hooks name its session", () => {
  test("has one plan, including what it wrote before it was known, under the same ids and authors", async () => {
    const gemini = client()
    await gemini.call(add("Paint the fence", "Mow the lawn"))
    expect(await sessions()).toEqual([expect.stringMatching(/^shop-[\da-f]{8}$/)])
    await gemini.hook("BeforeAgent", "g-1", { prompt: "Go on." })
    expect(await gemini.call({ todos: [{ id: "2", status: "completed" }] })).toContain("1/2 done")
    expect(await sessions()).toEqual(["g-1"])
    expect(await shown("g-1")).toEqual(["1 Paint the fence", "2 Mow the lawn"])
    const { out } = await run(["history", "--json", "--session", "g-1"], { cwd: cwd() })
    expect(out).toContain("Mow the lawn")
    expect(out).not.toContain("shop-")
  })

  test("learns nothing about another client's plan, whether that client runs or has ended", async () => {
    const [one, other] = [client(), client()]
    await one.hook("SessionStart", "g-1", { source: "startup" })
    await other.hook("SessionStart", "g-2", { source: "startup" })
    await one.call(add("Paint the fence"))
    await other.call(add("Bake a cake"))
    expect([await shown("g-1"), await shown("g-2")]).toEqual([["1 Paint the fence"], ["1 Bake a cake"]])
    await one.end()
    const later = client()
    expect(await later.hook("SessionStart", "g-3", { source: "startup" })).toBe("")
    expect(await later.call({})).not.toContain("fence")
    expect(await later.hook("AfterAgent", "g-3", { prompt_response: "Done." })).toBe("")
    expect(await sessions()).toEqual(["g-1", "g-2"])
  })

  test("finds its plan again when another process resumes it", async () => {
    const first = client()
    await first.hook("SessionStart", "g-1", { source: "startup" })
    await first.call(add("Paint the fence", "Mow the lawn"))
    await first.end()
    const again = client()
    expect(await again.hook("SessionStart", "g-1", { source: "resume" })).toContain("Paint the fence")
    expect(await again.call({ todos: [{ id: "2", status: "in_progress" }] })).toContain("Mow the lawn")
    expect(await sessions()).toEqual(["g-1"])
  })

  test("with an existing plan gets what was written before it was known, and nothing twice", async () => {
    const first = client()
    await first.hook("SessionStart", "g-1", { source: "startup" })
    await first.call(add("Paint the fence", "Mow the lawn"))
    await first.end()
    const again = client()
    await again.call(add("Mow the lawn", "Feed the cat"))
    await again.hook("BeforeAgent", "g-1", { prompt: "Go on." })
    expect(await again.call({})).toContain("Feed the cat")
    expect(await shown("g-1")).toEqual(["1 Paint the fence", "2 Mow the lawn", "3 Feed the cat"])
    expect(await sessions()).toEqual(["g-1"])
  })

  test("has a plan for each session and sub-agent it announces a call for, in one process (C10)", async () => {
    const gemini = client()
    const announce = (session: string, input: object, more = {}) =>
      gemini.hook("BeforeTool", session, { tool_name: "mcp_headway_todo", tool_input: input, ...more })
    await gemini.hook("BeforeAgent", "g-1", { prompt: "Go on." })
    await announce("g-1", add("Of the first"))
    await gemini.call(add("Of the first"))
    await announce("g-2", add("Of the second"))
    await gemini.call(add("Of the second"))
    await announce("g-1", add("Of a sub-agent"), { agent_id: "look" })
    await gemini.call(add("Of a sub-agent"))
    expect([await shown("g-1"), await shown("g-2"), await shown("g-1", "look")]).toEqual([
      ["1 Of the first"],
      ["1 Of the second"],
      ["1 Of a sub-agent"],
    ])
    expect(contentsUnder(join(home, ".headway", "cache", "calls"))).toEqual({})
  })

  test("writes earlier and unannounced calls to no plan of a sub-agent (C10)", async () => {
    const one = client("opencode", "opencode")
    await one.call(add("Look around"))
    const called = { agent_id: "o-2", tool_name: "headway_todo", tool_input: add("Of the sub-agent") }
    await one.hook("PreToolUse", "o-1", called)
    await one.call(add("Of the sub-agent"))
    await one.call(add("Not announced"))
    expect(await shown("o-1", "o-2")).toEqual(["1 Of the sub-agent"])
    expect(await shown("o-1")).toEqual(["1 Look around", "2 Not announced"])
  })

  test("has one plan also where its server was killed before the join was complete, and others were searched first", async () => {
    const gemini = client()
    await gemini.call(add("Paint the fence"))
    // Nothing can be written to the plan of its session.
    const inTheWay = join(home, ".headway", "journal", "g-1-agent-main.jsonl")
    mkdirSync(inTheWay)
    await gemini.hook("BeforeAgent", "g-1", { prompt: "Go on." })
    expect(await gemini.call(add("Mow the lawn"))).toContain("could not be changed")
    await gemini.loseServer()
    rmSync(inTheWay, { recursive: true })
    for (const other of [["--root", home], ["--store", "memory:"], ["--project"]])
      await run(["list", ...other], { cwd: cwd() })
    expect(await sessions()).toEqual(["g-1"])
    expect(await shown("g-1")).toEqual(["1 Paint the fence"])
  })

  test("does not get the plan of another agent or project with the same session name", async () => {
    await run(["write", "--new", "--session", "c-1"], { cwd: cwd(), input: '{"todos":["Of another agent"]}' })
    const gemini = client()
    await gemini.hook("BeforeAgent", "c-1", { prompt: "Go on." })
    expect(await gemini.call(add("Paint the fence"))).not.toContain("Of another agent")
    expect(await sessions()).toEqual(["c-1", expect.stringMatching(/^shop-/)])
    expect(await shown("c-1")).toEqual(["1 Of another agent"])
  })

  test("is not recognised by a hook that another process calls", async () => {
    const [gemini, other] = [client(), client()]
    await other.hook("BeforeAgent", "g-other", { prompt: "Go on." })
    await gemini.call(add("Paint the fence"))
    const event = { hook_event_name: "BeforeAgent", session_id: "g-forged", cwd: cwd(), prompt: "x" }
    await run(["hook", "gemini"], { cwd: cwd(), input: JSON.stringify(event) })
    await gemini.call(add("Mow the lawn"))
    expect(await sessions()).toEqual([expect.stringMatching(/^shop-[\da-f]{8}$/)])
  })
})

describe("a client without hooks", () => {
  const chat = (session: string) => join(home, ".qwen", "projects", "-shop", "chats", `${session}.jsonl`)
  const line = (sessionId: string, fields: object) =>
    JSON.stringify({
      uuid: "u",
      sessionId,
      timestamp: new Date().toISOString(),
      cwd: cwd(),
      version: "0.24.4",
      ...fields,
    })
  const called = (session: string, id: string, args: object) =>
    line(session, {
      parentUuid: "p",
      type: "assistant",
      message: { role: "model", parts: [{ functionCall: { id, name: "mcp__headway__todo", args } }] },
    })
  const write = (session: string, ...lines: string[]): void => {
    mkdirSync(dirname(chat(session)), { recursive: true })
    const begun = line(session, { parentUuid: null, type: "user", message: { role: "user", parts: [{ text: "Go." }] } })
    writeFileSync(chat(session), [begun, ...lines, ""].join("\n"))
  }
  const qwen = () => client("qwen-cli-mcp-client", "qwen-code")

  test("is recognised by the session file in which its call appears", async () => {
    const [one, other] = [qwen(), qwen()]
    write("q-1", called("q-1", "c1", add("Paint the fence")))
    write("q-2", called("q-2", "c1", add("Bake a cake")))
    await other.call(add("Bake a cake"))
    await one.call(add("Paint the fence"))
    expect([await shown("q-1"), await shown("q-2")]).toEqual([["1 Paint the fence"], ["1 Bake a cake"]])
    expect(await sessions()).toEqual(["q-1", "q-2"])
  })

  test("keeps its own plan as long as two sessions show the same call, and joins one that shows more", async () => {
    const one = qwen()
    for (const session of ["q-1", "q-2"]) write(session, called(session, "c1", add("Paint the fence")))
    await one.call(add("Paint the fence"))
    expect(await sessions()).toEqual([expect.stringMatching(/^shop-/)])
    write("q-1", called("q-1", "c1", add("Paint the fence")), called("q-1", "c2", add("Mow the lawn")))
    await one.call(add("Mow the lawn"))
    expect(await shown("q-1")).toEqual(["1 Paint the fence", "2 Mow the lawn"])
    expect(await sessions()).toEqual(["q-1"])
  })

  test("is recognised when it ends, where its file is written after its calls", async () => {
    const one = qwen()
    await one.call(add("Paint the fence"))
    write("q-1", called("q-1", "c1", add("Paint the fence")))
    await one.end()
    expect(await sessions()).toEqual(["q-1"])
  })

  test("is recognised by its file after its server was killed, at the next search; until then its plan has ended", async () => {
    const one = qwen()
    await one.call(add("Paint the fence"))
    // With the clock of the machine, which the server has gone by too.
    const listed = (): Row[] => {
      const env = { PATH: process.env.PATH ?? "", HOME: home }
      const words = [ownBin, "list", "--own", "--json"]
      return JSON.parse(spawnSync(process.execPath, words, { cwd: cwd(), env, encoding: "utf8" }).stdout)
    }
    const states = () => listed().map(({ state }) => state)
    expect(states()).toEqual(["working"])
    await one.loseServer()
    expect(states()).toEqual(["ended"])
    write("q-1", called("q-1", "c1", add("Paint the fence")))
    expect(listed().map(({ session }) => session)).toEqual(["q-1"])
    expect(await shown("q-1")).toEqual(["1 Paint the fence"])
    expect(clientsIn(join(home, ".headway")).filter(({ isOwnServer }) => isOwnServer)).toEqual([])
  })

  const today = () => ({ cwd: cwd(), now: new Date().toISOString() })

  test("is not listed twice for ever where its own plan could not be removed after the join", async () => {
    const one = qwen()
    await one.call(add("Paint the fence"))
    await one.loseServer()
    write("q-1", called("q-1", "c1", add("Paint the fence")))
    const { renameSync } = fs
    fs.renameSync = (path, name) => {
      if (String(name).includes(".gone-")) throw new Error("ENOSPC: no space left on device, rename")
      renameSync(path, name)
    }
    syncBuiltinESMExports()
    const listed = async (): Promise<string[]> =>
      JSON.parse((await run(["list", "--own", "--json"], today())).out).map(({ session }: Row) => session)
    try {
      expect((await listed()).toSorted()).toEqual(["q-1", expect.stringMatching(/^shop-/)])
    } finally {
      fs.renameSync = renameSync
      syncBuiltinESMExports()
    }
    expect(await listed()).toEqual(["q-1"])
    expect(await shown("q-1")).toEqual(["1 Paint the fence"])
  })

  test("is searched after its server was killed only in files that have changed since", async () => {
    const one = qwen()
    await one.call(add("Paint the fence"))
    await one.loseServer()
    const time = new Date()
    const kept = async (): Promise<string[]> =>
      JSON.parse((await run(["list", "--own", "--json"], today())).out).map(({ session }: Row) => session)
    const own = [expect.stringMatching(/^shop-/)]
    write("q-1", called("q-1", "c1", add("Paint the house")))
    utimesSync(chat("q-1"), time, time)
    expect(await kept()).toEqual(own)
    // Of the same length and time, and so taken for the same.
    writeFileSync(chat("q-1"), readFileSync(chat("q-1"), "utf8").replace("house", "fence"))
    utimesSync(chat("q-1"), time, time)
    expect(await kept()).toEqual(own)
    utimesSync(chat("q-1"), time, new Date(time.getTime() + 1000))
    expect(await kept()).toEqual(["q-1"])
  })

  test("is searched once more after an hour, whatever other plans were searched before", async () => {
    const one = qwen()
    await one.call(add("Paint the fence"))
    await one.loseServer()
    write("q-1", called("q-1", "c1", add("Paint the fence")))
    for (const other of [
      ["--root", home],
      ["--store", "memory:"],
      ["--store", `file:${temporaryFolder()}`],
      ["--project"],
    ])
      await run(["list", ...other], { cwd: cwd() })
    expect(await sessions()).toEqual(["q-1"])
  })

  test("is not searched any more after an hour, or when its plan is gone by then", async () => {
    const servers = () => clientsIn(join(home, ".headway")).filter(({ isOwnServer }) => isOwnServer)
    for (const isKept of [true, false]) {
      const one = qwen()
      await one.call(add("Paint the fence"))
      await one.loseServer()
      if (!isKept) rmSync(join(home, ".headway", "journal"), { recursive: true })
      await run(["list"], today())
      expect(servers()).toHaveLength(1)
      await run(["list"], { cwd: cwd() })
      expect(servers()).toEqual([])
    }
  })

  test("is not recognised by a session of another folder, an old call, or a file that claims another name", async () => {
    const one = qwen()
    write("q-1", called("q-1", "c1", add("Paint the fence")).replaceAll(JSON.stringify(cwd()), '"/elsewhere"'))
    writeFileSync(chat("q-1"), called("q-1", "c1", add("Paint the fence")).replaceAll(cwd(), "/elsewhere"))
    const old = called("q-2", "c1", add("Paint the fence")).replace(
      /"timestamp":"[^"]+"/,
      '"timestamp":"2020-01-01T00:00:00Z"',
    )
    write("q-2", old)
    writeFileSync(chat("q-3"), called("q-claimed", "c1", add("Paint the fence")))
    await one.call(add("Paint the fence"))
    await one.end()
    expect(await sessions()).toEqual([expect.stringMatching(/^shop-/)])
  })
})

describe("a client that keeps the files of sub-agents next to that of their session", () => {
  const file = (name: string) => join(home, ".omp", "agent", "sessions", "-shop", name)
  const write = (name: string, id: string, todos: object): void => {
    const path = "xd://mcp__headway_todo"
    const call = { type: "toolCall", id: "c", name: "write", arguments: { path, content: JSON.stringify(todos) } }
    const timestamp = new Date().toISOString()
    const entries = [
      { type: "session", version: 3, id, timestamp, cwd: cwd() },
      { type: "message", id: "m", parentId: null, timestamp, message: { role: "assistant", content: [call] } },
    ]
    mkdirSync(dirname(file(name)), { recursive: true })
    writeFileSync(file(name), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""))
  }

  test("has a plan for each of them, though they name a session of their own (C10)", async () => {
    const omp = client("omp-coding-agent", "oh-my-pi")
    write("2026_o-1.jsonl", "o-1", add("Paint the fence"))
    await omp.call(add("Paint the fence"))
    write("2026_o-1/Look.jsonl", "o-2", { todos: [{ content: "Climb up" }], replace: true })
    await omp.call({ todos: [{ content: "Climb up" }], replace: true })
    expect([await shown("o-1"), await shown("o-1", "Look")]).toEqual([["1 Paint the fence"], ["1 Climb up"]])
    expect((await rows()).map(({ session, agent }) => `${session} ${agent}`).toSorted()).toEqual([
      "o-1 Look",
      "o-1 main",
    ])
  })
})

describe("a client whose calls are recorded after their results", () => {
  const write = (project: string, session: string, ...inputs: object[]): void => {
    const path = join(home, ".gemini", "tmp", project, "chats", `session-2030-01-01T00-00-${session}.jsonl`)
    const timestamp = new Date().toISOString()
    const toolCalls = inputs.map((args, index) => {
      return { id: `${session}-${index}`, name: "mcp_headway_todo", args, status: "success", timestamp }
    })
    const lines = [
      { sessionId: session, projectHash: "x", kind: "main" },
      { id: "r1", timestamp, type: "gemini", content: "", toolCalls },
    ]
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  }

  beforeEach(() => {
    mkdirSync(join(home, ".gemini"))
    const projects = { [cwd()]: "shop", [join(home, "bakery")]: "bakery" }
    writeFileSync(join(home, ".gemini", "projects.json"), JSON.stringify({ projects }))
  })

  test("is not confused with another that made the same call just before", async () => {
    const [one, other] = [client(), client()]
    await one.call(add("Paint the fence"))
    await one.call(add("Mow the lawn"))
    write("shop", "g-1", add("Paint the fence"), add("Mow the lawn"))
    await one.end()
    expect(await sessions()).toEqual(["g-1"])
    await other.call(add("Paint the fence"))
    expect(await other.call({})).not.toContain("Mow the lawn")
    write("shop", "g-2", add("Paint the fence"), {})
    await other.end()
    expect([await shown("g-1"), await shown("g-2")]).toEqual([
      ["1 Paint the fence", "2 Mow the lawn"],
      ["1 Paint the fence"],
    ])
    expect(await sessions()).toEqual(["g-1", "g-2"])
  })

  test("is not recognised by a session of another folder, or of an unknown one", async () => {
    const one = client()
    await one.call(add("Paint the fence"))
    write("bakery", "g-1", add("Paint the fence"))
    write("unheard-of", "g-2", add("Paint the fence"))
    await one.end()
    expect(await sessions()).toEqual([expect.stringMatching(/^shop-[\da-f]{8}$/)])
  })
})

describe("the process of a client", () => {
  type One = { parent: number; program: string; words?: string[]; user?: number }
  const all: Record<number, One> = {
    60: { parent: 50, program: "/usr/bin/dash" },
    50: { parent: 20, program: "/usr/bin/node", words: ["npm exec headway mcp"] },
    40: { parent: 30, program: "/bin/dash" },
    30: { parent: 20, program: "/usr/bin/bash" },
    20: { parent: 10, program: "/usr/bin/node", words: ["node", "/opt/agent.js"] },
    10: { parent: 1, program: "/usr/bin/tmux" },
    9: { parent: 20, program: "/bin/sh", user: 0 },
  }
  const processes = {
    find(pid: number) {
      const { user = 1000, ...found } = all[pid] ?? {}
      return "parent" in found ? { ...(found as One), pid, user, start: `s${pid}`, started: 0 } : undefined
    },
    wordsOf: (pid: number) => all[pid]?.words ?? [],
  }
  const found = (from: number) => findCallingProcess({ processes, from, user: 1000 })

  test("is the first ancestor that is neither a shell nor a package runner, and of the same user", () => {
    for (const from of [60, 50, 40, 20]) expect(found(from)).toEqual({ pid: 20, start: "s20" })
    expect(found(10)).toEqual({ pid: 10, start: "s10" })
    expect(found(9)).toBeUndefined()
    expect(found(99)).toBeUndefined()
  })

  test.skipIf(process.platform !== "linux" || !existsSync("/bin/ps"))("is the same for both lookups", () => {
    const [proc, ps] = [processesHere("linux"), processesHere("darwin")]
    const [one, other] = [proc?.find(process.pid), ps?.find(process.pid)]
    expect(other).toMatchObject({ pid: process.pid, parent: one?.parent, user: one?.user })
    expect(Math.abs((other?.started ?? 0) - (one?.started ?? 0))).toBeLessThan(60_000)
    expect(ps?.find(2 ** 22 + 1)).toBeUndefined()
    expect(ps?.childrenOf(process.ppid)).toContainEqual(expect.objectContaining({ pid: process.pid }))
    expect(processesHere("win32")).toBeUndefined()
  })

  test("with the reused number of one that is gone is another, and its record is kept for as long as is asked", async () => {
    const folder = temporaryFolder()
    const start = processesHere()?.find(process.pid)?.start ?? "1"
    const one = { agentType: "opencode", process: { pid: process.pid, start } }
    const note = (client: typeof one, session: string) =>
      noteClient(folder, client, { session, through: "hook", isCurrent: true }, new Date())
    await note(one, "s-1")
    expect(clientIn(folder, one)?.session).toBe("s-1")
    expect(clientIn(folder, { ...one, process: { pid: process.pid, start: "2" } })).toBeUndefined()
    expect(clientIn(folder, { ...one, agentType: "qwen-code" })).toBeUndefined()
    await note({ ...one, process: { pid: 2 ** 22 + 1, start: "1" } }, "gone")
    forgetClients(folder, processesHere(), new Date(0))
    expect(clientsIn(folder)).toHaveLength(2)
    forgetClients(folder, processesHere(), new Date(Date.now() + 60_000))
    expect(clientsIn(folder)).toEqual([clientIn(folder, one)])
  })

  test("that serves many clients with long calls forgets none of them", async () => {
    const folder = temporaryFolder()
    const server = { agentType: "opencode", process: { pid: process.pid, start: "1" }, isOwnServer: true }
    const call = (length: number) => ({ tool: "todo", input: "木".repeat(length), at: new Date().toISOString() })
    const note = (session: string, calls: readonly ReturnType<typeof call>[]) => {
      const unnamed = { folder, agent: "main", place: folder, calls }
      return noteClient(folder, server, { session, through: "server", unnamed }, new Date())
    }
    const noted = () => clientIn(folder, server)?.sessions.map(({ unnamed }) => unnamed?.calls.length)
    // Short in characters and long in bytes.
    for (let number = 0; number < 60; number += 1) await note(`s-${number}`, [...Array(8).fill(call(8000)), call(8)])
    expect(noted()).toEqual(Array(60).fill(1))
    await note("x".repeat(9 << 20), [call(8)])
    await note("full", Array(8).fill(call(2700)))
    expect(noted()).toEqual([8, ...Array(60).fill(1)])
    // As many as are kept, each with all it may have.
    const [path = ""] = Object.keys(contentsUnder(join(folder, "cache", "clients")))
    const [full] = clientIn(folder, server)?.sessions ?? []
    const sessions = Array.from({ length: 99 }, (_, index) => ({ ...full, session: `f-${index}` }))
    writeFileSync(path, JSON.stringify({ ...server, sessions }))
    await note("last", Array(8).fill(call(2700)))
    expect(noted()).toEqual(Array(100).fill(8))
  })

  test("that is in several sessions keeps the notes of each, side by side", async () => {
    const folder = temporaryFolder()
    const client = { agentType: "opencode", process: { pid: process.pid, start: "1" } }
    const sessions = Array.from({ length: 8 }, (_, index) => `s-${index}`)
    const told = { kind: "stopped", agent: "main" } as const
    await Promise.all(sessions.map((session) => noteClient(folder, client, { session, through: "hook" }, new Date())))
    await noteClient(folder, client, { session: "s-3", through: "hook", told }, new Date())
    await noteClient(folder, client, { session: "s-3", through: "server" }, new Date())
    const record = clientIn(folder, client)
    expect(record?.sessions.map(({ session }) => session).toSorted()).toEqual(sessions)
    expect(record?.sessions[0]).toMatchObject({ session: "s-3", through: ["hook", "server"] })
    expect(record?.sessions.filter((one) => one.told).map(({ session }) => session)).toEqual(["s-3"])
  })
})

describe("calls that are announced", () => {
  const client = { agentType: "opencode", process: { pid: 7, start: "1" } }
  const at = (seconds: number) => new Date(1_900_000_000_000 + seconds * 1000)

  test("are matched in their order where they are equal, whatever the order of their fields, and each once", () => {
    const folder = temporaryFolder()
    announceCall(folder, client, { a: 1, b: [{ c: 2, d: 3 }] }, { session: "s-1", agent: "main" }, at(0))
    announceCall(folder, client, { b: [{ d: 3, c: 2 }], a: 1 }, { session: "s-2", agent: "main" }, at(1))
    const take = () => takeAnnouncedCall(folder, client, { b: [{ c: 2, d: 3 }], a: 1 })?.session
    expect([take(), take(), take()]).toEqual(["s-1", "s-2", undefined])
  })

  test("that never came are not confused with a later one", () => {
    const folder = temporaryFolder()
    announceCall(folder, client, undefined, { session: "refused", agent: "main" }, at(0))
    announceCall(folder, client, {}, { session: "s-2", agent: "main" }, at(60))
    expect(takeAnnouncedCall(folder, client, {})).toEqual({ session: "s-2", agent: "main" })
    expect(takeAnnouncedCall(folder, client, {})).toBeUndefined()
  })
})
