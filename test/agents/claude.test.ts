/** Claude Code's stream, session files and folders, read from genuine captures of three generations. */
import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, test } from "vitest"
import { readClaudeAgentMeta, readClaudeTasks, readClaudeTodos } from "../../src/agents/claude-code/list-files.ts"
import { claudeStream } from "../../src/agents/claude-code/stream.ts"
import { claudeTranscript } from "../../src/agents/claude-code/transcript.ts"
import { qwenChat } from "../../src/agents/qwen-code/chat.ts"
import { qwenStream } from "../../src/agents/qwen-code/stream.ts"
import type { Signal, Stream } from "../../src/streams/stream.ts"
import { fixture, ofType as only, readDamaged } from "../streams/damage.ts"

const root = fileURLToPath(new URL("../fixtures/streams/", import.meta.url))
const linesOf = (path: string): string[] => fixture(path).split("\n").filter(Boolean)
const signalsOf = (stream: Stream, lines: readonly string[]): Signal[] => {
  const reader = stream.open()
  return lines.flatMap((line) => reader.read(line))
}

/** `agent: tool callId`, a line per call. */
const calls = (signals: readonly Signal[]): string[] =>
  only(signals, "call").map(({ agent, call }) => `${agent}: ${call.tool} ${call.callId}`)
const refused = (signals: readonly Signal[]): string[] =>
  only(signals, "result").flatMap(({ ok, callId }) => (ok ? [] : [callId]))
const doings = (signals: readonly Signal[]): string[] =>
  only(signals, "activity").map(({ agent, kind, tool }) => [agent, kind, tool].filter(Boolean).join(" "))

const project = "home/.claude/projects/-home-user-project"
const sessions = {
  "claude-1.0.60/todowrite": "f111e376-771e-43d2-8c31-08f1a25afdad",
  "claude-1.0.60/subagents": "f6b50499-a15e-4c80-9533-ad934ea91c50",
  "claude-2.0.37/todowrite": "a71d81d5-53e1-47df-b31c-6ca23158c8ee",
  "claude-2.1.197/todowrite": "d8e9bb8e-98b3-4ce1-8fdb-1f15aec289c3",
  "claude-2.1.197/tasks": "550206c9-ad53-4a5f-ba9b-dc6fab035f1d",
  "claude-2.1.197/subagents-tasks": "8c424508-9bac-4084-81ce-67d6c4ac9f99",
  "claude-2.1.197/subagents-todowrite": "f53816a2-a98a-4e21-8afe-ab762e5ceecb",
}
type Case = keyof typeof sessions
const withFile = Object.keys(sessions) as Case[]
const streams = [
  ...withFile,
  ...["edge", "hooks-block", "compact", "external", "mcp"].map((name) => `claude-2.1.197/${name}`),
]
const streamed = (name: string): Signal[] => signalsOf(claudeStream, linesOf(`${name}/stdout.jsonl`))
const fileOf = (name: Case): string => `${name}/${project}/${sessions[name]}.jsonl`
const recorded = (name: Case): Signal[] => signalsOf(claudeTranscript, linesOf(fileOf(name)))
const files = [
  ...withFile.map(fileOf),
  `claude-2.0.37/todowrite/${project}/agent-71d52606.jsonl`,
  ...["subagents-tasks", "subagents-todowrite"].flatMap((name) => {
    const folder = `claude-2.1.197/${name}/${project}/${sessions[`claude-2.1.197/${name}` as Case]}/subagents`
    return readdirSync(root + folder).flatMap((file) => (file.endsWith(".jsonl") ? [`${folder}/${file}`] : []))
  }),
  ...readdirSync(`${root}claude-2.1.197/reminders/${project}`).map(
    (file) => `claude-2.1.197/reminders/${project}/${file}`,
  ),
]

