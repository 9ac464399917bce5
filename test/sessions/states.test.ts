/** How sessions stand: from genuine and from written records, the client's own notes, what hooks said, and processes. */
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import type { StateSources } from "../../src/agents/agent.ts"
import { allAgents } from "../../src/agents/index.ts"
import { databaseRows } from "../../src/agents/opencode/database-rows.ts"
import { type ClientReport, noteClient } from "../../src/home/processes/clients.ts"
import type { Processes } from "../../src/home/processes/processes.ts"
import { createClientStateReader } from "../../src/sessions/clients.ts"
import { type DiscoveredSession, discover } from "../../src/sessions/discover.ts"
import { processNotesIn } from "../../src/sessions/lookup/process-notes.ts"
import { hookAgents, sources } from "../agents/loaded.ts"
import { homeWith } from "../board/live-board.ts"
import { temporaryFolder } from "../stores/temporary.ts"

const recorded = "test/fixtures/states/claude-2.1.197"
const lines = readFileSync(join(recorded, "session.jsonl"), "utf8").trimEnd().split("\n")
const session = "4c09aadc-ff0c-4455-8676-84d332845154"
const [question, call, result, words, exit] = [4, 7, 8, 9, 14].map((line) => line + 1)

/** A home with the first lines of the recorded session, and with what its process noted, if anything. */
const homeAt = (count = lines.length, note?: object): string => {
  const home = temporaryFolder()
  const folder = join(home, ".claude/projects/-home-user-project")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${session}.jsonl`), `${lines.slice(0, count).join("\n")}\n`)
  if (!note) return home
  mkdirSync(join(home, ".claude/sessions"))
  const noted = JSON.parse(readFileSync(join(recorded, "27651.json"), "utf8")) as object
  writeFileSync(join(home, ".claude/sessions/27651.json"), JSON.stringify({ ...noted, ...note }))
  return home
}

type Running = { pid: number; words: string[]; start?: string; started?: string; children?: number[] }

const claude = { pid: 27651, words: ["claude"], start: "4574235", started: "2026-11-16T17:08:00Z" }

const running = (...all: Running[]): Processes => {
  const named = (pid: number) => all.find((one) => one.pid === pid)
  const find: Processes["find"] = (pid) => {
    const { start = "1", started = "2026-11-16T17:00:00Z" } = named(pid) ?? {}
    return named(pid) && { pid, parent: 1, user: 1000, start, started: Date.parse(started) }
  }
  return {
    find,
    wordsOf: (pid) => named(pid)?.words ?? [],
    withWords: (isWanted) =>
      all.flatMap(({ pid, words }) => {
        const found = isWanted(words) ? find(pid) : undefined
        return found ? [{ ...found, words }] : []
      }),
    folderOf: () => "/home/user/project",
    childrenOf: (pid) => (named(pid)?.children ?? []).flatMap((child) => find(child) ?? []),
  }
}

type At = { at: string; processes?: Processes }

const sessionsIn = (home: string, { at, processes }: At): Promise<DiscoveredSession[]> => {
  const readClientState = processes && createClientStateReader({ home: join(home, ".headway"), processes })
  return discover({ sources, env: {}, home, now: new Date(`2026-11-16T${at}Z`), readClientState, silenceLimit: 60_000 })
}

const standing = async (home: string, how: At) => {
  const [{ state, waitsFor, error } = { state: "none" }] = await sessionsIn(home, how)
  return { state, ...(waitsFor ? { waitsFor } : {}), ...(error === undefined ? {} : { error }) }
}

const asksForBash = {
  state: "waiting",
  waitsFor: { kind: "permission", text: "Bash touch built.txt && sleep 8" },
}

describe("N9 a recorded session of Claude Code", () => {
  test("asks a question, continues with its reply, and waits for the person after its turn", async () => {
    expect(await standing(homeAt(question), { at: "17:08:20" })).toEqual({
      state: "waiting",
      waitsFor: { kind: "question", text: "Which database should the shop use?" },
    })
    expect(await standing(homeAt((question ?? 0) + 1), { at: "17:08:28" })).toEqual({ state: "working" })
    expect(await standing(homeAt(words), { at: "17:08:50" })).toEqual({ state: "waiting", waitsFor: { kind: "turn" } })
  })

  test("was left by a command, and is over", async () => {
    expect(await standing(homeAt(exit), { at: "17:09:30" })).toEqual({ state: "finished" })
    expect(await standing(homeAt(exit), { at: "20:00:00" })).toEqual({ state: "finished" })
  })

  test("waits for a permission as long as its process notes that", async () => {
    const home = homeAt(call, {})
    const processes = running(claude)
    expect(await standing(home, { at: "17:08:31", processes })).toEqual(asksForBash)
    expect(await standing(home, { at: "23:59:00", processes })).toEqual(asksForBash)
    const busy = homeAt(call, { status: "busy", waitingFor: undefined })
    expect(await standing(busy, { at: "17:08:42", processes })).toEqual({ state: "working" })
    for (const at of ["17:20:00", "19:30:00"])
      expect(await standing(busy, { at, processes })).toEqual({ state: "working" })
    const idle = homeAt(call, { status: "idle", waitingFor: undefined })
    expect(await standing(idle, { at: "17:08:42", processes })).toMatchObject({
      state: "waiting",
      waitsFor: { kind: "turn" },
    })
  })

  test("works as long as a sub-agent that it waits for does", async () => {
    const home = homeAt(call)
    expect(await standing(home, { at: "17:20:00" })).toEqual({ state: "stalled" })
    const folder = join(home, ".claude/projects/-home-user-project", session, "subagents")
    mkdirSync(folder, { recursive: true })
    const about = { sessionId: session, isSidechain: true, agentId: "ab12cd34", cwd: "/home/user/project" }
    const says = { role: "user", content: "Review the code" }
    const subAgent = { ...about, type: "user", timestamp: "2026-11-16T17:19:00Z", message: says }
    writeFileSync(join(folder, "agent-ab12cd34.jsonl"), `${JSON.stringify(subAgent)}\n`)
    const statesAt = async (at: string) => (await sessionsIn(home, { at })).map(({ agent, state }) => [agent, state])
    expect(await statesAt("17:20:00")).toEqual([
      ["main", "working"],
      ["ab12cd34", "working"],
    ])
    expect(await statesAt("17:40:00")).toEqual([
      ["main", "stalled"],
      ["ab12cd34", "stalled"],
    ])
  })

  test.each([
    ["no process", running()],
    ["a process of another program under the same number", running({ ...claude, words: ["vim", "claude.md"] })],
    ["a process that began after the note", running({ ...claude, started: "2026-11-16T17:30:00Z" })],
  ])("ignores a note of %s", async (_, processes) => {
    expect((await standing(homeAt(call, {}), { at: "17:08:31", processes })).state).not.toBe("waiting")
  })

  test("that was left does not wait for the person when a run for one task continues it", async () => {
    const home = homeAt(exit, {
      status: undefined,
      waitingFor: undefined,
      startedAt: Date.parse("2026-11-16T18:00:00Z"),
    })
    const processes = running({ ...claude, started: "2026-11-16T18:00:00Z" })
    expect(await standing(home, { at: "18:00:01", processes })).toEqual({ state: "finished" })
  })

  test("ignores a note in files of another machine", async () => {
    expect(await standing(homeAt(call, {}), { at: "17:08:31" })).toEqual({ state: "working" })
  })

  test("is not made by a note without a session file", async () => {
    const home = homeAt(0, {})
    expect(await sessionsIn(home, { at: "17:08:31", processes: running(claude) })).toEqual([])
  })

  test("continues by a result only when no other call is open", async () => {
    const other = (lines[(call ?? 0) - 1] ?? "").replaceAll("call_79c44dcf8db84f5eaf88", "call_other")
    const home = homeAt(0)
    const path = join(home, `.claude/projects/-home-user-project/${session}.jsonl`)
    const written = [...lines.slice(0, call), other, ...lines.slice(call, result)]
    writeFileSync(path, `${written.join("\n")}\n`)
    const [one] = await sessionsIn(home, { at: "17:08:50" })
    expect(one?.facts.activity).toMatchObject({ kind: "tool", tool: "Bash", at: "2026-11-16T17:08:28.049Z" })
  })
})

describe("the state that hooks reported", () => {
  const process = { pid: claude.pid, start: claude.start }
  const noted = async (told: Partial<ClientReport>, at: string, count = call) => {
    const home = homeAt(count)
    const folder = join(home, ".headway")
    const client = { agentType: "claude-code", process }
    const note = { session, through: "hook" } as const
    await noteClient(folder, client, note, new Date("2026-11-16T17:08:02Z"))
    const report = { kind: "permission", agent: "main", ...told } as const
    await noteClient(folder, client, { ...note, told: report }, new Date(`2026-11-16T${at}Z`))
    return home
  }

  test("counts until the session continues", async () => {
    const text = "Bash touch built.txt && sleep 8"
    const processes = running(claude)
    expect(await standing(await noted({ text }, "17:08:28.4"), { at: "17:08:31", processes })).toEqual(asksForBash)
    const gone = await noted({ text }, "17:08:28.4", result)
    expect(await standing(gone, { at: "17:08:48", processes })).toEqual({ state: "working" })
  })

  test("is over for a permission when a tool works", async () => {
    const tool = { pid: 9, words: ["sh"], started: "2026-11-16T17:08:40Z" }
    const processes = running({ ...claude, children: [9] }, tool)
    expect(await standing(await noted({}, "17:08:28.4"), { at: "17:08:42", processes })).toEqual({ state: "working" })
    const late = await standing(await noted({}, "17:08:28.4"), { at: "17:40:00", processes })
    expect(late).toEqual({ state: "working" })
  })

  test("may be a failure, or the end of the session", async () => {
    const processes = running(claude)
    const failed = await noted({ kind: "failed", text: "Overloaded" }, "17:08:28.4")
    expect(await standing(failed, { at: "17:08:31", processes })).toEqual({ state: "failed", error: "Overloaded" })
    const left = await noted({ kind: "ended" }, "17:08:50", words)
    expect(await standing(left, { at: "17:08:51", processes })).toEqual({ state: "finished" })
    expect(await standing(await noted({ kind: "ended" }, "17:08:50"), { at: "17:08:51", processes })).toEqual({
      state: "ended",
    })
  })

  test("does not count for a session its process was never in", async () => {
    const home = homeAt(words)
    const client = { agentType: "claude-code", process: { pid: 5, start: "5" } }
    const told = { kind: "failed", agent: "main", text: "Forged" } as const
    await noteClient(join(home, ".headway"), client, { session: "mine", through: "hook" }, new Date())
    await noteClient(
      join(home, ".headway"),
      client,
      { session, through: "hook", told },
      new Date("2026-11-16T17:08:49Z"),
    )
    const processes = running(claude, { pid: 5, words: ["claude"], start: "5" })
    expect(await standing(home, { at: "17:08:50", processes })).toMatchObject({ state: "waiting" })
  })
})

describe("records of other agents", () => {
  const written = (path: string, ...records: object[]): string => {
    const home = temporaryFolder()
    mkdirSync(join(home, path, ".."), { recursive: true })
    writeFileSync(join(home, path), `${records.map((record) => JSON.stringify(record)).join("\n")}\n`)
    return home
  }
  const time = (second: number): string => `2026-11-16T17:00:0${second}.000Z`
  const at = "17:00:30"

  describe("Codex", () => {
    const path = `.codex/sessions/2026/11/16/rollout-2026-11-16T17-00-00-${session}.jsonl`
    const codex = (source: string, ...payloads: [type: string, payload: object][]) =>
      written(
        path,
        {
          timestamp: time(0),
          type: "session_meta",
          payload: { id: session, cwd: "/p", source, cli_version: "0.166.0" },
        },
        ...payloads.map(([type, payload], index) => ({ timestamp: time(index + 1), type, payload })),
      )
    const started = ["event_msg", { type: "task_started" }] as [string, object]
    const complete = ["event_msg", { type: "task_complete", last_agent_message: null }] as [string, object]
    const questions = [{ id: "q", header: "Way", question: "Which way?" }, { question: "How far?" }]
    const asks = [
      "response_item",
      { type: "function_call", name: "request_user_input", arguments: JSON.stringify({ questions }), call_id: "c" },
    ] as [string, object]
    const reply = ["response_item", { type: "function_call_output", call_id: "c", output: "{}" }] as [string, object]

    test("asks a question until it is answered", async () => {
      expect(await standing(codex("cli", started, asks), { at })).toEqual({
        state: "waiting",
        waitsFor: { kind: "question", text: "Which way? (and 1 more)" },
      })
      expect(await standing(codex("cli", started, asks, reply), { at })).toEqual({ state: "working" })
    })

    test("an error before the end of a turn is its failure; an abort is the person's", async () => {
      const error = ["event_msg", { type: "error", message: "You have hit\nyour limit." }] as [string, object]
      expect(await standing(codex("cli", started, error, complete), { at })).toEqual({
        state: "failed",
        error: "You have hit your limit.",
      })
      const message = '{"error":{"message":"Your balance is too low","type":"invalid_request_error"}}'
      const broken = ["event_msg", { type: "task_complete", last_agent_message: null, error: { message } }] as [
        string,
        object,
      ]
      expect(await standing(codex("cli", started, broken), { at })).toEqual({
        state: "failed",
        error: "Your balance is too low",
      })
      const aborted = ["event_msg", { type: "turn_aborted", reason: "interrupted" }] as [string, object]
      expect(await standing(codex("cli", started, aborted), { at })).toEqual({
        state: "waiting",
        waitsFor: { kind: "turn" },
      })
      expect(await standing(codex("exec", started, aborted), { at })).toEqual({ state: "ended" })
    })

    test("a run for one task does not wait, unless its process is still in the session", async () => {
      const home = codex("exec", started, complete)
      expect(await standing(home, { at })).toEqual({ state: "finished" })
      const client = { agentType: "openai-codex", process: { pid: 7, start: "7" } }
      await noteClient(join(home, ".headway"), client, { session, through: "hook" }, new Date(time(0)))
      const processes = running({ pid: 7, words: ["codex"], start: "7" })
      expect(await standing(home, { at, processes })).toEqual({ state: "waiting", waitsFor: { kind: "turn" } })
    })
  })

  test("Gemini CLI records the error of its service, and a mistyped command is not one", async () => {
    const path = ".gemini/tmp/p/chats/session-2026-11-16T17-00-4c09aadc.jsonl"
    const header = { sessionId: session, projectHash: "h", startTime: time(0), kind: "main" }
    const prompt = { id: "1", timestamp: time(1), type: "user", content: [{ text: "Go" }] }
    const gemini = (content: string) =>
      standing(written(path, header, prompt, { id: "2", timestamp: time(2), type: "error", content }), { at })
    expect(await gemini("[API Error: Quota exceeded]")).toEqual({ state: "failed", error: "Quota exceeded" })
    expect(await gemini("Unknown command: /tods")).toEqual({ state: "working" })
  })

  test("Qwen Code asks, and a request that fails is a failure when nothing follows", async () => {
    const path = `.qwen/projects/-p/chats/${session}.jsonl`
    const line = (second: number, fields: object) => ({
      ...{ uuid: String(second), parentUuid: null, sessionId: session, timestamp: time(second), version: "0.24.4" },
      ...fields,
    })
    const prompt = line(1, { type: "user", provenance: "real_user", message: { parts: [{ text: "Go" }] } })
    const plan = { id: "c", name: "exit_plan_mode", args: { plan: "\n# Plan: Move the shop\n\n1. Pack" } }
    const asks = line(2, { type: "assistant", message: { parts: [{ functionCall: plan }] } })
    expect(await standing(written(path, prompt, asks), { at })).toEqual({
      state: "waiting",
      waitsFor: { kind: "permission", text: "to carry out its plan: Move the shop" },
    })
    const uiEvent = { "event.name": "qwen-code.api_error", error_message: "Request failed with status 429" }
    const error = line(2, { type: "system", subtype: "ui_telemetry", systemPayload: { uiEvent } })
    const home = written(path, prompt, error)
    expect(await standing(home, { at })).toEqual({ state: "working" })
    expect(await standing(home, { at: "17:10:00" })).toEqual({
      state: "failed",
      error: "Request failed with status 429",
    })
  })

  test("opencode's question is open until it has its reply", async () => {
    const questions = [{ question: "Which colour should the shop have?", header: "Colour", options: [] }]
    const signals = (status: string) => {
      const part = {
        type: "tool",
        tool: "question",
        callID: "c",
        state: { status, input: { questions }, time: { start: 2 } },
      }
      const row = { session_id: "s", time_updated: 3 }
      return databaseRows({
        session: [{ id: "s", directory: "/p", version: "1.18.33", time_updated: 3 }],
        message: [{ ...row, data: JSON.stringify({ role: "assistant", time: { created: 1 } }) }],
        part: [{ ...row, id: "prt_1", data: JSON.stringify(part) }],
      })[0]?.at(-1)
    }
    expect(signals("running")).toMatchObject({
      kind: "waiting",
      waitsFor: { kind: "question", text: "Which colour should the shop have?" },
    })
    expect(signals("completed")).toMatchObject({ kind: "tool" })
  })

  test("oh-my-pi asks, fails, and ends", async () => {
    const path = `.omp/agent/sessions/-p/2026-11-16T17-00-00_${session}.jsonl`
    const header = { type: "session", version: 3, id: session, timestamp: time(0), cwd: "/p" }
    const line = (message: object) => ({
      type: "message",
      id: "1",
      parentId: null,
      timestamp: time(1),
      message: { role: "assistant", ...message },
    })
    const ask = { type: "toolCall", id: "c", name: "ask", arguments: { questions: [{ question: "Left or right?" }] } }
    expect(await standing(written(path, header, line({ content: [ask], stopReason: "toolUse" })), { at })).toEqual({
      state: "waiting",
      waitsFor: { kind: "question", text: "Left or right?" },
    })
    const failed = line({ content: [], stopReason: "error", errorMessage: "Overloaded" })
    expect(await standing(written(path, header, failed), { at })).toEqual({ state: "failed", error: "Overloaded" })
  })

  test("pi ends its turn, or fails", async () => {
    const path = `.pi/agent/sessions/--p--/2026-11-16T17-00-00_${session}.jsonl`
    const header = { type: "session", version: 3, id: session, timestamp: time(0), cwd: "/p" }
    const stood = (message: object) => {
      const reply = { role: "assistant", content: [{ type: "text", text: "Well." }], ...message }
      const entry = { type: "message", id: "1", parentId: null, timestamp: time(1), message: reply }
      return standing(written(path, header, entry), { at })
    }
    expect(await stood({ stopReason: "stop" })).toEqual({ state: "waiting", waitsFor: { kind: "turn" } })
    const error = { stopReason: "error", errorMessage: "Overloaded" }
    expect(await stood(error)).toEqual({ state: "failed", error: "Overloaded" })
  })

  test("Continue ends its turn", async () => {
    const history = [{ message: { role: "user", content: "Go" } }, { message: { role: "assistant", content: "Gone." } }]
    const document = { sessionId: session, title: "Untitled Session", workspaceDirectory: "/p", history }
    const home = written(`.continue/sessions/${session}.json`, document)
    utimesSync(join(home, `.continue/sessions/${session}.json`), new Date(time(1)), new Date(time(1)))
    expect(await standing(home, { at })).toEqual({ state: "waiting", waitsFor: { kind: "turn" } })
  })

  describe("Cline", () => {
    const recordedIn = "test/fixtures/streams/cline-3.0.65/team-and-own-tool/home/.cline/data/sessions"
    const id = "1794852538401_jcm7b"

    /** The recorded session, with other messages after its first one, and with other things said about it. */
    const homeOf = (about: object, ...messages: object[]): string => {
      const home = temporaryFolder()
      const folder = join(home, ".cline/data/sessions", id)
      mkdirSync(folder, { recursive: true })
      const document = (ending: string) => JSON.parse(readFileSync(join(recordedIn, id, id + ending), "utf8"))
      const written = document(".messages.json")
      const { ended_at: _, exit_code: __, ...begun } = document(".json")
      const all = { ...written, messages: [written.messages[0], ...messages] }
      writeFileSync(join(folder, `${id}.messages.json`), JSON.stringify(all))
      writeFileSync(join(folder, `${id}.json`), JSON.stringify({ ...begun, status: "running", ...about }))
      return home
    }
    const stood = (about: object, ...messages: object[]) => standing(homeOf(about, ...messages), { at: "18:10:00" })

    const message = (second: number, role: string, block: object) => {
      const ts = Date.parse(`2026-11-16T18:09:0${second}Z`)
      return { id: String(second), role, content: [block], ts }
    }
    const words = message(1, "assistant", { type: "text", text: "Done." })
    const input = { question: "Left or right?", options: ["Left", "Right"] }
    const asks = message(1, "assistant", { type: "tool_use", id: "c", name: "ask_question", input })
    const reply = message(2, "user", { type: "tool_result", tool_use_id: "c", content: "Left" })
    const waitsFor = (waited: object) => ({ state: "waiting", waitsFor: waited })

    test("asks until it has its reply", async () => {
      const asked = waitsFor({ kind: "question", text: "Left or right?" })
      expect(await stood({ interactive: true }, asks)).toEqual(asked)
      expect(await stood({ interactive: true }, asks, reply)).toEqual({ state: "working" })
    })

    test("waits after its turn where a person is present, and a run for one task is over with it", async () => {
      expect(await stood({ interactive: true }, words)).toEqual(waitsFor({ kind: "turn" }))
      expect(await stood({ interactive: false }, words)).toEqual({ state: "finished" })
    })

    test.each([
      ["completed", { state: "finished" }],
      ["cancelled", { state: "ended" }],
      ["failed", { state: "failed", error: "The agent gave no reason." }],
    ])("is left when its document has %s", async (status, expected) => {
      const about = { interactive: true, status, ended_at: "2026-11-16T18:09:08.000Z" }
      expect(await stood(about, words)).toEqual(expected)
    })
  })
})

describe("a recorded session at each moment", () => {
  /** When a line of any of these formats was written, in milliseconds. */
  const writtenAt = (line: string): number => {
    const { time, ts, timestamp, params, created_at } = JSON.parse(line)
    return Date.parse(ts ?? "") || (params?._meta.agentTimestampMs ?? time ?? created_at ?? Date.parse(timestamp))
  }

  const homeUntil = (name: string, at: string): string => {
    const home = temporaryFolder()
    const place = `test/fixtures/states/${name}`
    cpSync(place, home, { recursive: true })
    for (const path of readdirSync(home, { recursive: true, encoding: "utf8" })) {
      if (!path.endsWith(".jsonl")) continue
      const all = readFileSync(join(home, path), "utf8").trimEnd().split("\n")
      const until = all.filter((line) => writtenAt(line) <= Date.parse(`2026-11-16T${at}Z`))
      writeFileSync(join(home, path), until.map((line) => `${line}\n`).join(""))
    }
    return home
  }

  const turn = { state: "waiting", waitsFor: { kind: "turn" } }
  const question = { state: "waiting", waitsFor: { kind: "question", text: "Which database should the shop use?" } }
  const leave = (text: string) => ({ state: "waiting", waitsFor: { kind: "permission", text } })
  const working = { state: "working" }
  const failed = (error: string) => ({ state: "failed", error })

  test.each([
    ["kimi-2.1.0", "20:13:02.510", working],
    ["kimi-2.1.0", "20:13:10", leave("Bash touch built.txt")],
    ["kimi-2.1.0", "20:13:34", working],
    ["kimi-2.1.0", "20:13:40", question],
    ["kimi-2.1.0", "20:13:53", turn],
    ["kimi-2.1.0", "20:14:00", failed("400 Your credit balance is too low.")],
    ["kimi-2.1.0", "20:14:50", leave("Bash touch attic.txt")],
    ["kimi-2.1.0", "20:15:00", working],
    ["kimi-2.1.0", "20:15:30", turn],
    ["copilot-1.0.102", "20:13:03.050", working],
    ["copilot-1.0.102", "20:13:10", leave("shell touch built.txt")],
    ["copilot-1.0.102", "20:13:34", working],
    ["copilot-1.0.102", "20:13:40", turn],
    ["copilot-1.0.102", "20:14:00", failed("400 Your credit balance is too low.")],
    ["copilot-1.0.102", "20:14:50", question],
    ["copilot-1.0.102", "20:14:58", working],
    ["copilot-1.0.102", "20:14:58.400", leave("shell touch attic.txt")],
    ["copilot-1.0.102", "20:15:05", working],
    ["copilot-1.0.102", "20:15:20", turn],
    ["copilot-1.0.102", "20:16:00", { state: "finished" }],
    ["grok-1.0.41", "20:13:10", question],
    ["grok-1.0.41", "20:13:33.980", working],
    ["grok-1.0.41", "20:13:40", turn],
    [
      "grok-1.0.41",
      "20:14:00",
      failed("API error (status 400 Bad Request): invalid_request_error: Your credit balance is too low."),
    ],
    ["grok-1.0.41", "20:14:50", leave("run_terminal_command npm publish ./shop")],
    ["grok-1.0.41", "20:15:00.070", working],
    ["grok-1.0.41", "20:15:05", leave("spawn_subagent Count the boxes")],
    ["grok-1.0.41", "20:15:20", working],
    ["grok-1.0.41", "20:15:34.300", turn],
    ["grok-1.0.41", "20:15:40", turn],
  ])("%s at %s", async (name, at, expected) => {
    const [main] = (await sessionsIn(homeUntil(name, at), { at })).filter(({ agent }) => agent === "main")
    const { state, waitsFor, error } = main ?? { state: "none" }
    expect({ state, ...(waitsFor ? { waitsFor } : {}), ...(error === undefined ? {} : { error }) }).toEqual(expected)
  })

  test("a failed run for one task is shut down, and has failed", async () => {
    const home = homeUntil("copilot-1.0.102", "20:14:00")
    const [path = ""] = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((one) => one.endsWith(".jsonl"))
    const end = { type: "session.shutdown", data: {}, id: "e", timestamp: "2026-11-16T20:13:59.700Z", parentId: null }
    appendFileSync(join(home, path), `${JSON.stringify(end)}\n`)
    expect(await standing(home, { at: "20:14:10" })).toEqual(failed("400 Your credit balance is too low."))
  })

  test("a session of Copilot CLI that was left is open again while a running process holds its lock", async () => {
    const home = homeUntil("copilot-1.0.102", "20:16:00")
    const lock = (pid: number) =>
      join(home, `.copilot/session-state/1729b533-25c5-4a35-a4e8-bf78a62153ca/inuse.${pid}.lock`)
    const left = (pid: number, at: string): void => {
      writeFileSync(lock(pid), "")
      utimesSync(lock(pid), new Date(`2026-11-16T${at}Z`), new Date(`2026-11-16T${at}Z`))
    }
    const copilot = { pid: 41, words: ["copilot"], started: "2026-11-16T20:20:00Z" }
    const processes = running(copilot)
    left(40, "20:12:00")
    expect(await standing(home, { at: "20:20:10", processes })).toEqual({ state: "finished" })
    left(41, "20:20:01")
    expect(await standing(home, { at: "20:20:10", processes })).toEqual(turn)
    expect(await standing(home, { at: "20:20:10", processes: running() })).toEqual({ state: "finished" })
    expect(await standing(home, { at: "20:20:10" })).toEqual({ state: "finished" })
    const source = sources["github-copilot"]
    expect(await processNotesIn({ source, env: {}, home })).toContainEqual({
      ...{ session: "1729b533-25c5-4a35-a4e8-bf78a62153ca", pid: 41, noted: "2026-11-16T20:20:01.000Z" },
    })
  })

  test("a session of Grok is open again while its table lists a running process", async () => {
    const home = homeUntil("grok-1.0.41", "20:14:00")
    const row = (session_id: string, pid: number) => ({ session_id, pid, cwd: "/p", opened_at: "2026-11-16T20:20:00Z" })
    const rows = [row("01a1e5ff-0000-7ee3-8f73-000000000000", 50), row("01a1e5fd-89f0-7ee3-8f73-4c27638cd7ab", 51)]
    writeFileSync(join(home, ".grok/active_sessions.json"), JSON.stringify([...rows, { pid: "52" }]))
    const stateWith = async (pid: number) => {
      const processes = running({ pid, words: ["grok"], started: "2026-11-16T20:19:59Z" })
      return (await standing(home, { at: "20:20:10", processes })).state
    }
    expect(await stateWith(50)).toBe("failed")
    expect(await stateWith(51)).toBe("waiting")
    expect(await processNotesIn({ source: sources.grok, env: {}, home })).toMatchObject([{ pid: 50 }, { pid: 51 }])
  })

  test("a note of the end makes no session by itself", async () => {
    const home = homeUntil("grok-1.0.41", "20:14:50")
    for (const path of readdirSync(home, { recursive: true, encoding: "utf8" }))
      if (path.endsWith("updates.jsonl")) rmSync(join(home, path))
    expect(await sessionsIn(home, { at: "20:14:50" })).toEqual([])
  })
})

test("recorded runs for one task are over, and wait for no one", async () => {
  const home = homeWith(
    "claude-2.1.197/subagents-todowrite",
    "codex-0.166.0/plan",
    "omp-18.2.3/todos",
    "copilot-1.0.102/sql-todos",
    "grok-1.0.41/todo-write-acp",
    "cline-3.0.65/team-tasks",
  )
  const found = await sessionsIn(home, { at: "04:00:00" })
  const mains = found.filter(({ agent }) => agent === "main")
  expect(mains.map(({ agentType, state }) => [agentType, state]).toSorted()).toEqual([
    ["claude-code", expect.stringMatching(/^(?:ended|finished)$/)],
    ["cline", expect.stringMatching(/^(?:ended|finished)$/)],
    ["github-copilot", expect.stringMatching(/^(?:ended|finished)$/)],
    ["grok", expect.stringMatching(/^(?:ended|finished)$/)],
    ["oh-my-pi", expect.stringMatching(/^(?:ended|finished)$/)],
    ["openai-codex", expect.stringMatching(/^(?:ended|finished)$/)],
  ])
  for (const { state, summary } of mains) expect(state).toBe(summary?.isFinished === false ? "ended" : "finished")
})

test("a session is as old as its records, whenever its files were written", async () => {
  const home = homeWith("claude-2.1.197/tasks")
  const before = (await sessionsIn(home, { at: "17:00:00" })).map(({ updated, state }) => [updated, state])
  const copy = temporaryFolder()
  cpSync(home, copy, { recursive: true })
  const tasks = join(copy, ".claude/tasks/550206c9-ad53-4a5f-ba9b-dc6fab035f1d")
  const now = new Date("2026-11-16T16:59:00Z")
  writeFileSync(join(tasks, "9.json"), JSON.stringify({ id: "9", subject: "New", status: "pending", blockedBy: [] }))
  for (const name of readdirSync(tasks)) utimesSync(join(tasks, name), now, now)
  const after = await sessionsIn(copy, { at: "17:00:00" })
  expect(after.map(({ updated }) => updated)).toEqual(before.map(([updated]) => updated))
  expect(after[0]?.summary?.todos).toBeGreaterThan(0)
})

describe("the declared signals of each agent", () => {
  const declared = allAgents.flatMap(({ id, stateSources }) =>
    stateSources ? [{ id, stateSources: stateSources as StateSources }] : [],
  )

  test.each(declared)("by hooks: $id", ({ id, stateSources }) => {
    const agent = Object.hasOwn(hookAgents, id) ? hookAgents[id as keyof typeof hookAgents] : undefined
    const moments = Object.values(agent?.moments ?? {})
    expect(stateSources.turn.includes("hooks")).toBe(moments.includes("stop"))
    const byHooks = [stateSources.permission, stateSources.question, stateSources.failure, stateSources.end].some(
      (by) => by.includes("hooks"),
    )
    expect(byHooks).toBe(moments.includes("state"))
    expect(agent?.agentState !== undefined).toBe(byHooks)
  })

  test.each(declared)("in notes: $id", ({ id, stateSources }) => {
    const hasNotes = sources[id as keyof typeof sources].places.some(({ isNote }) => isNote)
    expect(Object.values(stateSources).some((by) => by.includes("note"))).toBe(hasNotes)
  })
})
