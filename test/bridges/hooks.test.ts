/** The hooks as real clients call them: genuine events, one process or call each, and every bad input that could be piped. */

import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { forgetCallNotes, takeCallNote } from "../../src/bridges/hooks/call-notes.ts"
import { createFileStore } from "../../src/stores/file/index.ts"
import { stores } from "../../src/stores/index.ts"
import type { PlanKey } from "../../src/stores/store.ts"
import { hookAgents } from "../agents/loaded.ts"
import { anyCharacter } from "../any-character.ts"
import { atHome, type CliResult } from "../cli/run-cli.ts"
import { rounds } from "../rounds.ts"
import { contentsUnder, temporaryFolder } from "../stores/temporary.ts"

const fixtures = new URL("../fixtures/hooks/", import.meta.url)

const recorded = (client: string, event: string): Record<string, unknown>[] =>
  readFileSync(new URL(`${client}/${event}.jsonl`, fixtures), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))

let { home, run } = atHome()
beforeEach(() => {
  ;({ home, run } = atHome())
})

const fire = (agent: string, event: object | string, more: string[] = []): Promise<CliResult> =>
  run(["hook", agent, ...more], { input: typeof event === "string" ? event : JSON.stringify(event) })

const contextIn = ({ out }: CliResult): string =>
  out === "" ? "" : (JSON.parse(out).hookSpecificOutput?.additionalContext ?? "")

const claude = (event: string, more: object = {}) => ({
  session_id: "c-1",
  cwd: home,
  hook_event_name: event,
  ...more,
})

const todoWrite = (...todos: [content: string, status: string][]) =>
  claude("PostToolUse", {
    tool_name: "TodoWrite",
    tool_input: { todos: todos.map(([content, status]) => ({ content, status, activeForm: content })) },
    tool_use_id: `call-${JSON.stringify(todos)}`,
  })

const bash = claude("PostToolUse", { tool_name: "Bash", tool_input: { command: "ls" }, tool_response: "a" })

const shown = async (session: string, agent = "main"): Promise<string[]> => {
  const { out, code } = await run(["show", "--json", "--session", session, "--agent", agent])
  if (code !== 0) return []
  return JSON.parse(out).todos.map(({ content, status }: Record<string, string>) => `${status} ${content}`)
}

describe("native list calls are recorded as they were sent (A1, N1)", () => {
  test("each one, also two with the same id, and one that is sent twice once", async () => {
    const again = (...todos: Parameters<typeof todoWrite>) => ({ ...todoWrite(...todos), tool_use_id: "call_0" })
    await fire("claude-code", again(["Read", "in_progress"]))
    await fire("claude-code", again(["Read", "completed"], ["Report", "pending"]))
    expect(await shown("c-1")).toEqual(["completed Read", "pending Report"])
    await fire("claude-code", again(["Read", "in_progress"]))
    expect(await shown("c-1")).toEqual(["completed Read", "pending Report"])
  })

  test("of Claude Code, sub-agents in the list they share", async () => {
    for (const event of recorded("claude-2.1.197", "PostToolUse")) await fire("claude-code", event)
    const [{ session_id: session } = {}] = recorded("claude-2.1.197", "PostToolUse")
    expect(await shown(String(session))).toEqual(["pending Read the README", "pending Report"])
    const [create] = recorded("claude-2.1.197", "PostToolUse")
    const own = { tool_response: { task: { id: "3", subject: "Of a sub-agent" } }, tool_use_id: "x", agent_id: "a1" }
    await fire("claude-code", { ...create, ...own, tool_input: { subject: "Of a sub-agent" } })
    expect(await shown(String(session))).toContain("pending Of a sub-agent")
  })

  test("of Codex, with the status its stream does not tell", async () => {
    const events = recorded("codex-0.166.0", "PostToolUse")
    await fire("codex", events[0] ?? {})
    expect(await shown(String(events[0]?.session_id))).toEqual(["in_progress Read", "pending Report"])
    for (const event of events.slice(1)) await fire("codex", event)
    expect(await shown(String(events[0]?.session_id))).toEqual(["completed Read", "completed Report"])
  })

  test("of Gemini CLI", async () => {
    for (const event of recorded("gemini-0.61.0", "AfterTool").slice(0, 1)) await fire("gemini", event)
    const [{ session_id: session } = {}] = recorded("gemini-0.61.0", "AfterTool")
    expect(await shown(String(session))).toEqual(["in_progress Read", "pending Report"])
  })

  test("of Qwen Code", async () => {
    const native = recorded("qwen-0.24.4", "PostToolUse").filter(({ tool_name }) => tool_name === "todo_write")
    for (const event of native) await fire("qwen", event)
    expect(await shown(String(native[0]?.session_id))).toEqual([
      "in_progress Read the notes",
      "pending Write the report",
    ])
  })

  test("once, though the event comes twice", async () => {
    const event = todoWrite(["Read", "pending"])
    await fire("claude-code", event)
    await run(["todo", "clear", "--session", "c-1"])
    await fire("claude-code", event)
    expect(await shown("c-1")).toEqual([])
  })

  test("of a sub-agent into its own list, where its tool keeps lists apart (C10, C27)", async () => {
    await fire("claude-code", todoWrite(["Read", "pending"]))
    await fire("claude-code", { ...todoWrite(["Look closer", "pending"]), agent_id: "a1" })
    expect(await shown("c-1")).toEqual(["pending Read"])
    expect(await shown("c-1", "a1")).toEqual(["pending Look closer"])
  })

  test.each([
    ["main", ["pending Look closer"]],
    ["x".repeat(1001), []],
    [7, []],
    [{ id: "a1" }, []],
  ])("of a sub-agent with an odd id, never into the list of the main agent", async (agent_id, own) => {
    await fire("claude-code", todoWrite(["Read", "pending"]))
    await run(["todo", "add", "Ask Ada", "--session", "c-1"])
    const result = await fire("claude-code", { ...todoWrite(["Look closer", "pending"]), agent_id })
    expect([result.code, contextIn(result)]).toEqual([0, ""])
    expect(await shown("c-1")).toEqual(["pending Read", "pending Ask Ada"])
    expect(await shown("c-1", "sub-agent main")).toEqual(own)
  })
})