describe("stream", () => {
  test("the first line names session, project, version, model and tools", () => {
    const [first] = streamed("claude-2.1.197/tasks")
    expect(first).toMatchObject({
      type: "session",
      session: sessions["claude-2.1.197/tasks"],
      project: "/home/user/project",
      version: "2.1.197",
      model: "claude-opus-4-8[1m]",
    })
    expect(only(streamed("claude-1.0.60/todowrite"), "session")[0]?.tools).toContain("TodoWrite")
    expect(streamed("claude-1.0.60/todowrite")[0]).not.toHaveProperty("version")
  })

  test.each(["claude-1.0.60/todowrite", "claude-2.0.37/todowrite", "claude-2.1.197/todowrite"])(
    "%s has seven calls, of which the one with an unknown status is refused",
    (name) => {
      const signals = streamed(name)
      const numbers = [1, 3, 5, 6, 7, 8, 9]
      expect(calls(signals)).toEqual(numbers.map((number) => `main: TodoWrite toolu_mock000${number}`))
      expect(only(signals, "result").map(({ callId }) => callId)).toEqual(
        numbers.map((number) => `toolu_mock000${number}`),
      )
      expect(refused(signals)).toEqual(["toolu_mock0006"])
      expect(only(signals, "call").every(({ call, dialect }) => call.observed && dialect === "claude-todos")).toBe(true)
    },
  )

  test("todo calls are not tool work; other tools, texts and the end of a turn are activity", () => {
    const bash = ["main tool Bash", "main tool"]
    const work = [...bash, ...bash, "main text", ...bash, "main text", "main turn-ended"]
    expect(doings(streamed("claude-1.0.60/todowrite"))).toEqual(["main prompt", "main text", ...work])
    const begun = ["main prompt", "main text", ...bash, ...bash]
    expect(doings(streamed("claude-2.1.197/tasks"))).toEqual([...begun, "main text", "main turn-ended"])
    expect(doings(streamed("claude-2.1.197/mcp"))[1]).toBe("main tool mcp__probe__plan_add")
  })

  test("ids of tasks come with the results, as data or as text", () => {
    const results = only(streamed("claude-2.1.197/subagents-tasks"), "result")
    expect(results[0]).toMatchObject({ callId: "toolu_mock0001", result: { task: { id: "1" } } })
    expect(results.find(({ callId }) => callId === "toolu_mock0007")?.result).toBe(
      "Task #4 created successfully: B: find tests",
    )
  })

  test("a task that is not found, a refused status and a hook's veto are failed calls", () => {
    expect(refused(streamed("claude-2.1.197/tasks"))).toEqual(["toolu_mock0014"])
    expect(refused(streamed("claude-2.1.197/edge"))).toEqual(["toolu_mock0008", "toolu_mock0010"])
    expect(refused(streamed("claude-2.1.197/hooks-block"))).toEqual([
      "toolu_mock0001",
      "toolu_mock0005",
      "toolu_mock0004",
    ])
  })

  test("a veto in words alone, as sub-agents get it, is a failed call", () => {
    const reader = claudeStream.open()
    const call =
      linesOf("claude-2.1.197/hooks-block/stdout.jsonl").find((line) => line.includes('"name":"TaskUpdate"')) ?? ""
    const answer =
      linesOf("claude-2.1.197/hooks-block/stdout.jsonl").find((line) => line.includes("TaskCompleted hook")) ?? ""
    const { tool_use_result: _, ...wordsOnly } = JSON.parse(answer) as Record<string, unknown>
    reader.read(call)
    expect(refused(reader.read(JSON.stringify(wordsOnly)))).toEqual(["toolu_mock0004"])
  })

  test("each sub-agent keeps its own TodoWrite list and is introduced with the call that started it", () => {
    const old = streamed("claude-1.0.60/subagents")
    const survey = { title: "Survey the repo", role: "general-purpose" }
    const tests = { title: "Check the tests", role: "general-purpose" }
    expect(calls(old)).toEqual([
      "main: TodoWrite toolu_mock0001",
      "toolu_mock0002: TodoWrite toolu_mock0004",
      "toolu_mock0003: TodoWrite toolu_mock0005",
      "toolu_mock0002: TodoWrite toolu_mock0008",
      "main: TodoWrite toolu_mock0009",
    ])
    expect(only(old, "session").slice(1)).toEqual([
      { type: "session", agent: "toolu_mock0002", parent: { agent: "main", callId: "toolu_mock0002" }, ...survey },
      { type: "session", agent: "toolu_mock0003", parent: { agent: "main", callId: "toolu_mock0003" }, ...tests },
    ])
    const now = streamed("claude-2.1.197/subagents-todowrite")
    expect(
      only(now, "session")
        .slice(1)
        .filter(({ asked }) => asked === undefined),
    ).toEqual([
      { type: "session", agent: "a3b22d34f61719c9b", parent: { agent: "main", callId: "toolu_mock0002" }, ...survey },
      { type: "session", agent: "abf7d66e28674ba19", parent: { agent: "main", callId: "toolu_mock0003" }, ...tests },
    ])
    expect(calls(now)[1]).toBe("a3b22d34f61719c9b: TodoWrite toolu_mock0004")
  })

  test("sub-agents write tasks into the main list, and work under their own name", () => {
    const signals = streamed("claude-2.1.197/subagents-tasks")
    expect(new Set(only(signals, "call").map(({ agent }) => agent))).toEqual(new Set(["main"]))
    expect(calls(signals)).toHaveLength(8)
    expect(doings(signals)).toEqual(
      expect.arrayContaining(["afaf4c2974799adb9 prompt", "afaf4c2974799adb9 tool Bash", "aa2997b30aeb55855 ended"]),
    )
    expect(doings(streamed("claude-1.0.60/subagents"))).toContain("toolu_mock0003 ended")
  })

  test("a call that is shown several times counts once", () => {
    const lines = linesOf("claude-2.1.197/tasks/stdout.jsonl")
    expect(
      calls(
        signalsOf(
          claudeStream,
          lines.flatMap((line) => [line, line]),
        ),
      ),
    ).toEqual(calls(signalsOf(claudeStream, lines)))
  })

  test("a late observer learns the list from the result of an earlier TaskList", () => {
    const lines = linesOf("claude-2.1.197/tasks/stdout.jsonl")
    const answer = lines.findIndex((line) => line.includes('"tasks":['))
    const [first] = only(signalsOf(claudeStream, lines.slice(answer)), "snapshot")
    expect(first).toMatchObject({ agent: "main", dialect: "claude-tasks", call: { tool: "TaskList", observed: true } })
    expect(first?.call.result).toMatchObject({
      tasks: [{ id: "1", owner: "main" }, { id: "2" }, { id: "3", blockedBy: ["2"] }],
    })
  })

  test("what the client writes after compacting is not a prompt", () => {
    expect(doings(streamed("claude-2.1.197/compact"))).toEqual(["main prompt", "main turn-ended"])
  })
})

