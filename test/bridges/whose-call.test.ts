/** Whose call it is, where a client does not say: real clients' processes with a server and hooks of their own. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type ClientProcess, findClientProcess, lookUps } from "../../src/bridges/client-process.ts"
import { announceCall, takeAnnouncedCall } from "../../src/bridges/hooks/call-notes.ts"
import { forgetClients, notedSession, noteSession } from "../../src/bridges/hooks/client-notes.ts"
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
  }
}

const add = (...contents: string[]) => ({ todos: contents.map((content) => ({ content })) })

type Row = { session: string; agent: string; isOwn: boolean }

const rows = async (): Promise<Row[]> => JSON.parse((await run(["list", "--own", "--json"], { cwd: cwd() })).out)

const sessions = async (): Promise<string[]> => (await rows()).map(({ session }) => session).toSorted()

const shown = async (session: string, agent = "main"): Promise<string[]> => {
  const { out, code } = await run(["show", "--json", "--session", session, "--agent", agent], { cwd: cwd() })
  if (code !== 0) return []
  return JSON.parse(out).todos.map(({ id, content }: Record<string, string>) => `${id} ${content}`)
}

describe("a client whose hooks say its session", () => {
  test("has one plan with what it wrote before it was known, under the same ids and authors", async () => {
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

  test("is told nothing of the plan of another, whether that runs or has ended", async () => {
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

  test("finds its plan again when it is resumed by another process", async () => {
    const first = client()
    await first.hook("SessionStart", "g-1", { source: "startup" })
    await first.call(add("Paint the fence", "Mow the lawn"))
    await first.end()
    const again = client()
    expect(await again.hook("SessionStart", "g-1", { source: "resume" })).toContain("Paint the fence")
    expect(await again.call({ todos: [{ id: "2", status: "in_progress" }] })).toContain("Mow the lawn")
    expect(await sessions()).toEqual(["g-1"])
  })

  test("that had a plan is given what was written before it was known, and nothing twice", async () => {
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

  test("does not get the plan of another agent or project by the name of its session", async () => {
    await run(["write", "--session", "c-1"], { cwd: cwd(), input: '{"todos":["Of another agent"]}' })
    const gemini = client()
    await gemini.hook("BeforeAgent", "c-1", { prompt: "Go on." })
    expect(await gemini.call(add("Paint the fence"))).not.toContain("Of another agent")
    expect(await sessions()).toEqual(["c-1", expect.stringMatching(/^shop-/)])
    expect(await shown("c-1")).toEqual(["1 Of another agent"])
  })

  test("is not known by a hook that another process calls", async () => {
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

  test("is known by the session file in which its call appears", async () => {
    const [one, other] = [qwen(), qwen()]
    write("q-1", called("q-1", "c1", add("Paint the fence")))
    write("q-2", called("q-2", "c1", add("Bake a cake")))
    await other.call(add("Bake a cake"))
    await one.call(add("Paint the fence"))
    expect([await shown("q-1"), await shown("q-2")]).toEqual([["1 Paint the fence"], ["1 Bake a cake"]])
    expect(await sessions()).toEqual(["q-1", "q-2"])
  })

  test("keeps its own plan as long as two sessions show the same call, and joins it once one shows more", async () => {
    const one = qwen()
    for (const session of ["q-1", "q-2"]) write(session, called(session, "c1", add("Paint the fence")))
    await one.call(add("Paint the fence"))
    expect(await sessions()).toEqual([expect.stringMatching(/^shop-/)])
    write("q-1", called("q-1", "c1", add("Paint the fence")), called("q-1", "c2", add("Mow the lawn")))
    await one.call(add("Mow the lawn"))
    expect(await shown("q-1")).toEqual(["1 Paint the fence", "2 Mow the lawn"])
    expect(await sessions()).toEqual(["q-1"])
  })

  test("is known when it ends, where its file is written after its calls", async () => {
    const one = qwen()
    await one.call(add("Paint the fence"))
    write("q-1", called("q-1", "c1", add("Paint the fence")))
    await one.end()
    expect(await sessions()).toEqual(["q-1"])
  })

  test("is not known by a session of another folder, a call that is old, or a file that claims another name", async () => {
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

describe("a client that keeps the files of sub-agents beside that of their session", () => {
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

describe("the process of a client", () => {
  const processes = (user: number) => (pid: number) =>
    ({
      40: { pid, started: "7", parent: 30, user, program: "/bin/dash" },
      30: { pid, started: "6", parent: 20, user, program: "/usr/bin/bash" },
      20: { pid, started: "5", parent: 10, user: 1000, program: "/opt/agent" },
      10: { pid, started: "4", parent: 1, user: 1000, program: "/usr/bin/tmux" },
    })[pid]

  test("is the first above that is no shell, and of the same user", () => {
    expect(findClientProcess(40, processes(1000), 1000)).toEqual({ pid: 20, started: "5" })
    expect(findClientProcess(20, processes(1000), 1000)).toEqual({ pid: 20, started: "5" })
    expect(findClientProcess(40, processes(0), 1000)).toBeUndefined()
    expect(findClientProcess(99, processes(1000), 1000)).toBeUndefined()
    expect(findClientProcess(40, undefined, 1000)).toBeUndefined()
  })

  test.skipIf(process.platform !== "linux" || !existsSync("/bin/ps"))("is the same for both ways to look it up", () => {
    const [one, other] = [lookUps.linux(process.pid), lookUps.darwin(process.pid)]
    expect(other).toMatchObject({ pid: process.pid, parent: one?.parent, user: one?.user })
    expect(Number(other?.started)).toBeGreaterThan(Date.parse("2020-01-01"))
    expect(lookUps.darwin(2 ** 22 + 1)).toBeUndefined()
  })

  test("that has the number of one that is gone is another", () => {
    const folder = temporaryFolder()
    const [one, other]: ClientProcess[] = [
      { pid: process.pid, started: "1" },
      { pid: process.pid, started: "2" },
    ]
    if (!one || !other) throw new Error("unreachable")
    noteSession(folder, { agentType: "opencode", client: one }, "s-1")
    expect(notedSession(folder, { agentType: "opencode", client: one })).toBe("s-1")
    expect(notedSession(folder, { agentType: "opencode", client: other })).toBeUndefined()
    expect(notedSession(folder, { agentType: "qwen-code", client: one })).toBeUndefined()
    forgetClients(folder)
    expect(notedSession(folder, { agentType: "opencode", client: one })).toBe("s-1")
    noteSession(folder, { agentType: "opencode", client: { pid: 2 ** 22 + 1, started: "1" } }, "gone")
    forgetClients(folder)
    expect(Object.values(contentsUnder(join(folder, "cache", "clients")))).toEqual(['{"session":"s-1"}'])
  })
})

describe("calls that are announced", () => {
  const client = { agentType: "opencode", client: { pid: 7, started: "1" } }
  const at = (seconds: number) => new Date(1_900_000_000_000 + seconds * 1000)

  test("are taken in their order where they are equal, whatever the order of their fields, and each once", () => {
    const folder = temporaryFolder()
    announceCall(folder, client, { a: 1, b: [{ c: 2, d: 3 }] }, { session: "s-1", agent: "main" }, at(0))
    announceCall(folder, client, { b: [{ d: 3, c: 2 }], a: 1 }, { session: "s-2", agent: "main" }, at(1))
    const take = () => takeAnnouncedCall(folder, client, { b: [{ c: 2, d: 3 }], a: 1 })?.session
    expect([take(), take(), take()]).toEqual(["s-1", "s-2", undefined])
  })

  test("and never came are not taken for a later one", () => {
    const folder = temporaryFolder()
    announceCall(folder, client, undefined, { session: "refused", agent: "main" }, at(0))
    announceCall(folder, client, {}, { session: "s-2", agent: "main" }, at(60))
    expect(takeAnnouncedCall(folder, client, {})).toEqual({ session: "s-2", agent: "main" })
    expect(takeAnnouncedCall(folder, client, {})).toBeUndefined()
  })
})