describe("the plan is given back", () => {
  test("after compaction, verbatim with ids (C18)", async () => {
    const [resumed, compacted] = recorded("claude-2.1.197-compact", "SessionStart")
    const session = { session_id: compacted?.session_id }
    await fire("claude-code", { ...todoWrite(["Read the README", "completed"], ["Report", "in_progress"]), ...session })
    const text = contextIn(await fire("claude-code", compacted ?? {}))
    expect(text).toContain("Read the README")
    expect(text).toContain("Report")
    const later = contextIn(await fire("claude-code", resumed ?? {}))
    expect(later).toContain("Report")
    expect(later).toMatch(/paused/i)
    expect(later).not.toContain("Read the README")
  })

  test("after a resume with the agent's own numbers alone, though only a todo without one is left open", async () => {
    const task = (tool_name: string, tool_input: object, tool_response: object) =>
      fire(
        "claude-code",
        claude("PostToolUse", { tool_name, tool_input, tool_response, tool_use_id: JSON.stringify(tool_input) }),
      )
    const create = (id: string, subject: string) => task("TaskCreate", { subject }, { task: { id, subject } })
    await create("1", "Read the code")
    await run(["todo", "add", "Tell Maria", "--session", "c-1"])
    await create("2", "Write the migration")
    for (const taskId of ["1", "2"])
      await task("TaskUpdate", { taskId, status: "completed" }, { success: true, taskId, updatedFields: ["status"] })
    expect(await shown("c-1")).toContain("pending Tell Maria")
    const text = contextIn(await fire("claude-code", claude("SessionStart", { source: "resume" })))
    expect(text).toContain("\n[pending] Tell Maria\n")
    expect(text).not.toContain("#2")
  })

  test("after a resume with the tools that change it, whichever was called last", async () => {
    const call = { tool_input: { subject: "Read" }, tool_response: { task: { id: "1", subject: "Read" } } }
    await fire("claude-code", claude("PostToolUse", { tool_name: "TaskCreate", ...call, tool_use_id: "c-1" }))
    await fire("claude-code", claude("PostToolUse", { tool_name: "TaskList", tool_response: {}, tool_use_id: "c-2" }))
    const text = contextIn(await fire("claude-code", claude("SessionStart", { source: "resume" })))
    expect(text).toContain("as in progress with TaskCreate and TaskUpdate and it continues")
  })

  test("by the genuine events of Codex, whose own list was kept from a program (C18)", async () => {
    for (const event of recorded("codex-0.166.0-team", "PostToolUse")) await fire("codex", event)
    const [began, compacted] = recorded("codex-0.166.0-team", "SessionStart")
    expect((await fire("codex", began ?? {})).out).toBe("")
    const text = contextIn(await fire("codex", compacted ?? {}))
    expect(text).toContain("#1 [in_progress] Read\n#2 [pending] Report")
    expect(await shown(String(compacted?.session_id))).toEqual(["in_progress Read", "pending Report"])
  })

  test("not at the start of a new session, and not when there is none", async () => {
    expect((await fire("claude-code", claude("SessionStart", { source: "startup" }))).out).toBe("")
    expect((await fire("claude-code", claude("SessionStart", { source: "resume" }))).out).toBe("")
    expect(Object.keys(contentsUnder(home)).filter((path) => !path.includes("clients"))).toEqual([])
  })
})