describe("session file", () => {
  test("names session, project and version once, and the time of each call", () => {
    const signals = recorded("claude-2.1.197/tasks")
    const session = sessions["claude-2.1.197/tasks"]
    expect(only(signals, "session")).toEqual([
      { type: "session", agent: "main", session },
      { type: "session", agent: "main", project: "/home/user/project", version: "2.1.197", isOneShot: true },
      { type: "session", agent: "main", asked: "Do the demo work." },
      { type: "session", agent: "main", model: "claude-opus-4-8" },
    ])
    expect(only(signals, "call")[0]?.call.at).toBe("2026-11-15T18:54:47.910Z")
    expect(only(signals, "activity")[0]).toEqual({
      type: "activity",
      agent: "main",
      kind: "prompt",
      at: "2026-11-15T18:54:47.817Z",
    })
  })

  test.each(withFile.filter((name) => name !== "claude-1.0.60/subagents" && !name.includes("subagents")))(
    "%s has the calls and the refusals of its stream",
    (name) => {
      expect(calls(recorded(name))).toEqual(calls(streamed(name)))
      expect(refused(recorded(name))).toEqual(refused(streamed(name)))
    },
  )

  test("a shell that changes its folder does not move the project", () => {
    const [line = ""] = linesOf(fileOf("claude-1.0.60/todowrite"))
    const moved = line.replace("/home/user/project", "/tmp")
    const about = only(signalsOf(claudeTranscript, [line, moved]), "session")
    expect(about.flatMap(({ project }) => project ?? [])).toEqual(["/home/user/project"])
  })

  test("first generation: lines without an agent belong to the call that sent their prompt", () => {
    const signals = recorded("claude-1.0.60/subagents")
    expect(calls(signals)).toEqual([
      "main: TodoWrite toolu_mock0001",
      "toolu_mock0003: TodoWrite toolu_mock0005",
      "toolu_mock0002: TodoWrite toolu_mock0004",
      "toolu_mock0002: TodoWrite toolu_mock0008",
      "main: TodoWrite toolu_mock0009",
    ])
    expect(only(signals, "session").find(({ agent }) => agent === "toolu_mock0002")?.parent).toEqual({
      agent: "main",
      callId: "toolu_mock0002",
    })
    expect(doings(signals)).toEqual(expect.arrayContaining(["toolu_mock0003 tool Bash", "toolu_mock0003 ended"]))
  })

  test("second generation: warm-ups without a request are not agents", () => {
    for (const name of ["agent-71d52606", "agent-a676072c"]) {
      expect(signalsOf(claudeTranscript, linesOf(`claude-2.0.37/todowrite/${project}/${name}.jsonl`))).toEqual([])
    }
  })

  test("third generation: a sub-agent's file names it, its session's file names its call", () => {
    const name = "claude-2.1.197/subagents-todowrite"
    const own = signalsOf(
      claudeTranscript,
      linesOf(`${name}/${project}/${sessions[name]}/subagents/agent-a3b22d34f61719c9b.jsonl`),
    )
    expect(own[0]).toMatchObject({ agent: "a3b22d34f61719c9b", parent: { agent: "main", session: sessions[name] } })
    expect(calls(own)).toEqual([
      "a3b22d34f61719c9b: TodoWrite toolu_mock0004",
      "a3b22d34f61719c9b: TodoWrite toolu_mock0008",
    ])
    expect(doings(own).at(-1)).toBe("a3b22d34f61719c9b turn-ended")
    const main = recorded(name)
    expect(calls(main)).toEqual(["main: TodoWrite toolu_mock0001", "main: TodoWrite toolu_mock0009"])
    expect(only(main, "session").find(({ agent }) => agent === "a3b22d34f61719c9b")).toMatchObject({
      parent: { agent: "main", callId: "toolu_mock0002" },
    })
    expect(doings(main)).toContain("a3b22d34f61719c9b ended")
  })

  test("tasks in a sub-agent's file belong to the main list", () => {
    const name = "claude-2.1.197/subagents-tasks"
    const own = signalsOf(
      claudeTranscript,
      linesOf(`${name}/${project}/${sessions[name]}/subagents/agent-afaf4c2974799adb9.jsonl`),
    )
    expect(calls(own)).toEqual(["main: TaskCreate toolu_mock0006", "main: TaskList toolu_mock0010"])
    expect(only(own, "result")[0]).toMatchObject({ ok: true, result: "Task #3 created successfully: A: list files" })
  })

  test("a reminder is a snapshot, an empty one is ignored", () => {
    const of = (session: string): Signal[] =>
      only(signalsOf(claudeTranscript, linesOf(`claude-2.1.197/reminders/${project}/${session}.jsonl`)), "snapshot")
    const common = { tool: "TaskList", input: {}, observed: true, at: "2026-11-15T18:54:59.819Z" }
    expect(of("15076619-70b6-478c-98f8-5a03f37402c1")).toMatchObject([
      { agent: "main", dialect: "claude-tasks", call: { ...common, result: { tasks: [{ id: "1" }, { id: "2" }] } } },
    ])
    expect(JSON.stringify(of("15076619-70b6-478c-98f8-5a03f37402c1"))).not.toContain('"blocks"')
    expect(of("5fca34a8-6775-4e4b-b281-f3e20cedce0d")).toMatchObject([
      {
        agent: "main",
        dialect: "claude-todos",
        call: { tool: "TodoWrite", input: { todos: [{ content: "Step one" }, {}] } },
      },
    ])
    expect(of("0cefac86-ed9d-41c8-b40c-3d3bc9644ea5")).toEqual([])
  })
})