describe("a person's edit reaches the model once (O15)", () => {
  test.each(["UserPromptSubmit", "PostToolUse"])("with the next %s", async (name) => {
    await fire("claude-code", todoWrite(["Read", "in_progress"]))
    await run(["todo", "add", "Ask Ada", "--session", "c-1"])
    const event = name === "PostToolUse" ? bash : claude(name, { prompt: "go on" })
    expect(contextIn(await fire("claude-code", event))).toContain('added 2 "Ask Ada"')
    expect((await fire("claude-code", event)).out).toBe("")
  })

  test("with the event after a Stop, which passes on nothing", async () => {
    await fire("claude-code", todoWrite(["Read", "in_progress"]))
    await run(["todo", "add", "Ask Ada", "--session", "c-1"])
    await fire("claude-code", claude("Stop", { last_assistant_message: "Done." }))
    expect(contextIn(await fire("claude-code", claude("UserPromptSubmit", { prompt: "go on" })))).toContain(
      'added 2 "Ask Ada"',
    )
    expect((await fire("claude-code", bash)).out).toBe("")
  })

  test("not through a sub-agent that calls a tool of the shared list", async () => {
    const task = (tool_name: string, more: object) => claude("PostToolUse", { tool_name, tool_response: {}, ...more })
    await fire("claude-code", task("TaskCreate", { tool_input: { subject: "Deploy" }, tool_use_id: "1" }))
    await run(["todo", "drop", "1", "--session", "c-1"])
    const update = task("TaskUpdate", { tool_input: { taskId: "1", status: "in_progress" }, tool_use_id: "2" })
    expect((await fire("claude-code", { ...update, agent_id: "a1" })).out).toBe("")
    expect(await shown("c-1")).toEqual(["cancelled Deploy"])
    expect(contextIn(await fire("claude-code", bash))).toContain('1 "Deploy": now cancelled')
  })
})

test("a person is told that a connected agent learns of an edit at its next turn, and history shows it until then", async () => {
  await fire("claude-code", todoWrite(["Read", "in_progress"]))
  const edit = await run(["todo", "add", "Ask Ada", "--session", "c-1"])
  expect(edit).toEqual({
    code: 0,
    out: 'added 2 "Ask Ada"\n',
    err: "headway: Claude Code will see it at its next turn\n",
  })
  const history = async () => (await run(["history", "--session", "c-1"])).out
  const told = async () => {
    const { entries } = JSON.parse((await run(["history", "--session", "c-1", "--json"])).out) as {
      entries: { told?: boolean }[]
    }
    return entries.flatMap((entry) => entry.told ?? [])
  }
  expect([await history(), await told()]).toEqual([expect.stringContaining("(not told yet)"), [false]])
  await fire("claude-code", bash)
  expect([await history(), await told()]).toEqual([expect.not.stringContaining("not told"), [true]])
})

test("a person is told that an agent is not connected once its set-up was undone and its client is gone", async () => {
  mkdirSync(join(home, ".claude"), { recursive: true })
  await run(["setup", "claude-code"])
  await fire("claude-code", todoWrite(["Read", "in_progress"]))
  rmSync(join(home, ".headway/cache/clients"), { recursive: true, force: true })
  const edit = async () => (await run(["todo", "add", "Ask Ada", "--session", "c-1"])).err
  expect(await edit()).toBe("headway: Claude Code will see it at its next turn\n")
  await run(["setup", "claude-code", "--undo"])
  expect(await edit()).toContain(
    "Claude Code is not connected here, so it will not see this. To connect it: headway setup",
  )
  await run(["setup", "claude-code"])
  expect(await edit()).toBe("headway: Claude Code will see it at its next turn\n")
})