describe("folders", () => {
  test("a todo file names the session and agent of its list", () => {
    const folder = "claude-1.0.60/subagents/home/.claude/todos"
    const read = readdirSync(root + folder).map((name) => readClaudeTodos(fixture(`${folder}/${name}`), name))
    expect(read.map((file) => [file?.session, file?.agent])).toEqual([
      [sessions["claude-1.0.60/subagents"], "ab14a755-d56b-4d53-8781-983b0a8fb345"],
      [sessions["claude-1.0.60/subagents"], "c692fad5-7f7c-415f-b874-1ceb5766b6f9"],
      [sessions["claude-1.0.60/subagents"], "main"],
    ])
    expect(read[1]?.call).toEqual({
      tool: "TodoWrite",
      input: { todos: [{ content: "B: find tests", status: "in_progress", priority: "high", id: "1" }] },
      observed: true,
    })
  })

  test("an empty todo file is ignored, a damaged one is a problem, another file is none", () => {
    expect(readClaudeTodos("[]", "s-agent-s.json")).toEqual({ session: "s", agent: "main", problems: [] })
    expect(readClaudeTodos("[{", "s-agent-a.json")).toMatchObject({ agent: "a", problems: [{ code: "damaged-file" }] })
    expect(readClaudeTodos("[]", "settings.json")).toBeUndefined()
  })

  const filesIn = (folder: string): { name: string; text: string }[] =>
    readdirSync(root + folder).map((name) => ({ name, text: fixture(`${folder}/${name}`) }))

  test("a task folder is one snapshot in the order of its numbers, without what tasks block", () => {
    const folder = `claude-2.1.197/tasks/home/.claude/tasks/${sessions["claude-2.1.197/tasks"]}`
    const { call, problems } = readClaudeTasks(filesIn(folder).toReversed(), "2026-11-15T18:54:49.000Z")
    expect(problems).toEqual([])
    expect(call).toMatchObject({ tool: "TaskList", observed: true, at: "2026-11-15T18:54:49.000Z" })
    expect(call.result).toMatchObject({
      tasks: [
        { id: "1", owner: "main", blockedBy: [] },
        { id: "2", subject: "Run the smoke test twice", blockedBy: ["1"] },
        { id: "3", blockedBy: ["1", "2"], metadata: { priority: "high" } },
      ],
    })
    expect(JSON.stringify(call)).not.toContain('"blocks"')
  })

  test("a file that is not a task is skipped and reported; foreign ids come last", () => {
    const { call, problems } = readClaudeTasks(filesIn("claude-2.1.197/external/home/.claude/tasks/ext-list"))
    expect(call.result).toMatchObject({ tasks: [{ id: "7" }, { id: "8" }, { id: "10" }, { id: "abc" }] })
    expect(problems.map(({ message }) => message)).toEqual([expect.stringContaining("9.json")])
    expect(
      readClaudeTasks([{ name: "1.json", text: '{"id":"1","subject":"x","metadata":{"_internal":true}}' }]).call.result,
    ).toEqual({
      tasks: [],
    })
  })

  test("a file next to a sub-agent's names the call that started it, its kind and its order", () => {
    const folder = `claude-2.1.197/subagents-tasks/${project}/${sessions["claude-2.1.197/subagents-tasks"]}/subagents`
    const name = "agent-aa2997b30aeb55855.meta.json"
    expect(readClaudeAgentMeta(fixture(`${folder}/${name}`), name)).toEqual({
      type: "session",
      agent: "aa2997b30aeb55855",
      parent: { agent: "main", callId: "toolu_mock0005" },
      title: "Check the tests",
      role: "general-purpose",
    })
    expect(readClaudeAgentMeta("{", name)).toBeUndefined()
  })
})

describe("every capture", () => {
  const parsed = (line: string) => JSON.parse(line) as Record<string, unknown>
  const others = (own: Stream): Stream[] =>
    [claudeStream, claudeTranscript, qwenStream, qwenChat].filter((one) => one !== own)
  const all = [
    ...streams.map((name) => ({ stream: claudeStream, path: `${name}/stdout.jsonl` })),
    ...files.map((path) => ({ stream: claudeTranscript, path })),
  ]

  test.each(all)("$stream.id alone recognises $path", ({ stream, path }) => {
    for (const line of linesOf(path).map(parsed)) {
      expect(stream.recognises(line)).toBe(true)
      expect(others(stream).filter((other) => other.recognises(line))).toEqual([])
    }
  })

  test.each(all)("$stream.id finds all that matters in $path by its needles", ({ stream, path }) => {
    const lines = linesOf(path)
    const found = lines.filter((line) => stream.needles.some((needle) => line.includes(needle)))
    // A list that was asked for and answered in words changes nothing, nor does one task that was asked for.
    const asked = only(signalsOf(stream, lines), "call").filter(({ call }) => /TaskGet|TaskList/.test(call.tool))
    const isAsked = (id: string): boolean => asked.some(({ call }) => call.callId === id)
    const matters = (signal: Signal): boolean => {
      if (signal.type === "call") return signal.call.tool !== "TaskGet"
      if (signal.type === "result") return !isAsked(signal.callId) || JSON.stringify(signal).includes('"tasks"')
      return signal.type === "snapshot"
    }
    expect(signalsOf(stream, found).filter(matters)).toEqual(signalsOf(stream, lines).filter(matters))
    const facts = (all: string[]) =>
      only(signalsOf(stream, all), "session").flatMap(({ agent, session, project, version, parent }) =>
        Object.entries({ agent, session, project, version, parent: parent?.callId }).flatMap(([name, fact]) =>
          fact === undefined ? [] : [`${agent} ${name} ${fact}`],
        ),
      )
    expect(new Set(facts(found))).toEqual(new Set(facts(lines)))
  })

  test.each(all)("$stream.id never throws on damaged lines of $path", ({ stream, path }) => {
    expect(() => readDamaged(stream, fixture(path))).not.toThrow()
  })

  test("lines of a client that writes almost the same are not recognised as Claude's", () => {
    const init = { type: "system", subtype: "init", apiKeySource: "login", cwd: "/p", session_id: "s", model: "m" }
    const assistant = { type: "assistant", message: { role: "assistant", content: [] }, session_id: "s" }
    const result = { type: "result", subtype: "success", is_error: false, session_id: "s", request_id: "r" }
    expect([init, assistant, result].filter((line) => claudeStream.recognises(line))).toEqual([])
  })

  test("a line that is not an object is a problem, a blank one is ignored", () => {
    for (const stream of [claudeStream, claudeTranscript]) {
      const reader = stream.open()
      expect([reader.read(""), reader.read("  ")]).toEqual([[], []])
      for (const line of ['{"type":', "[]", "null", "7", "hello"])
        expect(reader.read(line)).toMatchObject([{ type: "problem" }])
      for (const line of [
        "{}",
        '{"type":"constructor"}',
        '{"type":"user"}',
        '{"type":"assistant","message":{"content":[null,{"type":"tool_use"}]}}',
      ])
        expect(only(reader.read(line), "problem")).toEqual([])
    }
  })
})