test("a person's change is told by headway write only where the agent of the session calls it", async () => {
  await fire("claude-code", claude("UserPromptSubmit", { prompt: "Go on." }))
  await fire("claude-code", todoWrite(["Read", "in_progress"], ["Report", "pending"]))
  const add = (content: string) => run(["todo", "add", content, "--session", "c-1"])
  const write = (more: string[] = []) => run(["write", ...more], { input: '{"todos":[{"id":"1","notes":["x"]}]}' })
  await add("Ask Ada")
  expect((await write()).out).toContain("Ask Ada")
  await add("Ask Bob")
  rmSync(join(home, ".headway/cache/clients"), { recursive: true, force: true })
  for (const typed of [await write(), await write(["--session", "c-1"])]) {
    expect(typed.out).not.toContain("Ask Bob")
    expect(typed.err).toContain("not from the session of Claude Code, which has not been told of your changes yet")
  }
  expect(contextIn(await fire("claude-code", bash))).toContain('added 4 "Ask Bob"')
  expect((await write()).err).not.toContain("not been told")
})

test("an agent that lists again what a person removed is told so each time, and history shows it", async () => {
  await fire("claude-code", todoWrite(["Build", "in_progress"], ["Deploy", "pending"]))
  await run(["todo", "rm", "Deploy", "--session", "c-1"])
  expect(contextIn(await fire("claude-code", bash))).toContain('removed 2 "Deploy"')
  const again = (status: string, id: string) => ({
    ...todoWrite(["Build", "in_progress"], ["Deploy", status]),
    tool_use_id: id,
  })
  for (const id of ["a", "b"])
    expect(contextIn(await fire("claude-code", again("pending", id)))).toContain('"Deploy" was removed by the person')
  await fire("claude-code", again("completed", "c"))
  expect(await shown("c-1")).toEqual(["in_progress Build"])
  const { out } = await run(["history", "--session", "c-1"])
  expect(out.match(/continued "Deploy" \(\w+\)/g)).toEqual([
    'continued "Deploy" (pending)',
    'continued "Deploy" (completed)',
  ])
})

describe("a native list that completes what another agent has claimed", () => {
  const later = "2030-01-01T00:31:00Z"
  const claimed = async (): Promise<void> => {
    await fire("claude-code", todoWrite(["Read", "in_progress"], ["Report", "pending"]))
    await run(["todo", "claim", "Report", "--as", "other", "--session", "c-1"])
  }
  const done = todoWrite(["Read", "completed"], ["Report", "completed"])
  const stop = claude("Stop", { last_assistant_message: "Done.", stop_hook_active: false })

  test("is told who has it and until when, and the agent may stop", async () => {
    await claimed()
    expect(contextIn(await fire("claude-code", done))).toContain(
      '2 "Report" is taken by other until 2030-01-01 00:30 UTC and stays as it is.\nLeave it to the agent that has taken it.',
    )
    expect(await shown("c-1")).toEqual(["completed Read", "pending Report"])
    expect((await fire("claude-code", stop)).out).toBe("")
  })

  test("is told together with what a person has changed", async () => {
    await claimed()
    await run(["todo", "add", "Ask Ada", "--session", "c-1"])
    const told = contextIn(await fire("claude-code", done))
    expect(told).toContain("Ask Ada")
    expect(told).toContain('2 "Report" is taken by other until')
  })

  test("holds the agent again once the claim has ended", async () => {
    await claimed()
    await fire("claude-code", done)
    const { out } = await run(["hook", "claude-code"], { input: JSON.stringify(stop), now: later })
    expect(JSON.parse(out)).toMatchObject({ decision: "block", reason: expect.stringContaining('#2 "Report"') })
  })
})

describe("a stale todo is named (N4)", () => {
  test("after ten calls of other tools with the list untouched, and not before", async () => {
    await fire("claude-code", todoWrite(["Read the README", "in_progress"]))
    const contexts: string[] = []
    for (let call = 0; call < 12; call += 1) contexts.push(contextIn(await fire("claude-code", bash)))
    expect(contexts.slice(0, 9).every((text) => text === "")).toBe(true)
    expect(contexts.filter((text) => text !== "")).toEqual([expect.stringContaining('"Read the README"')])
  })

  test("never with the profile off", async () => {
    await fire("claude-code", todoWrite(["Read the README", "in_progress"]))
    for (let call = 0; call < 12; call += 1)
      expect((await fire("claude-code", bash, ["--profile", "off"])).out).toBe("")
  })
})

describe("stopping with work left (N6)", () => {
  const stop = (more: object = {}) =>
    claude("Stop", { stop_hook_active: false, last_assistant_message: "Done.", ...more })

  test("is refused once with what is left, then allowed and reported", async () => {
    await fire("claude-code", todoWrite(["Read", "completed"], ["Report", "in_progress"]))
    const held = JSON.parse((await fire("claude-code", stop())).out)
    expect(held).toMatchObject({ decision: "block", reason: expect.stringContaining('"Report"') })
    expect(held.reason).not.toContain('"Read"')
    const let_go = JSON.parse((await fire("claude-code", stop({ stop_hook_active: true }))).out)
    expect(let_go).toEqual({ systemMessage: expect.stringContaining("1 todo open") })
  })

  test("is refused by the real events of Codex and Gemini CLI, each in its own words", async () => {
    await fire("codex", recorded("codex-0.166.0", "PostToolUse")[0] ?? {})
    const [first = {}, second = {}] = recorded("codex-0.166.0", "Stop")
    expect(JSON.parse((await fire("codex", first)).out)).toMatchObject({ decision: "block" })
    expect((await fire("codex", second)).out).not.toContain("decision")
    await fire("gemini", recorded("gemini-0.61.0", "AfterTool")[0] ?? {})
    const [end = {}] = recorded("gemini-0.61.0", "AfterAgent")
    const deny = JSON.parse((await fire("gemini", end)).out)
    expect(deny).toMatchObject({ decision: "deny", reason: expect.stringContaining('"Read"') })
    const again = recorded("gemini-0.61.0", "BeforeAgent")[1]
    for (let push = 0; push < 2; push += 1) {
      await fire("gemini", { ...again, prompt: deny.reason })
      expect((await fire("gemini", end)).out).toContain("deny")
    }
    await fire("gemini", { ...again, prompt: deny.reason })
    expect((await fire("gemini", end)).out).not.toContain("deny")
  })

  test("is always allowed while a question is open, a job runs, everything waits, or the setting is off", async () => {
    await fire("claude-code", todoWrite(["Report", "in_progress"]))
    const waiting = [
      stop({ last_assistant_message: "Shall I go on?" }),
      stop({ background_tasks: [{ id: "b1" }] }),
      stop({ permission_mode: "plan" }),
    ]
    for (const event of waiting) expect((await fire("claude-code", event)).out).toBe("")
    expect((await fire("claude-code", stop(), ["--let-stop"])).out).toBe("")
    await run(["todo", "block", "1", "--waits-for", "Ada", "--session", "c-1"])
    expect((await fire("claude-code", stop())).out).toBe("")
  })
})

describe("Qwen Code, whose prompt event also comes after each tool", () => {
  const [native = {}] = recorded("qwen-0.24.4", "PostToolUse").filter(({ tool_name }) => tool_name === "todo_write")
  const [person = {}, afterTool = {}] = recorded("qwen-0.24.4", "UserPromptSubmit")
  const done = { ...recorded("qwen-0.24.4", "Stop").at(-1), last_assistant_message: "Done." }

  test("is sent back as often as configured, and again only after the person's next prompt (N6)", async () => {
    await fire("qwen", native)
    const held = async (): Promise<boolean> => JSON.parse((await fire("qwen", done)).out || "{}").decision === "block"
    expect(await held()).toBe(true)
    await fire("qwen", afterTool)
    const after = [await held(), await held(), await held()]
    expect(after).toContain(false)
    await fire("qwen", afterTool)
    expect(await held()).toBe(false)
    await fire("qwen", person)
    expect(await held()).toBe(true)
  })

  test("may wait for jobs that run, but not for those that have ended", async () => {
    await fire("qwen", native)
    const running = { ...done, background_tasks: [{ id: "a", status: "running" }] }
    expect((await fire("qwen", running)).out).toBe("")
    expect((await fire("qwen", done)).out).toContain('"decision":"block"')
  })
})

describe("with any store", () => {
  const kept = () => ({ HEADWAY_STORE: `file:${join(home, "plans")}` })
  const fireThere = (event: object): Promise<CliResult> =>
    run(["hook", "claude-code"], { input: JSON.stringify(event), env: kept() })

  test("an agent that stops again and again is allowed to in the end", async () => {
    await fireThere(todoWrite(["Read", "in_progress"], ["Report", "pending"]))
    const stops: string[] = []
    for (let count = 0; count < 6; count += 1)
      stops.push((await fireThere(claude("Stop", { last_assistant_message: "Done." }))).out)
    expect(stops.map((out) => out.includes('"block"'))).toEqual([true, true, true, false, false, false])
  })

  test("a stale todo is named after ten calls of other tools", async () => {
    await fireThere(todoWrite(["Read", "in_progress"]))
    const contexts: string[] = []
    for (let count = 0; count < 12; count += 1) contexts.push(contextIn(await fireThere(bash)))
    expect(contexts.filter((text) => text !== "")).toHaveLength(1)
    expect(contexts.join()).toContain("Read")
  })

  test("a change that comes while a hook is running is reported by the next one", async () => {
    await fireThere(todoWrite(["Read", "in_progress"]))
    await fireThere(bash)
    const changed = vi.spyOn(stores.file, "open").mockImplementationOnce(async (url) => {
      const store = createFileStore({ home: url.slice("file:".length) })
      const { position } = store
      let count = 0
      return Object.assign(store, {
        async position(key: PlanKey) {
          count += 1
          // Right before the hook looks how far everything has been said.
          if (count === 1) await run(["todo", "add", "Ask Ada", "--session", "c-1"], { env: kept() })
          return position(key)
        },
      })
    })
    await fireThere(todoWrite(["Read", "completed"]))
    changed.mockRestore()
    expect(contextIn(await fireThere(bash))).toContain("Ask Ada")
  })
})

describe("a client that does not name its session to our tool", () => {
  const gemini = (hook_event_name: string, more: object = {}) => ({
    session_id: "g-1",
    cwd: home,
    hook_event_name,
    ...more,
  })
  const end = gemini("AfterAgent", { prompt_response: "Done." })

  beforeEach(async () => {
    await run(["write", "--new", "--session", "p-1"], {
      input: '{"todos":[{"content":"Read","status":"in_progress"}]}',
    })
    const journal = join(home, ".headway", "journal", "p-1-agent-main.jsonl")
    const opened = readFileSync(journal, "utf8").replace('"agent":"main"', '"agent":"main","agentType":"google-gemini"')
    writeFileSync(journal, opened)
  })

  test("gets no plan but that of its session, whether it uses the tool or is resumed", async () => {
    const events = [
      gemini("SessionStart", { source: "resume" }),
      gemini("AfterTool", { tool_name: "mcp_headway_todo", tool_input: {} }),
      end,
    ]
    for (const event of events) expect((await fire("gemini", event)).out).toBe("")
  })

  test("is not held to an old plan of the project in a session that has nothing to do with it", async () => {
    const events = [
      gemini("SessionStart", { source: "startup" }),
      gemini("BeforeAgent", { prompt: "What is two and two?" }),
      gemini("AfterTool", { tool_name: "list_directory", tool_input: {} }),
      end,
    ]
    for (const event of events) expect((await fire("gemini", event)).out).toBe("")
  })
})

describe("an announced call", () => {
  const announce = (tool_name: string, tool_use_id?: string) =>
    claude("PreToolUse", { tool_name, tool_input: {}, ...(tool_use_id === undefined ? {} : { tool_use_id }) })
  const notes = () => contentsUnder(join(home, ".headway", "cache", "calls"))

  test("is noted for our server when it is our tool's, silently", async () => {
    expect(await fire("claude-code", announce("mcp__headway__todo", "call-1"))).toEqual({ code: 0, out: "", err: "" })
    const note = { session: "c-1", agent: "main", folder: home }
    expect(Object.values(notes())).toEqual([JSON.stringify(note)])
    expect(takeCallNote(join(home, ".headway"), "call-1")).toEqual(note)
    expect(takeCallNote(join(home, ".headway"), "call-1")).toBeUndefined()
  })

  test("is ignored when it is of another tool, or has no id", async () => {
    await fire("claude-code", announce("Bash", "call-1"))
    await fire("claude-code", announce("mcp__headway__todo"))
    expect(contentsUnder(home)).toEqual({})
  })

  test("stays in its folder, whatever its id is", async () => {
    await fire("claude-code", announce("mcp__headway__todo", "../../../escaped"))
    expect(Object.keys(notes())).toHaveLength(1)
    expect(takeCallNote(join(home, ".headway"), "../../../escaped")?.session).toBe("c-1")
  })

  test("that never comes is forgotten, and so is one that cannot be read", async () => {
    await fire("claude-code", announce("mcp__headway__todo", "call-1"))
    const headwayHome = join(home, ".headway")
    forgetCallNotes(headwayHome, new Date(0))
    expect(Object.keys(notes())).toHaveLength(1)
    writeFileSync(Object.keys(notes())[0] ?? "", "{oops")
    expect(takeCallNote(headwayHome, "call-1")).toBeUndefined()
    forgetCallNotes(headwayHome, new Date(8.64e15))
    expect(notes()).toEqual({})
    forgetCallNotes(join(home, "nowhere"), new Date())
  })
})

describe("whatever is piped in, a hook ends with 0 and prints nothing (Bad input)", () => {
  const bad = {
    nothing: "",
    "not JSON": "{oops",
    "another value": "[1,2]",
    "no session": JSON.stringify({ hook_event_name: "Stop" }),
    "an unknown event": JSON.stringify({ hook_event_name: "Dance", session_id: "x" }),
    "an inherited name": JSON.stringify({ hook_event_name: "constructor", session_id: "x" }),
    "a session that is a path": JSON.stringify({ hook_event_name: "Stop", session_id: "../../etc/passwd" }),
    "a list call without a list": JSON.stringify({
      hook_event_name: "PostToolUse",
      session_id: "x",
      tool_name: "TodoWrite",
      tool_input: null,
    }),
    "lists in lists": "[".repeat(10_000_000),
    "lists in lists, closed, in a list call": `{"hook_event_name":"PostToolUse","session_id":"x","tool_name":"TodoWrite","tool_input":${"[".repeat(3_000_000)}${"]".repeat(3_000_000)}}`,
    "objects in objects in a list call": `{"hook_event_name":"PostToolUse","session_id":"x","tool_name":"update_plan","tool_input":${'{"plan":'.repeat(9_000)}1${"}".repeat(9_000)}}`,
    "bytes that are not text": Buffer.from(Array.from({ length: 999 }, (_, index) => (index * 37) % 256)).toString(
      "latin1",
    ),
    "an endless session": JSON.stringify({ hook_event_name: "Stop", session_id: "/\0".repeat(1_000_000) }),
    "a prototype": '{"__proto__":{"hook_event_name":"Stop","session_id":"x"}}',
    "fields of other kinds": JSON.stringify({ hook_event_name: ["Stop"], session_id: { toString: 1 }, cwd: 5 }),
    "much of everything": JSON.stringify({ hook_event_name: "Stop", session_id: "x", pad: "y".repeat(5_000_000) }),
  }

  test.each(Object.entries(bad))("%s", async (_, input) => {
    for (const agent of Object.keys(hookAgents)) {
      expect(await fire(agent, input)).toEqual({ code: 0, out: "", err: "" })
    }
  })

  test.each([
    ["slashes and dots", "../../../escaped"],
    ["a NUL", "a\0b"],
    ["half a character", "\ud800"],
    ["a thousand letters", "é".repeat(1000)],
    ["the name of a device", "CON"],
  ])("a session with %s keeps its plan in the home, and finds it again", async (_, session_id) => {
    const cwd = `/\0${"x/".repeat(100_000)}`
    await fire("claude-code", { ...todoWrite(["Read", "in_progress"]), session_id, agent_id: session_id, cwd })
    expect(await shown(session_id, session_id)).toEqual(["in_progress Read"])
    expect(Object.keys(contentsUnder(home)).every((path) => path.startsWith(join(home, ".headway/")))).toBe(true)
    const announced = { ...claude("PreToolUse"), tool_name: "mcp__headway__todo", session_id, tool_use_id: session_id }
    expect(await fire("claude-code", announced)).toEqual({ code: 0, out: "", err: "" })
    expect(takeCallNote(join(home, ".headway"), session_id)?.session).toBe(session_id)
  })

  test("any event of any fields ends with 0 and prints valid JSON or nothing", async () => {
    await fire("claude-code", todoWrite(["Read", "in_progress"]))
    const text = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 20 }),
      fc.constantFrom("c-1", "main", "compact", "a1"),
    )
    const value = fc.oneof(text, fc.jsonValue({ maxDepth: 3 }))
    const event = fc.record(
      {
        hook_event_name: fc.constantFrom("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "x"),
        session_id: fc.oneof(fc.constant("c-1"), value),
        agent_id: value,
        cwd: value,
        source: fc.oneof(fc.constantFrom("compact", "resume"), value),
        prompt: value,
        tool_name: fc.oneof(
          fc.constantFrom("TodoWrite", "TaskCreate", "TaskUpdate", "mcp__headway__todo", "Bash"),
          value,
        ),
        tool_input: value,
        tool_response: value,
        tool_use_id: value,
        background_tasks: value,
        last_assistant_message: value,
      },
      { requiredKeys: ["hook_event_name", "session_id"] },
    )
    await fc.assert(
      fc.asyncProperty(event, async (given) => {
        const { code, out } = await fire("claude-code", given)
        expect(code).toBe(0)
        if (out !== "") expect(JSON.parse(out)).toBeTypeOf("object")
      }),
      { numRuns: rounds(60) },
    )
  })

  test("input that is not an event is logged as an error, and an event that is not for us is not", async () => {
    const log = () =>
      existsSync(join(home, ".headway/errors.log")) ? readFileSync(join(home, ".headway/errors.log"), "utf8") : ""
    await fire("claude-code", claude("Notification"))
    await fire("claude-code", "")
    expect(log()).toBe("")
    await fire("claude-code", "{oops")
    expect(log()).toContain("(5 characters) is not an agent's event")
  })

  test.each([["--unknown"], ["one", "two"], ["--profile"]])(
    "wrong usage (%s) is reported and logged, and does not end with an exit code that holds up an agent",
    async (...more) => {
      const { code, out, err } = await fire("claude-code", bash, more)
      expect([code, out, err]).toEqual([0, "", expect.stringContaining("headway:")])
      expect(readFileSync(join(home, ".headway/errors.log"), "utf8")).toContain("Usage: headway hook AGENT")
    },
  )

  test("wrong usage with a relative home writes nothing into the current folder", () => {
    const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
    const cwd = temporaryFolder()
    const env = { HOME: temporaryFolder(), HEADWAY_HOME: "plans" }
    const ran = spawnSync(process.execPath, [bin, "hook", "claude-code", "--unknown"], { cwd, env })
    expect([ran.status, ran.stdout.toString()]).toEqual([0, ""])
    expect(readdirSync(cwd)).toEqual([])
  })

  test("a process gets more than it wants to read", () => {
    const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
    const folder = temporaryFolder()
    const pipe = `head -c 100000000 /dev/zero | "${process.execPath}" --max-old-space-size=100 "${bin}" hook claude`
    const ran = spawnSync("/bin/sh", ["-c", pipe], { cwd: folder, env: { HOME: folder, PATH: "/usr/bin:/bin" } })
    expect([ran.status, ran.stdout.toString(), ran.stderr.toString()]).toEqual([0, "", ""])
    expect(readFileSync(join(folder, ".headway/errors.log"), "utf8")).toContain("is not an agent's event")
  })

  test("an unknown agent is reported to the person, not to the agent", async () => {
    expect(await fire("nobody", "{}")).toMatchObject({ code: 0, out: "", err: expect.stringContaining("claude-code") })
  })

  test("the home is not writable", async () => {
    writeFileSync(join(home, ".headway"), "a file where a folder should be")
    expect(await fire("claude-code", todoWrite(["Read", "pending"]))).toMatchObject({ code: 0, out: "" })
  })

  test("the state is damaged", async () => {
    await fire("claude-code", todoWrite(["Read", "in_progress"]))
    const folder = join(home, ".headway", "cache", "hooks")
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "c-1-agent-main.json"), '{"turns":{"v":1,"turns":-4},"size":')
    expect(await fire("claude-code", bash)).toMatchObject({ code: 0, out: "" })
    chmodSync(folder, 0o700)
  })

  test("a process gets its input closed at once", () => {
    const bin = fileURLToPath(new URL("../../dist/bin/headway.js", import.meta.url))
    const folder = temporaryFolder()
    const env = { PATH: process.env.PATH, HOME: folder }
    const options = { cwd: folder, env, encoding: "utf8" as const }
    expect(
      spawnSync(process.execPath, [bin, "hook", "claude"], { ...options, stdio: ["ignore", "pipe", "pipe"] }),
    ).toMatchObject({
      status: 0,
      stdout: "",
      stderr: "",
    })
    const input = JSON.stringify({ ...todoWrite(["Read", "in_progress"]), cwd: folder })
    expect(spawnSync(process.execPath, [bin, "hook", "claude"], { ...options, input })).toMatchObject({
      status: 0,
      stdout: "",
    })
    const end = JSON.stringify({ ...claude("Stop", { last_assistant_message: "Done." }), cwd: folder })
    const { stdout } = spawnSync(process.execPath, [bin, "hook", "claude"], { ...options, input: end })
    expect(JSON.parse(stdout)).toMatchObject({ decision: "block" })
  })
})
